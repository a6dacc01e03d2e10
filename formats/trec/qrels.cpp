#include "formats/trec/qrels.hpp"

#include "common/error.hpp"
#include "common/files.hpp"
#include "formats/text/columns.hpp"
#include "formats/text/field_text.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace touchstone::formats {
namespace {

constexpr std::size_t kMaxQrelLineBytes = 1 << 20;

}  // namespace

Result<QrelRecord, std::string> parse_qrel(std::string_view line) {
  using Parsed = Result<QrelRecord, std::string>;
  const auto fields = internal::split_at_blanks(line, 5);
  if (fields.size() != 4) {
    return Parsed::failure("has " + (fields.size() > 4 ? "more than 4" : std::to_string(fields.size())) +
                           (fields.size() == 1 ? " field" : " fields") +
                           " instead of the 4 of \"topic 0 docid grade\"; repair the line " + quote_for_message(line));
  }
  QrelRecord qrel{std::string(fields[0]), std::string(fields[2]), 0};
  if (!internal::parse_integer(fields[3], kMinGrade, kMaxGrade, qrel.grade)) {
    return Parsed::failure("has the grade " + quote_for_message(fields[3]) + ", which is no integer from " +
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
        internal::refuse_byte_order_mark(path, line, number);
        if (is_blank(line) || line.starts_with('#')) return true;
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
                        quote_for_message(here.docid) + " of topic " + quote_for_message(here.topic) +
                        " a second time after line " + std::to_string(lines[order[i - 1]]) +
                        "; keep one of the two lines");
    }
  }
  return qrels;
}

}  // namespace touchstone::formats
