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

Json json_of(const JudgmentComparison& judgments) {
  const auto& d = judgments.decisions;
  const auto tau = [](const PartialTau& part) {
    return Json{{"pairs", part.pairs}, {"discordant", part.discordant}, {"tau", json_number(part.tau())}};
  };
  return {{"significant", judgments.other.significant},
          {"kendall_tau_b", json_number(kendall_tau_b(judgments.pairs))},
          {"error_rate", json_number(error_rate(judgments.pairs))},
          {"active_agreements", d.active_agreements},
          {"active_disagreements", d.active_disagreements},
          {"mixed_agreements", d.mixed_agreements()},
          {"mixed_agreements_reference", d.mixed_agreements_reference},
          {"mixed_agreements_other", d.mixed_agreements_other},
          {"mixed_disagreements", d.mixed_disagreements()},
          {"mixed_disagreements_reference", d.mixed_disagreements_reference},
          {"mixed_disagreements_other", d.mixed_disagreements_other},
          {"passive_agreements", d.passive_agreements},
          {"passive_disagreements", d.passive_disagreements},
          {"precision", json_number(d.precision())},
          {"recall", json_number(d.recall())},
          {"publication_bias", json_number(d.publication_bias())},
          {"concordance_of_significant", json_number(judgments.concordance)},
          {"partial_tau",
           {{"p_below_0.01", tau(judgments.below_01)},
            {"p_0.01_to_0.05", tau(judgments.below_05)},
            {"p_from_0.05", tau(judgments.from_05)}}}};
}

Json json_of(const ScoreMatrix& scores, const Comparison& comparison) {
  const auto& options = comparison.options;
  Json json;
  json["test"] = test_name(options.test);
  json["correction"] = correction_name(options.correction);
  json["alpha"] = options.alpha;
  if (is_sampled(options.test)) {
    json["permutations"] = options.permutations;
    json["seed"] = options.seed;
    json["exact"] = comparison.exact;
  }
  json["systems"] = scores.systems.size();
  json["topics"] = scores.topics.size();
  json["pairs"] = comparison.pairs.size();
  json["significant"] = comparison.significant;
  json["critical_difference"] = comparison.critical_difference ? Json(*comparison.critical_difference) : Json(nullptr);
  const auto& anova = comparison.anova;
  json["anova"] = {{"mean_square_systems", anova.mean_square_systems},
                   {"mean_square_topics", anova.mean_square_topics},
                   {"mean_square_residual", anova.mean_square_residual},
                   {"df_systems", anova.df_systems},
                   {"df_topics", anova.df_topics},
                   {"df_residual", anova.df_residual},
                   {"f_systems", json_number(anova.f_systems)},
                   {"p_systems", anova.p_systems}};
  const auto bracket = comparison.not_worse_than_best();
  for (std::size_t r = 0; r < bracket.size(); ++r) {
    const auto system = comparison.ranking[r];
    json["ranking"].push_back({{"rank", r + 1},
                               {"system", scores.systems[system]},
                               {"mean", comparison.means[system]},
                               {"not_worse_than_best", static_cast<bool>(bracket[r])}});
  }
  json["p_values"] = Json::array();
  json["comparisons"] = Json::array();
  for (const auto& pair : comparison.pairs) {
    json["p_values"].push_back(pair.p_value);
    json["comparisons"].push_back({{"better", scores.systems[pair.first]},
                                   {"worse", scores.systems[pair.second]},
                                   {"difference", pair.difference},
                                   {"p_value", pair.p_value},
                                   {"raw_p_value", pair.raw_p_value},
                                   {"significant", pair.significant},
                                   {"effect_size", json_number(pair.effect_size)},
                                   {"low", pair.low},
                                   {"high", pair.high}});
  }
  return json;
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
  auto json = json_of(scores, comparison);
  if (judgments != nullptr) json["against"] = json_of(*judgments);
  return json_text(json);
}

}  // namespace touchstone::analysis::presentation
