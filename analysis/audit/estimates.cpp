#include "analysis/audit/estimates.hpp"

#include "analysis/statistics/beta_sampler.hpp"
#include "analysis/statistics/random.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace touchstone::analysis::audit {
namespace {

/// Evidence by the verdict of the judge, as counts of the whole collection: one draw, or the values.
using Totals = std::array<double, 4>;

std::size_t index_of(Verdict verdict) {
  return static_cast<std::size_t>(verdict);
}

double sum_of(const Totals& totals) {
  return totals[0] + totals[1] + totals[2] + totals[3];
}

bool is_usable(const StratumAnswers& stratum) {
  return stratum.answered > 0 && stratum.answered <= stratum.decisions && stratum.evidence <= stratum.answered;
}

/// The stratified estimate of the evidence by verdict.
Totals values_of(std::span<const StratumAnswers> strata) {
  Totals totals{};
  for (const auto& stratum : strata) {
    if (!is_usable(stratum)) continue;
    totals[index_of(stratum.verdict)] += static_cast<double>(stratum.decisions) *
                                         static_cast<double>(stratum.evidence) / static_cast<double>(stratum.answered);
  }
  return totals;
}

/// Draws of the posterior of the evidence by verdict.
std::vector<Totals> draws_of(std::span<const StratumAnswers> strata, const IntervalSettings& settings) {
  std::array<double, 2> answered{};  // of yes, of all else
  const auto side = [](const StratumAnswers& stratum) { return stratum.verdict == Verdict::kYes ? 0U : 1U; };
  for (const auto& stratum : strata) answered[side(stratum)] += static_cast<double>(stratum.answered);
  std::vector<Totals> draws(settings.draws);
  std::uint64_t block = 0;
  for (const auto& stratum : strata) {
    ++block;
    if (!is_usable(stratum)) continue;
    statistics::Random random(settings.seed, block);
    const auto yes = static_cast<double>(stratum.evidence), all = static_cast<double>(stratum.answered);
    const double prior = 0.5 * all / answered[side(stratum)];
    const auto open = stratum.decisions - stratum.answered;
    for (auto& draw : draws) {
      double total = yes;
      if (open > 0) {
        const double share = statistics::draw_beta(yes + prior, all - yes + prior, random);
        total += static_cast<double>(statistics::draw_binomial(open, share, random));
      }
      draw[index_of(stratum.verdict)] += total;
    }
  }
  return draws;
}

/// The value and interval of a number that `of` computes from totals; nothing if it is not defined.
template <class Of>
std::optional<Estimate> estimate_of(const Totals& values, const std::vector<Totals>& draws,
                                    const IntervalSettings& settings, const Of& of) {
  const double value = of(values);
  if (std::isnan(value)) return std::nullopt;
  std::vector<double> drawn;
  drawn.reserve(draws.size());
  for (const auto& draw : draws) drawn.push_back(of(draw));
  auto interval = statistics::percentile_interval(std::move(drawn), settings.level);
  interval.low = std::min(interval.low, value);
  interval.high = std::max(interval.high, value);
  return Estimate{value, interval};
}

}  // namespace

Estimates estimate(std::span<const StratumAnswers> strata, const IntervalSettings& settings) {
  Totals decisions{};
  std::array<bool, 4> is_answered{true, true, true, true};
  for (const auto& stratum : strata) {
    decisions[index_of(stratum.verdict)] += static_cast<double>(stratum.decisions);
    if (stratum.decisions > 0 && !is_usable(stratum)) is_answered[index_of(stratum.verdict)] = false;
  }
  const auto values = values_of(strata);
  const auto draws = draws_of(strata, settings);
  const double yes = decisions[index_of(Verdict::kYes)], no = decisions[index_of(Verdict::kNo)];
  const double all = sum_of(decisions);
  const auto number = [&](const auto& of) { return estimate_of(values, draws, settings, of); };
  const auto precision = [&](const Totals& of) { return of[index_of(Verdict::kYes)] / yes; };
  const auto confirmed_no = [&](const Totals& of) { return 1 - of[index_of(Verdict::kNo)] / no; };
  Estimates found;
  const bool yes_known = is_answered[index_of(Verdict::kYes)] && yes > 0;
  const bool no_known = is_answered[index_of(Verdict::kNo)] && no > 0;
  if (yes_known) found.precision = number(precision);
  if (no_known) found.confirmed_no = number(confirmed_no);
  if (yes_known && no_known)
    found.balanced_agreement = number([&](const Totals& of) { return (precision(of) + confirmed_no(of)) / 2; });
  if (all == 0 || !std::all_of(is_answered.begin(), is_answered.end(), [](bool known) { return known; })) return found;
  found.evidence = number(sum_of);
  found.recall = number([](const Totals& of) { return of[index_of(Verdict::kYes)] / sum_of(of); });
  found.f1 = number([&](const Totals& of) { return 2 * of[index_of(Verdict::kYes)] / (yes + sum_of(of)); });
  found.accuracy = number([&](const Totals& of) {
    const double right_yes = of[index_of(Verdict::kYes)], missed = sum_of(of) - right_yes;
    return (right_yes + (all - yes) - missed) / all;
  });
  return found;
}

std::optional<Estimate> evidence_share(std::span<const StratumAnswers> strata, const IntervalSettings& settings) {
  double decisions = 0;
  for (const auto& stratum : strata) {
    if (stratum.decisions > 0 && !is_usable(stratum)) return std::nullopt;
    decisions += static_cast<double>(stratum.decisions);
  }
  if (decisions == 0) return std::nullopt;
  return estimate_of(values_of(strata), draws_of(strata, settings), settings,
                     [&](const Totals& of) { return sum_of(of) / decisions; });
}

}  // namespace touchstone::analysis::audit
