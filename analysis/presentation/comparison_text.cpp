#include "analysis/presentation/statistics_text.hpp"
#include "analysis/presentation/text_parts.hpp"
#include "common/number_text.hpp"

#include <cstdint>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

namespace touchstone::analysis::presentation {

using namespace internal;  // tables and numbers as text

namespace {

using agreement::JudgmentComparison;
using significance::BaselineComparison;
using significance::Comparison;
using statistics::ScoreMatrix;

constexpr std::size_t kPairsInTable = 45;

/// The buckets of pairs by p-value (D-MERIT, tables 4 and 7).
void write_buckets(JsonWriter& json, const JudgmentComparison& judgments) {
  json.key("buckets").begin_array();
  for (const auto& bucket : judgments.buckets) {
    const auto& pairs = bucket.pairs;
    json.begin_object().field("p_min", bucket.p_min).field("p_max", bucket.p_max).field("pairs", pairs.pairs);
    json.field("concordant", pairs.concordant).field("discordant", pairs.discordant);
    json.field("partial_tau", kendall_tau_a(pairs)).field("error_rate", error_rate(pairs));
    json.field("concordance", bucket.concordance.value()).end_object();
  }
  json.end_array();
}

/// Calls `visit(name, number)` for each number about the other judgments, apart from the buckets.
template <class Visit>
void for_each_number(const JudgmentComparison& judgments, const Visit& visit) {
  const auto& d = judgments.decisions;
  visit("topics", judgments.topics);
  visit("significant", judgments.other.significant);
  visit("kendall_tau_a", kendall_tau_a(judgments.pairs));
  visit("kendall_tau_b", kendall_tau_b(judgments.pairs));
  visit("error_rate", error_rate(judgments.pairs));
  visit("active_agreements", d.active_agreements);
  visit("active_disagreements", d.active_disagreements);
  visit("mixed_agreements", d.mixed_agreements());
  visit("mixed_agreements_reference", d.mixed_agreements_reference);
  visit("mixed_agreements_other", d.mixed_agreements_other);
  visit("mixed_disagreements", d.mixed_disagreements());
  visit("mixed_disagreements_reference", d.mixed_disagreements_reference);
  visit("mixed_disagreements_other", d.mixed_disagreements_other);
  visit("passive_agreements", d.passive_agreements);
  visit("passive_disagreements", d.passive_disagreements);
  visit("precision", d.precision());
  visit("recall", d.recall());
  visit("publication_bias", d.publication_bias());
  visit("concordance", judgments.concordance.value());
}

void write_judgments(JsonWriter& json, const JudgmentComparison& judgments) {
  json.key("against").begin_object();
  if (!judgments.source.measure.empty()) json.field("measure", judgments.source.measure);
  json.field(judgments.source.matrix.empty() ? "qrels" : "matrix", judgments.source.judgments());
  for_each_number(judgments, [&](const char* name, const auto& value) { json.field(name, value); });
  write_buckets(json, judgments);
  json.end_object();
}

/// "[0.01, 0.05)"
std::string bucket_name(const agreement::PairBucket& bucket) {
  return fmt::format("[{}, {}{}", bucket.p_min, bucket.p_max, bucket.p_max < 1 ? ")" : "]");
}

/// The same for the head of a TSV table.
void add_judgments(Facts& facts, const JudgmentComparison& judgments) {
  facts.emplace_back("against", source_line(judgments.source));
  for_each_number(judgments, [&](const char* name, const auto& value) {
    if constexpr (std::is_same_v<std::decay_t<decltype(value)>, double>) {
      facts.emplace_back(fmt::format("against {}", name), full_number(value));
    } else {
      facts.emplace_back(fmt::format("against {}", name), fmt::to_string(value));
    }
  });
  for (const auto& bucket : judgments.buckets) {
    facts.emplace_back(
        fmt::format("against pairs with p in {}", bucket_name(bucket)),
        bucket.pairs.pairs == 0
            ? "0"
            : fmt::format("{}, partial_tau {}, error_rate {}, concordance {}", bucket.pairs.pairs,
                          full_number(kendall_tau_a(bucket.pairs)), full_number(error_rate(bucket.pairs)),
                          full_number(bucket.concordance.value())));
  }
}

/// The options and the outcome over all pairs.
void write_summary(JsonWriter& json, const ScoreMatrix& scores, const Comparison& comparison) {
  write_source(json, scores);
  write_test(json, comparison.options, comparison.exact);
  json.field("systems", scores.systems.size()).field("topics", scores.topics.size());
  json.field("pairs", comparison.pairs.size()).field("significant", comparison.significant);
  json.field("critical_difference", comparison.critical_difference);
  write_intervals(json, comparison.intervals);
  const auto& anova = comparison.anova;
  json.key("anova").begin_object();
  json.field("mean_square_systems", anova.mean_square_systems);
  json.field("mean_square_topics", anova.mean_square_topics);
  json.field("mean_square_residual", anova.mean_square_residual);
  json.field("df_systems", anova.df_systems).field("df_topics", anova.df_topics);
  json.field("df_residual", anova.df_residual);
  json.field("f_systems", anova.f_systems).field("p_systems", anova.p_systems).end_object();
}

std::string json_of(const ScoreMatrix& scores, const Comparison& comparison, const JudgmentComparison* judgments) {
  auto json = json_document();
  json.begin_object();
  write_summary(json, scores, comparison);
  json.key("ranking").begin_array();
  const auto bracket = comparison.not_worse_than_best();
  for (std::size_t r = 0; r < bracket.size(); ++r) {
    const auto system = comparison.ranking[r];
    json.begin_object().field("rank", r + 1).field("system", scores.systems[system]);
    json.field("mean", comparison.means[system]);
    json.field("not_worse_than_best", static_cast<bool>(bracket[r])).end_object();
  }
  json.end_array().key("p_values").begin_array();
  for (const auto& pair : comparison.pairs) json.value(pair.p_value);
  json.end_array().key("comparisons").begin_array();
  for (const auto& pair : comparison.pairs) {
    json.begin_object().field("better", scores.systems[pair.first]).field("worse", scores.systems[pair.second]);
    json.field("difference", pair.difference).field("p_value", pair.p_value).field("raw_p_value", pair.raw_p_value);
    json.field("significant", pair.significant).field("effect_size", pair.effect_size);
    json.field("low", pair.low).field("high", pair.high);
    if (comparison.intervals.fcr_alpha) json.field("fcr_low", pair.fcr_low).field("fcr_high", pair.fcr_high);
    json.end_object();
  }
  json.end_array();
  if (judgments != nullptr) write_judgments(json, *judgments);
  return json.end_object().take_line();
}

std::string judgments_table(const JudgmentComparison& judgments) {
  const auto& d = judgments.decisions;
  TextTable table;
  const auto count = [&](const char* name, std::uint64_t value) { table.row({name, fmt::to_string(value)}); };
  const auto number = [&](std::string name, double value) { table.row({std::move(name), short_number(value)}); };
  count("significant pairs of the other", judgments.other.significant);
  count("active agreements", d.active_agreements);
  count("active disagreements", d.active_disagreements);
  count("mixed agreements, significant in the first", d.mixed_agreements_reference);
  count("mixed agreements, significant in the other", d.mixed_agreements_other);
  count("mixed disagreements, significant in the first", d.mixed_disagreements_reference);
  count("mixed disagreements, significant in the other", d.mixed_disagreements_other);
  count("passive agreements", d.passive_agreements);
  count("passive disagreements", d.passive_disagreements);
  number("precision of significant pairs", d.precision());
  number("recall of significant pairs", d.recall());
  number("publication bias", d.publication_bias());
  number("concordance", judgments.concordance.value());
  number("Kendall tau_a of the means", kendall_tau_a(judgments.pairs));
  number("Kendall tau_b of the means", kendall_tau_b(judgments.pairs));
  number("error rate (% of pairs swapped)", error_rate(judgments.pairs));
  TextTable buckets;
  buckets.row({"p", "pairs", "partial tau", "error rate (%)", "concordance"});
  for (const auto& bucket : judgments.buckets) {
    buckets.row({bucket_name(bucket), fmt::to_string(bucket.pairs.pairs), short_number(kendall_tau_a(bucket.pairs)),
                 short_number(error_rate(bucket.pairs)), short_number(bucket.concordance.value())});
  }
  return fmt::format("\nAgainst the other judgments: {}, {} topics\n", source_line(judgments.source),
                     judgments.topics) +
         table.aligned() + "\nPairs by the p-value of the paired t test on the first judgments\n" + buckets.aligned();
}

std::string table_of(const ScoreMatrix& scores, const Comparison& comparison) {
  std::string out =
      fmt::format("{} of {} pairs differ significantly ({}); {} systems, {} topics\n", comparison.significant,
                  comparison.pairs.size(), test_words(comparison.options, comparison.exact), scores.systems.size(),
                  scores.topics.size());
  out += source_line(scores.source);
  if (const auto missing = missing_answers(scores); !missing.empty()) out += "; " + missing;
  out += fmt::format("\n{}\n", program_and_version());
  if (comparison.critical_difference)
    out += fmt::format("critical difference of means: {}\n", short_number(*comparison.critical_difference));
  out += "\n";
  TextTable board;
  board.row({"system", "rank", "mean", "below best", "p", "effect", ""});
  const auto bracket = comparison.not_worse_than_best();
  for (std::size_t r = 0; r < bracket.size(); ++r) {
    const auto system = comparison.ranking[r];
    std::vector<std::string> cells = {scores.systems[system], fmt::to_string(r + 1),
                                      short_number(comparison.means[system])};
    if (r > 0) {
      const auto& pair = comparison.at_ranks(0, r);
      cells.insert(cells.end(), {short_number(pair.difference), p_value_text(pair.p_value),
                                 fixed_digits(pair.effect_size, 2), bracket[r] ? "not worse than the best" : ""});
    }
    board.row(std::move(cells));
  }
  out += board.aligned();
  if (comparison.pairs.size() > kPairsInTable) return out;
  TextTable pairs;
  pairs.row({"better", "worse", "difference", "low", "high", "p", "effect", ""});
  for (const auto& pair : comparison.pairs)
    pairs.row({scores.systems[pair.first], scores.systems[pair.second], short_number(pair.difference),
               short_number(pair.low), short_number(pair.high), p_value_text(pair.p_value),
               fixed_digits(pair.effect_size, 2), pair.significant ? "significant" : ""});
  return out + "\n" + pairs.aligned(2) + interval_note(comparison.intervals, comparison.options) + "\n";
}

/// How two systems differ.
std::string pair_table(const ScoreMatrix& scores, const Comparison& comparison, const SystemPair& systems) {
  const auto& pair = comparison.of(systems.first, systems.second);
  const bool turned = pair.first != systems.first;
  const auto wins = significance::count_wins(scores, systems.first, systems.second);
  TextTable table;
  table.row({"difference of means", short_number(turned ? -pair.difference : pair.difference)});
  table.row({"low", short_number(turned ? -pair.high : pair.low)});
  table.row({"high", short_number(turned ? -pair.low : pair.high)});
  table.row({"p", p_value_text(pair.p_value)});
  table.row({"effect size", fixed_digits(turned ? -pair.effect_size : pair.effect_size, 2)});
  table.row({"topics won, lost, tied", fmt::format("{} {} {}", wins.won, wins.lost, wins.tied)});
  return fmt::format("\n{} minus {}\n{}", scores.systems[systems.first], scores.systems[systems.second],
                     table.aligned());
}

std::string tsv_of(const ScoreMatrix& scores, const Comparison& comparison, const JudgmentComparison* judgments) {
  TextTable table;
  std::vector<std::string> cells = {"better",  "worse",       "difference",  "low",        "high",
                                    "p_value", "raw_p_value", "significant", "effect_size"};
  const bool has_fcr = comparison.intervals.fcr_alpha.has_value();
  if (has_fcr) cells.insert(cells.end(), {"fcr_low", "fcr_high"});
  table.row(cells);
  for (const auto& pair : comparison.pairs) {
    cells = {scores.systems[pair.first],    scores.systems[pair.second],  full_number(pair.difference),
             full_number(pair.low),         full_number(pair.high),       full_number(pair.p_value),
             full_number(pair.raw_p_value), pair.significant ? "1" : "0", full_number(pair.effect_size)};
    if (has_fcr) cells.insert(cells.end(), {full_number(pair.fcr_low), full_number(pair.fcr_high)});
    table.row(cells);
  }
  auto facts = source_facts(scores);
  add_test_facts(facts, comparison.options, comparison.intervals, comparison.exact);
  if (judgments != nullptr) add_judgments(facts, *judgments);
  return tsv_head(facts) + table.tab_separated();
}

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

std::string comparison_text(const ScoreMatrix& scores, const Comparison& comparison,
                            const JudgmentComparison* judgments, StatisticsFormat format,
                            std::optional<SystemPair> pair) {
  if (format == StatisticsFormat::kTsv) return tsv_of(scores, comparison, judgments);
  if (format == StatisticsFormat::kTable)
    return table_of(scores, comparison) + (pair ? pair_table(scores, comparison, *pair) : "") +
           (judgments != nullptr ? judgments_table(*judgments) : "");
  return json_of(scores, comparison, judgments);
}

std::string baseline_text(const ScoreMatrix& scores, const BaselineComparison& comparison, StatisticsFormat format) {
  if (format == StatisticsFormat::kJson) return baseline_json(scores, comparison);
  return format == StatisticsFormat::kTsv ? baseline_tsv(scores, comparison) : baseline_table(scores, comparison);
}

}  // namespace touchstone::analysis::presentation
