#pragma once

#include "analysis/audit/strata.hpp"
#include "analysis/statistics/percentiles.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace touchstone::analysis::audit {

/// What people said of the decisions of a stratum. Those who answered are a random sample of it, drawn without
/// replacement.
struct StratumAnswers {
  Verdict verdict = Verdict::kNo;
  std::uint64_t decisions = 0;  ///< all of the collection in the stratum
  std::uint64_t answered = 0;   ///< of them, by people
  std::uint64_t evidence = 0;   ///< of those answered: people say that it is evidence
};

/// A number of the whole collection with its interval.
struct Estimate {
  double value = 0;
  statistics::Interval interval;
};

/// Numbers of the whole collection. Nothing where a stratum that counts for the number has decisions and no answer, or
/// where the number is not defined.
struct Estimates {
  std::optional<Estimate> precision;  ///< of the judge's yes, the share that is evidence
  std::optional<Estimate> recall;     ///< of the evidence among all decisions, the share to which the judge said yes
  std::optional<Estimate> f1;
  std::optional<Estimate> accuracy;      ///< of all decisions, the share where people agree with yes or not yes
  std::optional<Estimate> confirmed_no;  ///< of the judge's no, the share that is no evidence
  /// Mean of `precision` and `confirmed_no`: how often people agree with the judge in a sample of which one half is yes
  /// and one half is no. D-MERIT reports 84.7 % for GPT-4, from 650 pairs of each (section 2.4).
  std::optional<Estimate> balanced_agreement;
  std::optional<Estimate> evidence;  ///< number of decisions that are evidence
};

/// How intervals are computed.
struct IntervalSettings {
  std::size_t draws = 10'000;
  std::uint64_t seed = 1;
  double level = statistics::kIntervalLevel;
};

/// Estimates the numbers from stratified answers. Values are the usual ones of stratified samples: each stratum counts
/// N k / n. Intervals hold the middle `level` of the posterior of the finite collection: the share of evidence of a
/// stratum is drawn from Beta(k + a, n - k + a), then the evidence among its N - n decisions that nobody answered from
/// the binomial distribution, so a stratum that people answered completely adds nothing. One observation of Jeffreys'
/// prior (a = 1/2) is divided among the strata of the judge's yes in proportion to their answers, and one among all
/// others: with one in each stratum, many strata without a yes would add up to evidence that nobody has seen. An
/// interval that does not hold the value, as at 0 and 1, is widened to it. docs/audit.md has the measured coverage.
/// Source: L. D. Brown, T. T. Cai, A. DasGupta, "Interval Estimation for a Binomial Proportion", Statistical Science
/// 2001, for one stratum.
Estimates estimate(std::span<const StratumAnswers> strata, const IntervalSettings& settings = {});

/// The share of evidence among the decisions of these strata, as estimate() does it. Nothing if one of them has no
/// answer, or if there is no decision.
std::optional<Estimate> evidence_share(std::span<const StratumAnswers> strata, const IntervalSettings& settings = {});

}  // namespace touchstone::analysis::audit
