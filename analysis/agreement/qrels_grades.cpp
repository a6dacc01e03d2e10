#include "analysis/agreement/qrels_grades.hpp"

#include "common/error.hpp"
#include "formats/fields/quote.hpp"

#include <algorithm>
#include <map>
#include <string>

#include <fmt/format.h>

namespace touchstone::analysis::agreement {
namespace {

using formats::fields::quote_for_message;

int rolled_up(int so_far, int grade, RollUp how) {
  const bool one_is_unjudged = std::min(so_far, grade) < 0;
  return how == RollUp::kMax || one_is_unjudged ? std::max(so_far, grade) : so_far + grade;
}

}  // namespace

std::vector<std::pair<int, std::uint64_t>> grade_counts(std::span<const formats::trec::QrelRecord> qrels) {
  std::map<int, std::uint64_t> counts;
  for (const auto& qrel : qrels) ++counts[qrel.grade];
  return {counts.begin(), counts.end()};
}

std::vector<formats::trec::QrelRecord> roll_up_grades(std::span<const formats::trec::QrelRecord> qrels, RollUp how,
                                                      char separator) {
  std::map<std::pair<std::string, std::string>, int> documents;
  for (const auto& qrel : qrels) {
    const auto end = qrel.docid.rfind(separator);
    if (end == std::string::npos || end == 0)
      throw FormatError(
          fmt::format("docid {} of topic {} has no \"{}\" that ends its document's id; name the separator that it has",
                      quote_for_message(qrel.docid), quote_for_message(qrel.topic), separator));
    const auto [found, added] = documents.try_emplace({qrel.topic, qrel.docid.substr(0, end)}, qrel.grade);
    if (added) continue;
    int& grade = found->second;
    grade = rolled_up(grade, qrel.grade, how);
    if (grade > formats::trec::kMaxGrade)
      throw FormatError(fmt::format(
          "the passages of document {} of topic {} sum to more than the highest grade of qrels, {}; take their max",
          quote_for_message(found->first.second), quote_for_message(qrel.topic), formats::trec::kMaxGrade));
  }
  std::vector<formats::trec::QrelRecord> result;
  for (const auto& [key, grade] : documents) result.push_back({key.first, key.second, grade});
  return result;
}

}  // namespace touchstone::analysis::agreement
