#include "analysis/presentation/statistics_text.hpp"

#include "analysis/agreement/qrels_grades.hpp"
#include "analysis/presentation/text_parts.hpp"
#include "common/number_text.hpp"

#include <cmath>
#include <cstdint>
#include <map>
#include <set>
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

using agreement::Estimate;
using agreement::GStudy;
using agreement::Reliability;

void write_estimate(JsonWriter& json, const char* name, const Estimate& estimate) {
  json.key(name).begin_object();
  json.field("expected", estimate.expected).field("low", estimate.low).field("high", estimate.high).end_object();
}

std::string reliability_json(const statistics::ScoreMatrix& scores, const Reliability& reliability) {
  const auto& study = reliability.study;
  auto json = json_document();
  json.begin_object();
  write_source(json, scores);
  json.field("systems", study.systems).field("topics", study.topics);
  json.field("drop", reliability.drop).field("systems_left_out", scores.systems.size() - study.systems);
  json.field("cronbach_alpha", reliability.cronbach_alpha);
  json.field("variance_systems", study.variance_systems);
  json.field("variance_topics", study.variance_topics);
  json.field("variance_interaction", study.variance_interaction);
  json.field("level", reliability.level);
  json.key("d_study").begin_array();
  for (const auto& d : reliability.d_studies) {
    json.begin_object().field("topics", d.topics);
    write_estimate(json, "e_rho_squared", d.e_rho_squared);
    write_estimate(json, "phi", d.phi);
    json.end_object();
  }
  json.end_array().key("topics_needed").begin_array();
  for (const auto& needed : reliability.topics_needed) {
    json.begin_object().field("target", needed.target);
    write_estimate(json, "e_rho_squared", needed.e_rho_squared);
    write_estimate(json, "phi", needed.phi);
    json.end_object();
  }
  return json.end_array().end_object().take_line();
}

/// A number of topics; infinity, which no number reaches, is "-".
std::string topics_text(double topics) {
  return std::isfinite(topics) ? fmt::format("{}", topics) : "-";
}

TextTable coefficients_table(const Reliability& reliability, StatisticsFormat format) {
  TextTable table;
  const auto row = [&](std::string name, const Estimate& e, const Estimate& phi, NumberText text) {
    table.row({std::move(name), text(e.expected), text(e.low), text(e.high), text(phi.expected), text(phi.low),
               text(phi.high)});
  };
  table.row({"", "E rho^2", "low", "high", "Phi", "low", "high"});
  for (const auto& d : reliability.d_studies)
    row(fmt::format("with {} topics", d.topics), d.e_rho_squared, d.phi, number_text(format));
  for (const auto& needed : reliability.topics_needed)
    row(fmt::format("topics for {}", needed.target), needed.e_rho_squared, needed.phi, topics_text);
  return table;
}

