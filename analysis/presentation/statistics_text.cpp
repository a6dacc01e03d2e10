#include "analysis/presentation/statistics_text.hpp"

#include "analysis/presentation/text_table.hpp"
#include "common/error.hpp"

#include <limits>
#include <map>

namespace touchstone::analysis {

using namespace internal;  // tables and numbers as text

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
    return json_text(json);
  }
  TextTable table;
  for (const auto& [name, value] : counts) table.row({name, std::to_string(value)});
  table.row({"p", full_number(c.p)});
  for (const auto& [name, value] : values) table.row({name, number_text(format)(value)});
  return format == StatisticsFormat::kTable ? table.aligned() : table.tabbed();
}

namespace {

/// What reliability_text() tells.
struct Reliability {
  GStudy study;
  double cronbach_alpha;
  double level;
  std::vector<DStudy> with_topics;
  std::vector<TopicsNeeded> for_targets;
};

Json json_of(const Estimate& estimate) {
  return {{"expected", json_number(estimate.expected)},
          {"low", json_number(estimate.low)},
          {"high", json_number(estimate.high)}};
}

std::string reliability_json(const Reliability& reliability) {
  const auto& study = reliability.study;
  Json json = {{"systems", study.systems},
               {"topics", study.topics},
               {"cronbach_alpha", json_number(reliability.cronbach_alpha)},
               {"variance_systems", study.variance_systems},
               {"variance_topics", study.variance_topics},
               {"variance_interaction", study.variance_interaction},
               {"level", reliability.level}};
  for (const auto& d : reliability.with_topics)
    json["d_study"].push_back(
        {{"topics", d.topics}, {"e_rho_squared", json_of(d.e_rho_squared)}, {"phi", json_of(d.phi)}});
  for (const auto& needed : reliability.for_targets)
    json["topics_needed"].push_back(
        {{"target", needed.target}, {"e_rho_squared", json_of(needed.e_rho_squared)}, {"phi", json_of(needed.phi)}});
  return json_text(json);
}

TextTable coefficients_table(const Reliability& reliability, StatisticsFormat format) {
  TextTable table;
  const auto row = [&](std::string name, const Estimate& e, const Estimate& phi, const auto& text) {
    table.row({std::move(name), text(e.expected), text(e.low), text(e.high), text(phi.expected), text(phi.low),
               text(phi.high)});
  };
  const auto count = [](double value) { return std::isfinite(value) ? fmt::format("{}", value) : std::string("-"); };
  table.row({"", "E rho^2", "low", "high", "Phi", "low", "high"});
  for (const auto& d : reliability.with_topics)
    row(fmt::format("with {} topics", d.topics), d.e_rho_squared, d.phi, number_text(format));
  for (const auto& needed : reliability.for_targets)
    row(fmt::format("topics for {}", needed.target), needed.e_rho_squared, needed.phi, count);
  return table;
}

TextTable variance_table(const GStudy& study) {
  const double total = study.variance_systems + study.variance_topics + study.variance_interaction;
  TextTable table;
  table.row({"variance", "component", "share"});
  const auto component = [&](const char* name, double value) {
    table.row({name, fmt::format("{:.7f}", value), fmt::format("{:.1f} %", total > 0 ? 100 * value / total : 0)});
  };
  component("systems", study.variance_systems);
  component("topics", study.variance_topics);
  component("interaction and error", study.variance_interaction);
  return table;
}

}  // namespace

std::string reliability_text(const ScoreMatrix& scores, double drop, std::span<const double> topics,
                             std::span<const double> targets, double level, StatisticsFormat format) {
  Reliability reliability{g_study(scores, drop), 0, level, {}, {}};
  const auto& study = reliability.study;
  reliability.cronbach_alpha = cronbach_alpha(study.anova);
  reliability.with_topics.push_back(d_study(study, static_cast<double>(study.topics), level));
  for (const double count : topics) reliability.with_topics.push_back(d_study(study, count, level));
  for (const double target : targets) reliability.for_targets.push_back(topics_needed(study, target, level));
  if (format == StatisticsFormat::kJson) return reliability_json(reliability);
  const auto coefficients = coefficients_table(reliability, format);
  if (format == StatisticsFormat::kTsv) return coefficients.tabbed();
  return fmt::format("{} systems, {} topics; Cronbach alpha {}\n\n{}\n{} % intervals\n{}", study.systems, study.topics,
                     short_number(reliability.cronbach_alpha), variance_table(study).aligned(), 100 * level,
                     coefficients.aligned());
}

}  // namespace touchstone::analysis
