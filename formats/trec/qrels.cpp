#include "formats/trec/qrels.hpp"

#include "common/error.hpp"
#include "common/files.hpp"
#include "formats/fields/byte_order_mark.hpp"
#include "formats/fields/columns.hpp"
#include "formats/fields/one_line.hpp"
#include "formats/fields/quote.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace touchstone::formats::trec {
namespace {}  // namespace

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

}  // namespace touchstone::formats::trec
