#include "analysis/presentation/statistics_text.hpp"
#include "analysis/presentation/text_table.hpp"
#include "common/error.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

namespace touchstone::analysis {

using namespace internal;  // tables and numbers as text

namespace {

struct AgreementRow {
  std::string name;
  double value;
  Interval interval;
};

std::vector<AgreementRow> agreement_rows(const Ratings& complete, const Ratings& all, const AgreementOptions& options) {
  using Statistic = std::function<double(const Ratings&, ItemSet)>;
  const auto macro = [](AgreementStatistic statistic) -> Statistic {
    return [=](const Ratings& ratings, ItemSet items) { return macro_mean(ratings, items, statistic); };
  };
  const std::vector<std::tuple<std::string, Statistic, const Ratings*>> statistics = {
      {"overlap", overlap, &complete},
      {"overlap, mean over topics", macro(overlap), &complete},
      {"Cohen kappa", cohen_kappa, &complete},
      {"Cohen kappa, mean over topics", macro(cohen_kappa), &complete},
      {"Fleiss kappa", fleiss_kappa, &complete},
      {"Fleiss kappa, mean over topics", macro(fleiss_kappa), &complete},
      {"Krippendorff alpha, nominal", krippendorff_nominal, &all},
      {"Krippendorff alpha, ordinal", krippendorff_ordinal, &all},
      {"Krippendorff alpha, interval", krippendorff_interval, &all}};
  std::vector<AgreementRow> rows;
  for (const auto& [name, statistic, ratings] : statistics) {
    const auto items = all_items(*ratings);
    rows.push_back(
        {name, statistic(*ratings, items), bootstrap_interval(*ratings, statistic, options.resamples, options.seed)});
  }
  return rows;
}

std::string transitions_table(const Ratings& ratings, std::size_t first, std::size_t second) {
  const auto transitions = grade_transitions(ratings, first, second);
  TextTable table;
  std::vector<std::string> cells = {"grade"};
  for (const int grade : transitions.grades) cells.push_back(std::to_string(grade));
  table.row(cells);
  for (std::size_t r = 0; r < transitions.grades.size(); ++r) {
    cells = {std::to_string(transitions.grades[r])};
    for (std::size_t c = 0; c < transitions.grades.size(); ++c) cells.push_back(std::to_string(transitions.at(r, c)));
    table.row(cells);
  }
  return "\nGrades of " + ratings.assessors[first] + " (rows) and " + ratings.assessors[second] + " (columns)\n" +
         table.aligned(0);
}

Json transitions_json(const Ratings& ratings, std::size_t first, std::size_t second) {
  const auto transitions = grade_transitions(ratings, first, second);
  Json rows = Json::array();
  for (std::size_t r = 0; r < transitions.grades.size(); ++r) {
    rows.push_back(Json::array());
    for (std::size_t c = 0; c < transitions.grades.size(); ++c) rows.back().push_back(transitions.at(r, c));
  }
  return {{"first", ratings.assessors[first]},
          {"second", ratings.assessors[second]},
          {"grades", transitions.grades},
          {"counts", rows}};
}

std::map<int, std::uint64_t> assessor_counts(const Ratings& ratings, std::size_t assessor) {
  std::map<int, std::uint64_t> counts;
  for (std::size_t i = 0; i < ratings.items.size(); ++i)
    if (ratings.at(i, assessor) != Ratings::kMissing) ++counts[ratings.at(i, assessor)];
  return counts;
}

std::string counts_table(const Ratings& ratings) {
  std::map<int, std::uint64_t> all;
  for (std::size_t a = 0; a < ratings.assessors.size(); ++a)
    for (const auto& [grade, count] : assessor_counts(ratings, a)) all[grade] += count;
  TextTable table;
  std::vector<std::string> cells = {"assessor", "judgments"};
  for (const auto& [grade, count] : all) cells.push_back("grade " + std::to_string(grade));
  table.row(cells);
  const auto add = [&](const std::string& name, const std::map<int, std::uint64_t>& counts) {
    std::uint64_t total = 0;
    for (const auto& [grade, count] : counts) total += count;
    cells = {name, std::to_string(total)};
    for (const auto& [grade, ignored] : all) {
      const auto found = counts.find(grade);
      const std::uint64_t count = found == counts.end() ? 0 : found->second;
      cells.push_back(fmt::format("{} ({:.3f})", count, static_cast<double>(count) / static_cast<double>(total)));
    }
    table.row(cells);
  };
  for (std::size_t a = 0; a < ratings.assessors.size(); ++a) add(ratings.assessors[a], assessor_counts(ratings, a));
  add("all", all);
  return table.aligned();
}

/// All items but those of the topics left out; not each assessor judged each.
Ratings without_topics(const Ratings& ratings, std::span<const std::string> excluded) {
  Ratings kept;
  kept.assessors = ratings.assessors;
  for (std::size_t i = 0; i < ratings.items.size(); ++i) {
    if (std::find(excluded.begin(), excluded.end(), ratings.items[i].first) != excluded.end()) continue;
    kept.items.push_back(ratings.items[i]);
    for (std::size_t a = 0; a < ratings.assessors.size(); ++a) kept.grades.push_back(ratings.at(i, a));
  }
  return kept;
}

/// What agreement_text() tells.
struct Agreement {
  Ratings all;
  std::size_t complete_items;
  int min_grade;
  std::vector<AgreementRow> graded, binary;
};

std::string agreement_json(const Agreement& agreement) {
  const auto& all = agreement.all;
  Json json = {{"assessors", all.assessors}, {"items", agreement.complete_items}, {"min_grade", agreement.min_grade}};
  json["grade_counts"] = Json::array();
  for (std::size_t a = 0; a < all.assessors.size(); ++a) {
    Json counts = Json::object();
    for (const auto& [grade, count] : assessor_counts(all, a)) counts[std::to_string(grade)] = count;
    json["grade_counts"].push_back({{"assessor", all.assessors[a]}, {"counts", counts}});
  }
  for (const auto& [view, rows] : {std::pair{"all_grades", &agreement.graded}, {"two_grades", &agreement.binary}}) {
    for (const auto& row : *rows) {
      json[view].push_back({{"coefficient", row.name},
                            {"value", json_number(row.value)},
                            {"low", json_number(row.interval.low)},
                            {"high", json_number(row.interval.high)}});
    }
  }
  json["transitions"] = Json::array();
  for (std::size_t a = 0; a < all.assessors.size(); ++a)
    for (std::size_t b = a + 1; b < all.assessors.size(); ++b)
      json["transitions"].push_back(transitions_json(all, a, b));
  return json_text(json);
}

TextTable coefficients_table(const Agreement& agreement, StatisticsFormat format) {
  const auto number = number_text(format);
  TextTable table;
  table.row({"coefficient", "all grades", "low", "high", "two grades", "low", "high"});
  for (std::size_t i = 0; i < agreement.graded.size(); ++i) {
    const auto &graded = agreement.graded[i], &binary = agreement.binary[i];
    table.row({graded.name, number(graded.value), number(graded.interval.low), number(graded.interval.high),
               number(binary.value), number(binary.interval.low), number(binary.interval.high)});
  }
  return table;
}

}  // namespace

std::string agreement_text(const Ratings& ratings, const AgreementOptions& options, StatisticsFormat format) {
  const auto complete = complete_ratings(ratings, options.excluded_topics);
  if (complete.items.empty())
    throw Error("no passage was judged by all " + std::to_string(ratings.assessors.size()) +
                " assessors; compare fewer files at a time");
  Agreement agreement{
      without_topics(ratings, options.excluded_topics), complete.items.size(), options.min_grade, {}, {}};
  const auto& all = agreement.all;  // Krippendorff's alpha takes incomplete items too
  agreement.graded = agreement_rows(complete, all, options);
  agreement.binary =
      agreement_rows(binary_view(complete, options.min_grade), binary_view(all, options.min_grade), options);
  if (format == StatisticsFormat::kJson) return agreement_json(agreement);
  const auto coefficients = coefficients_table(agreement, format);
  if (format == StatisticsFormat::kTsv) return coefficients.tabbed();
  std::string out = counts_table(all);
  out += fmt::format("\n{} items judged by all; two grades: {} and more against less; 95 % intervals by bootstrap\n",
                     agreement.complete_items, options.min_grade);
  out += coefficients.aligned();
  for (std::size_t a = 0; a < all.assessors.size(); ++a)
    for (std::size_t b = a + 1; b < all.assessors.size(); ++b) out += transitions_table(all, a, b);
  return out;
}

std::string qrels_text(std::span<const formats::trec::QrelRecord> qrels, StatisticsFormat format) {
  const auto counts = grade_counts(qrels);
  std::set<std::string_view> topics;
  for (const auto& qrel : qrels) topics.insert(qrel.topic);
  if (format == StatisticsFormat::kJson) {
    Json json = {{"topics", topics.size()}, {"judgments", qrels.size()}, {"grades", Json::array()}};
    for (const auto& [grade, count] : counts) json["grades"].push_back({{"grade", grade}, {"judgments", count}});
    return json_text(json);
  }
  const auto number = number_text(format);
  TextTable table;
  table.row({"grade", "judgments", "share"});
  for (const auto& [grade, count] : counts)
    table.row({std::to_string(grade), std::to_string(count),
               number(static_cast<double>(count) / static_cast<double>(qrels.size()))});
  if (format == StatisticsFormat::kTsv) return table.tabbed();
  return fmt::format("{} judgments of {} topics\n\n{}", qrels.size(), topics.size(), table.aligned(0));
}

}  // namespace touchstone::analysis
