#include "analysis/presentation/number_text.hpp"
#include "analysis/presentation/statistics_text.hpp"
#include "analysis/presentation/text_table.hpp"

#include <cstdint>
#include <vector>

#include <fmt/format.h>

namespace touchstone::analysis::presentation {
namespace {

using namespace internal;  // tables and numbers as text

using agreement::JudgmentComparison;
using agreement::PartialTau;
using significance::Comparison;
using significance::Correction;
using significance::SignificanceTest;
using statistics::ScoreMatrix;

constexpr std::size_t kPairsInTable = 45;

/// A p-value for people. A sampled p-value of 0 means only that no permutation reached the difference.
std::string p_text(const Comparison& comparison, double p) {
  const auto& options = comparison.options;
  if (p == 0 && is_sampled(options.test) && !comparison.exact)
    return fmt::format("<{:.1g}", 1 / static_cast<double>(options.permutations));
  return p > 0 && p < 0.0001 ? fmt::format("{:.1e}", p) : short_number(p);
}

void write_tau(JsonWriter& json, const char* name, const PartialTau& part) {
  json.key(name).begin_object().field("pairs", part.pairs).field("discordant", part.discordant);
  json.field("tau", part.tau()).end_object();
}

void write_judgments(JsonWriter& json, const JudgmentComparison& judgments) {
  const auto& d = judgments.decisions;
  json.key("against").begin_object();
  json.field("significant", judgments.other.significant);
  json.field("kendall_tau_b", kendall_tau_b(judgments.pairs));
  json.field("error_rate", error_rate(judgments.pairs));
  json.field("active_agreements", d.active_agreements);
  json.field("active_disagreements", d.active_disagreements);
  json.field("mixed_agreements", d.mixed_agreements());
  json.field("mixed_agreements_reference", d.mixed_agreements_reference);
  json.field("mixed_agreements_other", d.mixed_agreements_other);
  json.field("mixed_disagreements", d.mixed_disagreements());
  json.field("mixed_disagreements_reference", d.mixed_disagreements_reference);
  json.field("mixed_disagreements_other", d.mixed_disagreements_other);
  json.field("passive_agreements", d.passive_agreements);
  json.field("passive_disagreements", d.passive_disagreements);
  json.field("precision", d.precision());
  json.field("recall", d.recall());
  json.field("publication_bias", d.publication_bias());
  json.field("concordance_of_significant", judgments.concordance);
  json.key("partial_tau").begin_object();
  write_tau(json, "p_below_0.01", judgments.below_01);
  write_tau(json, "p_0.01_to_0.05", judgments.below_05);
  write_tau(json, "p_from_0.05", judgments.from_05);
  json.end_object().end_object();
}

/// The options and the outcome over all pairs.
void write_summary(JsonWriter& json, const ScoreMatrix& scores, const Comparison& comparison) {
  const auto& options = comparison.options;
  json.field("test", test_name(options.test)).field("correction", correction_name(options.correction));
  json.field("alpha", options.alpha);
  if (is_sampled(options.test))
    json.field("permutations", options.permutations).field("seed", options.seed).field("exact", comparison.exact);
  json.field("systems", scores.systems.size()).field("topics", scores.topics.size());
  json.field("pairs", comparison.pairs.size()).field("significant", comparison.significant);
  json.field("critical_difference", comparison.critical_difference);
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
    json.field("low", pair.low).field("high", pair.high).end_object();
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
  const auto partial_tau = [&](const PartialTau& part, const char* p_values) {
    number(fmt::format("tau of the {} pairs with {}", part.pairs, p_values), part.tau());
  };
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
  number("concordance of significant relations", judgments.concordance);
  number("Kendall tau_b of the means", kendall_tau_b(judgments.pairs));
  number("error rate (% of pairs swapped)", error_rate(judgments.pairs));
  partial_tau(judgments.below_01, "p < .01");
  partial_tau(judgments.below_05, ".01 <= p < .05");
  partial_tau(judgments.from_05, "p >= .05");
  return "\nAgainst the other judgments\n" + table.aligned();
}

std::string table_of(const ScoreMatrix& scores, const Comparison& comparison) {
  const auto& options = comparison.options;
  std::string out = fmt::format("{} of {} pairs differ significantly ({}", comparison.significant,
                                comparison.pairs.size(), test_name(options.test));
  if (options.correction != Correction::kNone) out += fmt::format(", {}", correction_name(options.correction));
  out += fmt::format(", alpha {}", options.alpha);
  if (comparison.exact) {
    out += ", all permutations";
  } else if (is_sampled(options.test)) {
    out += fmt::format(", {} {}, seed {}", options.permutations,
                       options.test == SignificanceTest::kBootstrap ? "resamples" : "permutations", options.seed);
  }
  out += fmt::format("); {} systems, {} topics\n", scores.systems.size(), scores.topics.size());
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
      cells.insert(cells.end(), {short_number(pair.difference), p_text(comparison, pair.p_value),
                                 fmt::format("{:.2f}", pair.effect_size), bracket[r] ? "not worse than the best" : ""});
    }
    board.row(std::move(cells));
  }
  out += board.aligned();
  if (comparison.pairs.size() > kPairsInTable) return out;
  TextTable pairs;
  pairs.row({"better", "worse", "difference", "low", "high", "p", "effect", ""});
  for (const auto& pair : comparison.pairs)
    pairs.row({scores.systems[pair.first], scores.systems[pair.second], short_number(pair.difference),
               short_number(pair.low), short_number(pair.high), p_text(comparison, pair.p_value),
               fmt::format("{:.2f}", pair.effect_size), pair.significant ? "significant" : ""});
  return out + "\n" + pairs.aligned(2);
}

std::string tsv_of(const ScoreMatrix& scores, const Comparison& comparison) {
  TextTable table;
  table.row({"better", "worse", "difference", "low", "high", "p_value", "raw_p_value", "significant", "effect_size"});
  for (const auto& pair : comparison.pairs)
    table.row({scores.systems[pair.first], scores.systems[pair.second], full_number(pair.difference),
               full_number(pair.low), full_number(pair.high), full_number(pair.p_value), full_number(pair.raw_p_value),
               pair.significant ? "1" : "0", full_number(pair.effect_size)});
  return table.tab_separated();
}

}  // namespace

std::string comparison_text(const ScoreMatrix& scores, const Comparison& comparison,
                            const JudgmentComparison* judgments, StatisticsFormat format) {
  if (format == StatisticsFormat::kTsv) return tsv_of(scores, comparison);
  if (format == StatisticsFormat::kTable)
    return table_of(scores, comparison) + (judgments != nullptr ? judgments_table(*judgments) : "");
  return json_of(scores, comparison, judgments);
}

}  // namespace touchstone::analysis::presentation
