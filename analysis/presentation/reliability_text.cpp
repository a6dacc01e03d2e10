#include "analysis/presentation/number_text.hpp"
#include "analysis/presentation/source_text.hpp"
#include "analysis/presentation/statistics_text.hpp"
#include "analysis/presentation/text_table.hpp"
#include "common/number_text.hpp"

#include <cmath>

#include <fmt/format.h>

namespace touchstone::analysis::presentation {

using namespace internal;  // tables and numbers as text

namespace {

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
