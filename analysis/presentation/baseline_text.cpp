#include "analysis/presentation/number_text.hpp"
#include "analysis/presentation/source_text.hpp"
#include "analysis/presentation/statistics_text.hpp"
#include "analysis/presentation/test_text.hpp"
#include "analysis/presentation/text_table.hpp"
#include "common/number_text.hpp"

#include <vector>

#include <fmt/format.h>

namespace touchstone::analysis::presentation {

using namespace internal;  // tables and numbers as text

namespace {

using significance::BaselineComparison;
using statistics::ScoreMatrix;

std::string baseline_json(const ScoreMatrix& scores, const BaselineComparison& comparison) {
  const auto& options = comparison.options;
  auto json = json_document();
  json.begin_object();
  write_source(json, scores);
  write_test(json, options, comparison.exact);
  json.field("systems", scores.systems.size()).field("topics", scores.topics.size());
  json.field("baseline", scores.systems[comparison.baseline]);
  json.field("baseline_mean", comparison.means[comparison.baseline]).field("significant", comparison.significant);
  write_intervals(json, comparison.intervals);
  json.key("comparisons").begin_array();
  for (const auto& row : comparison.systems) {
    json.begin_object().field("system", scores.systems[row.system]).field("mean", comparison.means[row.system]);
    json.field("difference", row.difference).field("low", row.low).field("high", row.high);
    if (comparison.intervals.fcr_alpha) json.field("fcr_low", row.fcr_low).field("fcr_high", row.fcr_high);
    json.field("p_value", row.p_value).field("raw_p_value", row.raw_p_value).field("significant", row.significant);
    json.field("effect_size", row.effect_size).field("wins", row.wins.won).field("losses", row.wins.lost);
    json.field("ties", row.wins.tied).end_object();
  }
  return json.end_array().end_object().take_line();
}

std::string baseline_table(const ScoreMatrix& scores, const BaselineComparison& comparison) {
  const auto& baseline = scores.systems[comparison.baseline];
  std::string out = fmt::format(
      "{} of {} systems differ significantly from the baseline {} ({}); {} topics\n{}\n{}\n\n", comparison.significant,
      comparison.systems.size(), baseline, test_words(comparison.options, comparison.exact), scores.topics.size(),
      source_line(scores.source), program_and_version());
  TextTable table;
  table.row({"system", "mean", "difference", "low", "high", "p", "effect", "won", "lost", "tied", ""});
  for (const auto system : comparison.ranking) {
    const auto* row = comparison.of(system);
    if (row == nullptr) {
      table.row({scores.systems[system], short_number(comparison.means[system]), "baseline"});
      continue;
    }
    table.row({scores.systems[system], short_number(comparison.means[system]), short_number(row->difference),
               short_number(row->low), short_number(row->high), p_value_text(row->p_value),
               fixed_digits(row->effect_size, 2), fmt::to_string(row->wins.won), fmt::to_string(row->wins.lost),
               fmt::to_string(row->wins.tied),
               !row->significant     ? ""
               : row->difference > 0 ? "better"
                                     : "worse"});
  }
  return out + table.aligned() + interval_note(comparison.intervals, comparison.options) + "\n";
}

std::string baseline_tsv(const ScoreMatrix& scores, const BaselineComparison& comparison) {
  auto facts = source_facts(scores);
  facts.emplace_back("baseline", scores.systems[comparison.baseline]);
  add_test_facts(facts, comparison.options, comparison.intervals, comparison.exact);
  TextTable table;
  std::vector<std::string> cells = {"system",      "mean",        "difference",  "low",  "high",   "p_value",
                                    "raw_p_value", "significant", "effect_size", "wins", "losses", "ties"};
  const bool has_fcr = comparison.intervals.fcr_alpha.has_value();
  if (has_fcr) cells.insert(cells.end(), {"fcr_low", "fcr_high"});
  table.row(cells);
  for (const auto& row : comparison.systems) {
    cells = {scores.systems[row.system],    full_number(comparison.means[row.system]),
             full_number(row.difference),   full_number(row.low),
             full_number(row.high),         full_number(row.p_value),
             full_number(row.raw_p_value),  row.significant ? "1" : "0",
             full_number(row.effect_size),  fmt::to_string(row.wins.won),
             fmt::to_string(row.wins.lost), fmt::to_string(row.wins.tied)};
    if (has_fcr) cells.insert(cells.end(), {full_number(row.fcr_low), full_number(row.fcr_high)});
    table.row(cells);
  }
  return tsv_head(facts) + table.tab_separated();
}

}  // namespace

std::string baseline_text(const ScoreMatrix& scores, const BaselineComparison& comparison, StatisticsFormat format) {
  if (format == StatisticsFormat::kJson) return baseline_json(scores, comparison);
  return format == StatisticsFormat::kTsv ? baseline_tsv(scores, comparison) : baseline_table(scores, comparison);
}

}  // namespace touchstone::analysis::presentation
