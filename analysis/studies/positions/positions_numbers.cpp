#include "analysis/studies/positions/positions_numbers.hpp"

#include "common/error.hpp"
#include "formats/fields/columns.hpp"
#include "formats/fields/quote.hpp"
#include "formats/trec/qrels.hpp"

#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace touchstone::analysis::studies::positions {
namespace {

constexpr std::uint32_t kHighestPosition = 1'000'000;

}  // namespace

SnippetPlace place_of(const std::string& docid, const std::string& file, std::uint64_t line) {
  SnippetPlace place;
  const auto separator = docid.rfind('_');
  if (separator == std::string::npos || separator == 0 ||
      !formats::fields::parse_integer(std::string_view(docid).substr(separator + 1), std::uint32_t{0}, kHighestPosition,
                                      place.position)) {
    throw FormatError(
        fmt::format("{}:{}: the docid {} does not end with _ and a position from 0; name snippets "
                    "DOCUMENT_0, DOCUMENT_1 and so on",
                    file, line, formats::fields::quote_for_message(docid)));
  }
  place.document = docid.substr(0, separator);
  return place;
}

std::uint64_t PositionCounts::of_grade(int grade) const {
  const auto found = by_grade.find(grade);
  return found == by_grade.end() ? 0 : found->second;
}

PositionNumbers count_positions(const std::filesystem::path& snippets, const std::filesystem::path& documents) {
  std::map<std::pair<std::string, std::string>, int> document_grade;
  for (const auto& qrel : formats::trec::read_qrels(documents)) document_grade[{qrel.topic, qrel.docid}] = qrel.grade;
  PositionNumbers numbers;
  std::set<int> grades;
  std::set<std::pair<std::string, std::string>> seen;
  formats::trec::for_each_qrel(snippets, [&](const formats::trec::QrelRecord& qrel, std::uint64_t line) {
    const auto place = place_of(qrel.docid, snippets.string(), line);
    if (!seen.emplace(qrel.topic, qrel.docid).second) {
      throw FormatError(fmt::format("{}:{}: the snippet {} is judged twice for topic {}; keep one of the lines",
                                    snippets.string(), line, formats::fields::quote_for_message(qrel.docid),
                                    formats::fields::quote_for_message(qrel.topic)));
    }
    ++numbers.snippets;
    grades.insert(qrel.grade);
    const auto document = document_grade.find({qrel.topic, place.document});
    if (document == document_grade.end()) {
      ++numbers.without_document;
      return;
    }
    auto& counts = numbers.by_document_grade[document->second][place.position];
    ++counts.snippets;
    ++counts.by_grade[qrel.grade];
  });
  numbers.snippet_grades.assign(grades.begin(), grades.end());
  return numbers;
}

}  // namespace touchstone::analysis::studies::positions
