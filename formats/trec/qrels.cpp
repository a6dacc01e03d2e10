#include "formats/trec/qrels.hpp"

#include "common/error.hpp"
#include "common/files.hpp"
#include "formats/fields/columns.hpp"
#include "formats/fields/one_line.hpp"
#include "formats/fields/quote.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace touchstone::formats::trec {

Result<QrelRecord, std::string> parse_qrel(std::string_view line) {
  using Parsed = Result<QrelRecord, std::string>;
  const auto columns = fields::split_at_white_space(line, 5);
  if (columns.size() != 4) {
    return Parsed::failure("has " + (columns.size() > 4 ? "more than 4" : std::to_string(columns.size())) +
                           (columns.size() == 1 ? " field" : " fields") +
                           " instead of the 4 of \"topic 0 docid grade\"; repair the line " +
                           fields::quote_for_message(line));
  }
  QrelRecord qrel{std::string(columns[0]), std::string(columns[2]), 0};
  if (!fields::parse_integer(columns[3], kMinGrade, kMaxGrade, qrel.grade)) {
    return Parsed::failure("has the grade " + fields::quote_for_message(columns[3]) + ", which is no integer from " +
                           std::to_string(kMinGrade) + " to " + std::to_string(kMaxGrade) + "; correct the grade");
  }
  return qrel;
}

std::string qrel_line(const QrelRecord& qrel) {
  return qrel.topic + " 0 " + qrel.docid + " " + std::to_string(qrel.grade) + "\n";
}

void for_each_qrel(const std::filesystem::path& path,
                   const std::function<void(const QrelRecord&, std::uint64_t)>& qrel) {
  for_each_line(
      path,
      [&](std::string_view line, std::uint64_t number) {
        fields::refuse_byte_order_mark(path, line, number);
        if (fields::is_blank(line) || line.starts_with('#')) return true;
        const auto parsed = parse_qrel(line);
        if (!parsed) throw FormatError(path.string() + ":" + std::to_string(number) + ": " + parsed.error());
        qrel(*parsed, number);
        return true;
      },
      kMaxQrelLineBytes);
}

std::vector<QrelRecord> read_qrels(const std::filesystem::path& path) {
  std::vector<QrelRecord> qrels;
  std::vector<std::uint64_t> lines;
  for_each_qrel(path, [&](const QrelRecord& qrel, std::uint64_t line) {
    qrels.push_back(qrel);
    lines.push_back(line);
  });
  std::vector<std::size_t> order(qrels.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::tie(qrels[a].topic, qrels[a].docid, a) < std::tie(qrels[b].topic, qrels[b].docid, b);
  });
  for (std::size_t i = 1; i < order.size(); ++i) {
    const auto& before = qrels[order[i - 1]];
    const auto& here = qrels[order[i]];
    if (before.topic == here.topic && before.docid == here.docid) {
      throw FormatError(path.string() + ":" + std::to_string(lines[order[i]]) + ": judges docid " +
                        fields::quote_for_message(here.docid) + " of topic " + fields::quote_for_message(here.topic) +
                        " a second time after line " + std::to_string(lines[order[i - 1]]) +
                        "; keep one of the two lines");
    }
  }
  return qrels;
}

std::string_view line_fault_name(LineFault fault) noexcept {
  constexpr std::array<std::string_view, kLineFaults> kNames = {"lines with the wrong number of fields",
                                                                "lines whose score or grade is no number",
                                                                "lines with a docid that the topic has already"};
  return kNames[static_cast<std::size_t>(fault)];
}

void LineFaults::add(LineFault fault, std::size_t offset) noexcept {
  ++count[static_cast<std::size_t>(fault)];
  if (offset < first_offset) first_offset = offset, first_fault = fault;
}

void LineFaults::add(const LineFaults& other) noexcept {
  for (std::size_t i = 0; i < kLineFaults; ++i) count[i] += other.count[i];
  if (other.first_offset < first_offset) first_offset = other.first_offset, first_fault = other.first_fault;
  with_more_fields += other.with_more_fields;
  first_with_more = std::min(first_with_more, other.first_with_more);
}

std::uint64_t LineFaults::total() const noexcept {
  std::uint64_t sum = 0;
  for (const auto n : count) sum += n;
  return sum;
}

}  // namespace touchstone::formats::trec
