#include "analysis/studies/partial/partial_output.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace touchstone::analysis::studies::partial {
namespace {

/// A tau of .9 is the usual bound for rankings that are alike (E. M. Voorhees, "Evaluation by highly relevant
/// documents", SIGIR 2001); D-MERIT, section 3.4, aims at .8, an error rate of about 10 %.
constexpr double kAlike = 0.9, kUsable = 0.8;
constexpr const char* kTauRule =
    "good if tau_b is at least .9 (Voorhees 2001), caution from .8, where about one pair of ten is ordered wrongly "
    "(D-MERIT, section 3.4), bad below";

/// With fewer pairs, a single one in the wrong order is more than the 10 % that a partial tau of .8 allows.
constexpr double kLeastPairs = 10;

Verdict verdict_of(double tau_b) {
  const double tau = as_shown(tau_b, 3);
  if (!(tau >= kUsable)) return Verdict::kBad;
  return tau >= kAlike ? Verdict::kGood : Verdict::kCaution;
}

const SelectionNumbers* find(const PartialNumbers& numbers, const std::string& selection) {
  const auto at = std::find_if(numbers.selections.begin(), numbers.selections.end(),
                               [&](const auto& row) { return row.selection == selection; });
  return at == numbers.selections.end() ? nullptr : &*at;
}

std::string advice(Verdict verdict) {
  if (verdict == Verdict::kGood) return "One label for each topic is enough to rank these systems.";
  if (verdict == Verdict::kCaution) return "Label more evidence before close systems are compared.";
  return "Do not rank these systems by one label for each topic.";
}

Finding random_finding(const PartialNumbers& numbers, const SelectionNumbers& row) {
  const auto& spread = row.spread;
  const auto verdict = verdict_of(spread.tau_b.mean);
  return {verdict,
          fmt::format("{}: with one random label for each topic, the ranking of systems agrees with the full labels at "
                      "tau_b {:.3f} (standard deviation {:.3f} over {} selections), and {:.1f} % of the pairs are in "
                      "the wrong order. {}",
                      numbers.measure, spread.tau_b.mean, spread.tau_b.deviation, row.samples, spread.error_rate.mean,
                      advice(verdict)),
          kTauRule};
}

Finding biased_finding(const PartialNumbers& numbers, const SelectionNumbers& row, const SelectionNumbers* random) {
  const auto& spread = row.spread;
  const auto verdict = verdict_of(spread.tau_b.mean);
  std::string text = fmt::format(
      "{}: the selection \"{}\" agrees at tau_b {:.3f}; {:.1f} % of the pairs are in the "
      "wrong order.",
      numbers.measure, row.selection, spread.tau_b.mean, spread.error_rate.mean);
  if (row.samples > 1) {
    text += fmt::format(" Over {} base systems tau_b is between {:.3f} and {:.3f}.", row.samples, spread.tau_b.lowest,
                        spread.tau_b.highest);
  }
  if (random != nullptr && std::isfinite(random->spread.tau_b.deviation)) {
    const double gap = random->spread.tau_b.mean - spread.tau_b.mean;
    if (gap > random->spread.tau_b.deviation)
      text += " That is more than one standard deviation worse than a random label: the way of choosing is biased.";
  }
  return {verdict, text, kTauRule};
}

/// The smallest fraction from which on the mean partial tau of the bucket stays at or above `tau`; empty if there is
/// none.
std::optional<double> fraction_needed(const Curve& curve, const std::vector<double>& fractions, std::size_t bucket,
                                      double tau) {
  std::optional<double> needed;
  for (std::size_t f = fractions.size(); f-- > 0;) {
    if (!(as_shown(curve.at[f].buckets[bucket].partial_tau.mean, 3) >= tau)) break;
    needed = fractions[f];
  }
  return needed;
}

constexpr const char* kSystemOrder =
    "if it is labelled in the system-based order: as one of the systems ranks it, then the rest at random";

void add_fraction_findings(std::vector<Finding>& findings, const PartialNumbers& numbers) {
  const auto curve = std::find_if(numbers.curves.begin(), numbers.curves.end(),
                                  [](const Curve& c) { return c.order == "system-based"; });
  if (curve == numbers.curves.end() || curve->at.empty()) return;
  for (std::size_t b = 0; b < agreement::kPairBuckets; ++b) {
    const auto& bucket = curve->at.front().buckets[b];
    if (!(bucket.pairs.mean > 0)) continue;
    const auto start = fmt::format("{}: for the pairs of systems with {} (number of pairs: {})", numbers.measure,
                                   bucket_words(bucket), pairs_words(bucket));
    if (bucket.pairs.mean < kLeastPairs) {
      findings.push_back(
          {Verdict::kFact,
           fmt::format("{}, the share of the evidence that has to be labelled cannot be told with so few pairs.",
                       start),
           fmt::format("a verdict needs at least {:g} pairs", kLeastPairs)});
      continue;
    }
    const auto needed = fraction_needed(*curve, numbers.fractions, b, kUsable);
    const auto end =
        needed
            ? fmt::format(", {:g} % of the evidence has to be labelled to reach a partial tau of .8, {}.",
                          100 * *needed, kSystemOrder)
            : fmt::format(", no share of the evidence that was tried reaches a partial tau of .8, {}.", kSystemOrder);
    const auto verdict = !needed          ? Verdict::kBad
                         : *needed <= 0.2 ? Verdict::kGood
                         : *needed <= 0.5 ? Verdict::kCaution
                                          : Verdict::kBad;
    findings.push_back({verdict, start + end,
                        "good up to 20 % of the evidence, caution up to 50 %, bad above; a partial tau of .8 is an "
                        "error rate of 10 % (D-MERIT, section 3.4)"});
  }
}

}  // namespace

std::string bucket_words(const OutcomeSpread::Bucket& bucket) {
  if (bucket.p_min == 0) return fmt::format("p < {:g}", bucket.p_max);
  if (bucket.p_max == 1) return fmt::format("p >= {:g}", bucket.p_min);
  return fmt::format("p in [{:g}, {:g})", bucket.p_min, bucket.p_max);
}

std::string pairs_words(const OutcomeSpread::Bucket& bucket) {
  return bucket.pairs.lowest == bucket.pairs.highest ? fmt::format("{:.0f}", bucket.pairs.mean)
                                                     : fmt::format("{:.1f} on average", bucket.pairs.mean);
}

std::vector<Finding> partial_findings(const std::vector<PartialNumbers>& measures) {
  std::vector<Finding> findings;
  for (const auto& numbers : measures) {
    const auto* random = find(numbers, "random");
    for (const auto& row : numbers.selections) {
      if (!std::isfinite(row.spread.tau_b.mean)) {
        findings.push_back({Verdict::kBad,
                            fmt::format("{}: the selection \"{}\" gives all systems the same score, so that it says "
                                        "nothing about their order.",
                                        numbers.measure, row.selection),
                            kTauRule});
      } else {
        findings.push_back(&row == random ? random_finding(numbers, row) : biased_finding(numbers, row, random));
      }
    }
    add_fraction_findings(findings, numbers);
  }
  return findings;
}

}  // namespace touchstone::analysis::studies::partial