TextTable variance_table(const GStudy& study) {
  const double total = study.variance_systems + study.variance_topics + study.variance_interaction;
  TextTable table;
  table.row({"variance", "component", "share"});
  const auto component = [&](const char* name, double value) {
    table.row({name, fixed_digits(value, 7), percent(total > 0 ? value / total : 0)});
  };
  component("systems", study.variance_systems);
  component("topics", study.variance_topics);
  component("interaction and error", study.variance_interaction);
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

std::string qrels_text(std::span<const formats::trec::QrelRecord> qrels, const std::string& file,
                       StatisticsFormat format) {
  const auto counts = agreement::grade_counts(qrels);
  std::set<std::string_view> topics;
  for (const auto& qrel : qrels) topics.insert(qrel.topic);
  if (format == StatisticsFormat::kJson) {
    auto json = json_document();
    json.begin_object();
    write_version(json);
    json.field("qrels", file)
        .field("topics", topics.size())
        .field("judgments", qrels.size())
        .key("grades")
        .begin_array();
    for (const auto& [grade, count] : counts)
      json.begin_object().field("grade", grade).field("judgments", count).end_object();
    return json.end_array().end_object().take_line();
  }
  const auto number = number_text(format);
  TextTable table;
  table.row({"grade", "judgments", "share"});
  for (const auto& [grade, count] : counts)
    table.row({fmt::to_string(grade), fmt::to_string(count),
               number(static_cast<double>(count) / static_cast<double>(qrels.size()))});
  if (format == StatisticsFormat::kTsv) {
    return tsv_head({{"qrels", file},
                     {"topics", fmt::to_string(topics.size())},
                     {"judgments", fmt::to_string(qrels.size())}}) +
           table.tab_separated();
  }
  return fmt::format("{} judgments of {} topics\n\n{}\n{}", qrels.size(), topics.size(), table.aligned(0),
                     table_foot({{"qrels", file}}));
}

std::string correlation_text(const agreement::Correlation& correlation, StatisticsFormat format) {
  const auto& c = correlation;
  std::vector<std::pair<std::string, double>> values = {
      {"kendall_tau_a", c.tau_a},         {"kendall_tau_b", c.tau_b},   {"tau_ap_a", c.tau_ap_a},
      {"tau_ap_b", c.tau_ap_b},           {"spearman_rho", c.spearman}, {"average_overlap", c.average_overlap},
      {"error_rate", error_rate(c.pairs)}};
  for (const auto& [ties, rbo] : {std::pair{"a", &c.rbo_a}, std::pair{"b", &c.rbo_b}, std::pair{"w", &c.rbo_w}}) {
    values.emplace_back(fmt::format("rbo_{}_ext", ties), rbo->extrapolated);
    values.emplace_back(fmt::format("rbo_{}_min", ties), rbo->minimum);
    values.emplace_back(fmt::format("rbo_{}_max", ties), rbo->maximum);
    values.emplace_back(fmt::format("rbo_{}_res", ties), rbo->residual);
  }
  const std::vector<std::pair<std::string, std::uint64_t>> counts = {
      {"systems", c.common},    {"only_first", c.only_first},       {"only_second", c.only_second},
      {"pairs", c.pairs.pairs}, {"concordant", c.pairs.concordant}, {"discordant", c.pairs.discordant}};
  if (format == StatisticsFormat::kJson) {
    auto json = json_document();
    json.begin_object();
    write_version(json);
    json.field("first", c.first_file).field("second", c.second_file);
    if (!c.first_column.empty()) json.field("first_column", c.first_column);
    if (!c.second_column.empty()) json.field("second_column", c.second_column);
    if (!c.first_measure.empty()) json.field("first_measure", c.first_measure);
    if (!c.second_measure.empty()) json.field("second_measure", c.second_measure);
    for (const auto& [name, value] : counts) json.field(name, value);
    json.field("p", c.p);
    for (const auto& [name, value] : values) json.field(name, value);
    return json.end_object().take_line();
  }
  TextTable table;
  for (const auto& [name, value] : counts) table.row({name, fmt::to_string(value)});
  table.row({"p", full_number(c.p)});
  for (const auto& [name, value] : values) table.row({name, number_text(format)(value)});
  const auto named = [](const std::string& file, const std::string& column, const std::string& measure) {
    return file + (column.empty() ? "" : ", column " + column) + (measure.empty() ? "" : ", measure " + measure);
  };
  const Facts facts = {{"first", named(c.first_file, c.first_column, c.first_measure)},
                       {"second", named(c.second_file, c.second_column, c.second_measure)}};
  return format == StatisticsFormat::kTable ? table.aligned() + "\n" + table_foot(facts)
                                            : tsv_head(facts) + table.tab_separated();
}

std::string reliability_text(const statistics::ScoreMatrix& scores, const Reliability& reliability,
                             StatisticsFormat format) {
  if (format == StatisticsFormat::kJson) return reliability_json(scores, reliability);
  const auto& study = reliability.study;
  auto facts = source_facts(scores);
  if (reliability.drop > 0) {
    facts.emplace_back("drop", full_number(reliability.drop));
    facts.emplace_back("systems left out", fmt::to_string(scores.systems.size() - study.systems));
  }
  const auto coefficients = coefficients_table(reliability, format);
  if (format == StatisticsFormat::kTsv) {
    facts.emplace_back("systems", fmt::to_string(study.systems));
    facts.emplace_back("Cronbach alpha", full_number(reliability.cronbach_alpha));
    facts.emplace_back("level of the intervals", full_number(reliability.level));
    return tsv_head(facts) + coefficients.tab_separated();
  }
  return fmt::format("{} systems, {} topics; Cronbach alpha {}\n\n{}\n{} % intervals\n{}\n{}", study.systems,
                     study.topics, short_number(reliability.cronbach_alpha), variance_table(study).aligned(),
                     100 * reliability.level, coefficients.aligned(), table_foot(facts));
}

}  // namespace touchstone::analysis::presentation
