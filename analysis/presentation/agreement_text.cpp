#include "analysis/presentation/number_text.hpp"
#include "analysis/presentation/source_text.hpp"
#include "analysis/presentation/statistics_text.hpp"
#include "analysis/presentation/text_table.hpp"
#include "common/number_text.hpp"

#include <cstdint>
#include <map>
#include <vector>

#include <fmt/format.h>

namespace touchstone::analysis::presentation {

using namespace internal;  // tables and numbers as text

namespace {

using agreement::AssessorAgreement;
using agreement::Ratings;

/// Calls `visit(first, second)` for each pair of assessors.
template <class Visit>
void for_each_pair(const Ratings& ratings, const Visit& visit) {
  for (std::size_t a = 0; a < ratings.assessors.size(); ++a)
    for (std::size_t b = a + 1; b < ratings.assessors.size(); ++b) visit(a, b);
}

std::string transitions_table(const Ratings& ratings, std::size_t first, std::size_t second) {
  const auto transitions = grade_transitions(ratings, first, second);
  TextTable table;
  std::vector<std::string> cells = {"grade"};
  for (const int grade : transitions.grades) cells.push_back(fmt::to_string(grade));
  table.row(cells);
  for (std::size_t r = 0; r < transitions.grades.size(); ++r) {
    cells = {fmt::to_string(transitions.grades[r])};
    for (std::size_t c = 0; c < transitions.grades.size(); ++c) cells.push_back(fmt::to_string(transitions.at(r, c)));
    table.row(cells);
  }
  return fmt::format("\nGrades of {} (rows) and {} (columns)\n{}", ratings.assessors[first], ratings.assessors[second],
                     table.aligned(0));
}

void write_transitions(JsonWriter& json, const Ratings& ratings, std::size_t first, std::size_t second) {
  const auto transitions = grade_transitions(ratings, first, second);
  json.begin_object().field("first", ratings.assessors[first]).field("second", ratings.assessors[second]);
  json.field("grades", transitions.grades).key("counts").begin_array();
  for (std::size_t r = 0; r < transitions.grades.size(); ++r) {
    json.begin_array();
    for (std::size_t c = 0; c < transitions.grades.size(); ++c) json.value(transitions.at(r, c));
    json.end_array();
  }
  json.end_array().end_object();
}

std::string counts_table(const Ratings& ratings) {
  std::map<int, std::uint64_t> all;
  for (std::size_t a = 0; a < ratings.assessors.size(); ++a)
    for (const auto& [grade, count] : grade_counts_of(ratings, a)) all[grade] += count;
  TextTable table;
  std::vector<std::string> cells = {"assessor", "judgments"};
  for (const auto& [grade, count] : all) cells.push_back(fmt::format("grade {}", grade));
  table.row(cells);
  const auto add = [&](const std::string& name, const std::map<int, std::uint64_t>& counts) {
    std::uint64_t total = 0;
    for (const auto& [grade, count] : counts) total += count;
    cells = {name, fmt::to_string(total)};
    for (const auto& [grade, ignored] : all) {
      const auto found = counts.find(grade);
      const std::uint64_t count = found == counts.end() ? 0 : found->second;
      cells.push_back(
          fmt::format("{} ({})", count, fixed_digits(static_cast<double>(count) / static_cast<double>(total), 3)));
    }
    table.row(cells);
  };
  for (std::size_t a = 0; a < ratings.assessors.size(); ++a) add(ratings.assessors[a], grade_counts_of(ratings, a));
  add("all", all);
  return table.aligned();
}

void write_coefficients(JsonWriter& json, const char* name,
                        const std::vector<agreement::AgreementCoefficient>& coefficients) {
  json.key(name).begin_array();
  for (const auto& coefficient : coefficients) {
    json.begin_object().field("coefficient", coefficient.name).field("value", coefficient.value);
    json.field("low", coefficient.interval.low).field("high", coefficient.interval.high).end_object();
  }
  json.end_array();
}

/// Topics of the items. \pre items are sorted
std::size_t topic_count(const Ratings& ratings) {
  std::size_t topics = 0;
  for (std::size_t i = 0; i < ratings.items.size(); ++i)
    topics += i == 0 || ratings.items[i].first != ratings.items[i - 1].first;
  return topics;
}

std::string agreement_json(const AssessorAgreement& agreement) {
  const auto& ratings = agreement.ratings;
  auto json = json_document();
  const auto& options = agreement.options;
  json.begin_object();
  write_version(json);
  json.field("assessors", ratings.assessors).field("topics", topic_count(ratings));
  json.field("items", agreement.complete_items);
  json.field("min_grade", options.min_grade).field("resamples", options.resamples).field("seed", options.seed);
  json.field("level", agreement::kIntervalLevel);
  json.field("excluded_topics", options.excluded_topics).key("grade_counts").begin_array();
  for (std::size_t a = 0; a < ratings.assessors.size(); ++a) {
    json.begin_object().field("assessor", ratings.assessors[a]).key("counts").begin_object();
    for (const auto& [grade, count] : grade_counts_of(ratings, a)) json.field(fmt::to_string(grade), count);
    json.end_object().end_object();
  }
  json.end_array();
  write_coefficients(json, "all_grades", agreement.all_grades);
  write_coefficients(json, "two_grades", agreement.two_grades);
  json.key("transitions").begin_array();
  for_each_pair(ratings, [&](std::size_t a, std::size_t b) { write_transitions(json, ratings, a, b); });
  return json.end_array().end_object().take_line();
}

/// The assessors' files, and the options that the coefficients and intervals depend on.
Facts agreement_facts(const AssessorAgreement& agreement) {
  const auto& options = agreement.options;
  Facts facts;
  for (const auto& assessor : agreement.ratings.assessors) facts.emplace_back("assessor", assessor);
  facts.emplace_back("topics", fmt::to_string(topic_count(agreement.ratings)));
  facts.emplace_back("items judged by all", fmt::to_string(agreement.complete_items));
  facts.emplace_back("lowest grade of the upper of two", fmt::to_string(options.min_grade));
  if (!options.excluded_topics.empty())
    facts.emplace_back("excluded topics", fmt::format("{}", fmt::join(options.excluded_topics, " ")));
  facts.emplace_back("level of the intervals", full_number(agreement::kIntervalLevel));
  facts.emplace_back("resamples", fmt::to_string(options.resamples));
  facts.emplace_back("seed", fmt::to_string(options.seed));
  return facts;
}

TextTable coefficients_table(const AssessorAgreement& agreement, StatisticsFormat format) {
  const auto number = number_text(format);
  TextTable table;
  table.row({"coefficient", "all grades", "low", "high", "two grades", "low", "high"});
  for (std::size_t i = 0; i < agreement.all_grades.size(); ++i) {
    const auto &graded = agreement.all_grades[i], &binary = agreement.two_grades[i];
    table.row({std::string(graded.name), number(graded.value), number(graded.interval.low),
               number(graded.interval.high), number(binary.value), number(binary.interval.low),
               number(binary.interval.high)});
  }
  return table;
}

}  // namespace

std::string agreement_text(const AssessorAgreement& agreement, StatisticsFormat format) {
  if (format == StatisticsFormat::kJson) return agreement_json(agreement);
  const auto coefficients = coefficients_table(agreement, format);
  const auto facts = agreement_facts(agreement);
  if (format == StatisticsFormat::kTsv) return tsv_head(facts) + coefficients.tab_separated();
  const auto& ratings = agreement.ratings;
  std::string out = counts_table(ratings);
  out += fmt::format("\n{} items judged by all; two grades: {} and more against less; 95 % intervals by bootstrap\n",
                     agreement.complete_items, agreement.options.min_grade);
  out += coefficients.aligned();
  for_each_pair(ratings, [&](std::size_t a, std::size_t b) { out += transitions_table(ratings, a, b); });
  return out + "\n" + table_foot(facts);
}

}  // namespace touchstone::analysis::presentation
