#include "analysis/statistics_text.hpp"

#include "analysis/internal/text_table.hpp"
#include "common/error.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

namespace touchstone::analysis {
namespace {

using internal::full_number;
using internal::json_number;
using internal::short_number;
using internal::TextTable;
using Json = nlohmann::ordered_json;

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

}  // namespace

Correlation correlate(const SystemScores& first, const SystemScores& second, double p) {
  std::map<std::string, double> other;
  for (std::size_t i = 0; i < second.systems.size(); ++i) other[second.systems[i]] = second.scores[i];
  std::vector<double> x, y;
  Correlation result;
  for (std::size_t i = 0; i < first.systems.size(); ++i) {
    const auto found = other.find(first.systems[i]);
    if (found == other.end()) continue;
    x.push_back(first.scores[i]);
    y.push_back(found->second);
  }
  result.common = x.size();
  result.only_first = first.systems.size() - x.size();
  result.only_second = second.systems.size() - x.size();
  if (x.size() < 2)
    throw Error("the two rankings have " + std::to_string(x.size()) +
                " systems in common and a correlation needs two; are their systems named alike?");
  result.pairs = count_pairs(x, y);
  result.tau_a = kendall_tau_a(result.pairs);
  result.tau_b = kendall_tau_b(result.pairs);
  result.tau_ap_a = tau_ap_a(x, y);
  result.tau_ap_b = tau_ap_b(x, y);
  result.spearman = spearman_rho(x, y);
  const auto a = ranking_of(first), b = ranking_of(second);
  result.average_overlap = average_overlap(a, b);
  result.p = p;
  result.rbo_a = rank_biased_overlap(a, b, p, RboTies::kA);
  result.rbo_b = rank_biased_overlap(a, b, p, RboTies::kB);
  result.rbo_w = rank_biased_overlap(a, b, p, RboTies::kW);
  return result;
}

std::string correlation_text(const Correlation& correlation, StatisticsFormat format) {
  const auto& c = correlation;
  std::vector<std::pair<std::string, double>> values = {
      {"kendall_tau_a", c.tau_a},         {"kendall_tau_b", c.tau_b},   {"tau_ap_a", c.tau_ap_a},
      {"tau_ap_b", c.tau_ap_b},           {"spearman_rho", c.spearman}, {"average_overlap", c.average_overlap},
      {"error_rate", error_rate(c.pairs)}};
  for (const auto& [suffix, rbo] : {std::pair{"a", &c.rbo_a}, std::pair{"b", &c.rbo_b}, std::pair{"w", &c.rbo_w}}) {
    values.emplace_back(fmt::format("rbo_{}_ext", suffix), rbo->extrapolated);
    values.emplace_back(fmt::format("rbo_{}_min", suffix), rbo->minimum);
    values.emplace_back(fmt::format("rbo_{}_max", suffix), rbo->maximum);
    values.emplace_back(fmt::format("rbo_{}_res", suffix), rbo->residual);
  }
  const std::vector<std::pair<std::string, std::uint64_t>> counts = {
      {"systems", c.common},    {"only_first", c.only_first},       {"only_second", c.only_second},
      {"pairs", c.pairs.pairs}, {"concordant", c.pairs.concordant}, {"discordant", c.pairs.discordant}};
  if (format == StatisticsFormat::kJson) {
    Json json;
    for (const auto& [name, value] : counts) json[name] = value;
    json["p"] = c.p;
    for (const auto& [name, value] : values) json[name] = json_number(value);
    return internal::json_text(json);
  }
  TextTable table;
  for (const auto& [name, value] : counts) table.row({name, std::to_string(value)});
  table.row({"p", full_number(c.p)});
  for (const auto& [name, value] : values)
    table.row({name, format == StatisticsFormat::kTable ? short_number(value) : full_number(value)});
  return format == StatisticsFormat::kTable ? table.aligned() : table.tabbed();
}

std::string agreement_text(const Ratings& ratings, const AgreementOptions& options, StatisticsFormat format) {
  const auto complete = complete_ratings(ratings, options.excluded_topics);
  if (complete.items.empty())
    throw Error("no passage was judged by all " + std::to_string(ratings.assessors.size()) +
                " assessors; compare fewer files at a time");
  // Krippendorff's alpha takes incomplete items too.
  Ratings all = ratings;
  all.items.clear();
  all.grades.clear();
  for (std::size_t i = 0; i < ratings.items.size(); ++i) {
    const auto& excluded = options.excluded_topics;
    if (std::find(excluded.begin(), excluded.end(), ratings.items[i].first) != excluded.end()) continue;
    all.items.push_back(ratings.items[i]);
    for (std::size_t a = 0; a < ratings.assessors.size(); ++a) all.grades.push_back(ratings.at(i, a));
  }
  const auto graded = agreement_rows(complete, all, options);
  const auto binary =
      agreement_rows(binary_view(complete, options.min_grade), binary_view(all, options.min_grade), options);
  if (format == StatisticsFormat::kJson) {
    Json json = {{"assessors", ratings.assessors}, {"items", complete.items.size()}, {"min_grade", options.min_grade}};
    json["grade_counts"] = Json::array();
    for (std::size_t a = 0; a < ratings.assessors.size(); ++a) {
      Json counts = Json::object();
      for (const auto& [grade, count] : assessor_counts(all, a)) counts[std::to_string(grade)] = count;
      json["grade_counts"].push_back({{"assessor", ratings.assessors[a]}, {"counts", counts}});
    }
    for (const auto& [view, rows] : {std::pair{"all_grades", &graded}, std::pair{"two_grades", &binary}}) {
      for (const auto& row : *rows) {
        json[view].push_back({{"coefficient", row.name},
                              {"value", json_number(row.value)},
                              {"low", json_number(row.interval.low)},
                              {"high", json_number(row.interval.high)}});
      }
    }
    json["transitions"] = Json::array();
    for (std::size_t a = 0; a < ratings.assessors.size(); ++a)
      for (std::size_t b = a + 1; b < ratings.assessors.size(); ++b)
        json["transitions"].push_back(transitions_json(all, a, b));
    return internal::json_text(json);
  }
  TextTable table;
  table.row({"coefficient", "all grades", "low", "high", "two grades", "low", "high"});
  const auto number = format == StatisticsFormat::kTable ? short_number : full_number;
  for (std::size_t i = 0; i < graded.size(); ++i)
    table.row({graded[i].name, number(graded[i].value), number(graded[i].interval.low), number(graded[i].interval.high),
               number(binary[i].value), number(binary[i].interval.low), number(binary[i].interval.high)});
  if (format == StatisticsFormat::kTsv) return table.tabbed();
  std::string out = counts_table(all);
  out += fmt::format("\n{} items judged by all; two grades: {} and more against less; 95 % intervals by bootstrap\n",
                     complete.items.size(), options.min_grade);
  out += table.aligned();
  for (std::size_t a = 0; a < ratings.assessors.size(); ++a)
    for (std::size_t b = a + 1; b < ratings.assessors.size(); ++b) out += transitions_table(all, a, b);
  return out;
}

std::string qrels_text(std::span<const formats::QrelRecord> qrels, StatisticsFormat format) {
  const auto counts = grade_counts(qrels);
  std::set<std::string_view> topics;
  for (const auto& qrel : qrels) topics.insert(qrel.topic);
  if (format == StatisticsFormat::kJson) {
    Json json = {{"topics", topics.size()}, {"judgments", qrels.size()}, {"grades", Json::array()}};
    for (const auto& [grade, count] : counts) json["grades"].push_back({{"grade", grade}, {"judgments", count}});
    return internal::json_text(json);
  }
  const auto number = format == StatisticsFormat::kTable ? short_number : full_number;
  TextTable table;
  table.row({"grade", "judgments", "share"});
  for (const auto& [grade, count] : counts)
    table.row({std::to_string(grade), std::to_string(count),
               number(static_cast<double>(count) / static_cast<double>(qrels.size()))});
  if (format == StatisticsFormat::kTsv) return table.tabbed();
  return fmt::format("{} judgments of {} topics\n\n{}", qrels.size(), topics.size(), table.aligned(0));
}

std::string reliability_text(const ScoreMatrix& scores, double drop, std::span<const double> topics,
                             std::span<const double> targets, double level, StatisticsFormat format) {
  const auto study = g_study(scores, drop);
  std::vector<double> sizes = {static_cast<double>(study.topics)};
  sizes.insert(sizes.end(), topics.begin(), topics.end());
  const double total = study.variance_systems + study.variance_topics + study.variance_interaction;
  const double alpha = study.anova.mean_square_systems == 0
                           ? std::numeric_limits<double>::quiet_NaN()
                           : 1 - study.anova.mean_square_residual / study.anova.mean_square_systems;
  const auto json_estimate = [](const Estimate& e) {
    return Json{{"expected", json_number(e.expected)}, {"low", json_number(e.low)}, {"high", json_number(e.high)}};
  };
  if (format == StatisticsFormat::kJson) {
    Json json = {{"systems", study.systems},
                 {"topics", study.topics},
                 {"cronbach_alpha", json_number(alpha)},
                 {"variance_systems", study.variance_systems},
                 {"variance_topics", study.variance_topics},
                 {"variance_interaction", study.variance_interaction},
                 {"level", level}};
    for (const double size : sizes) {
      const auto d = d_study(study, size, level);
      json["d_study"].push_back(
          {{"topics", size}, {"e_rho_squared", json_estimate(d.e_rho_squared)}, {"phi", json_estimate(d.phi)}});
    }
    for (const double target : targets) {
      const auto needed = topics_needed(study, target, level);
      json["topics_needed"].push_back({{"target", target},
                                       {"e_rho_squared", json_estimate(needed.e_rho_squared)},
                                       {"phi", json_estimate(needed.phi)}});
    }
    return internal::json_text(json);
  }
  const auto number = format == StatisticsFormat::kTable ? short_number : full_number;
  TextTable table;
  table.row({"", "E rho^2", "low", "high", "Phi", "low", "high"});
  for (const double size : sizes) {
    const auto d = d_study(study, size, level);
    table.row({fmt::format("with {} topics", size), number(d.e_rho_squared.expected), number(d.e_rho_squared.low),
               number(d.e_rho_squared.high), number(d.phi.expected), number(d.phi.low), number(d.phi.high)});
  }
  const auto count = [](double value) { return std::isfinite(value) ? fmt::format("{}", value) : std::string("-"); };
  for (const double target : targets) {
    const auto needed = topics_needed(study, target, level);
    table.row({fmt::format("topics for {}", target), count(needed.e_rho_squared.expected),
               count(needed.e_rho_squared.low), count(needed.e_rho_squared.high), count(needed.phi.expected),
               count(needed.phi.low), count(needed.phi.high)});
  }
  if (format == StatisticsFormat::kTsv) return table.tabbed();
  TextTable variance;
  variance.row({"variance", "component", "share"});
  const auto component = [&](const char* name, double value) {
    variance.row({name, fmt::format("{:.7f}", value), fmt::format("{:.1f} %", total > 0 ? 100 * value / total : 0)});
  };
  component("systems", study.variance_systems);
  component("topics", study.variance_topics);
  component("interaction and error", study.variance_interaction);
  return fmt::format("{} systems, {} topics; Cronbach alpha {}\n\n{}\n{} % intervals\n{}", study.systems, study.topics,
                     short_number(alpha), variance.aligned(), 100 * level, table.aligned());
}

}  // namespace touchstone::analysis
