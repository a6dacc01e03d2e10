#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

/// How much evidence there is, estimated from what was found. All functions are pure.
namespace touchstone::analysis::studies::coverage {

/// A number with its 95 % interval; NaN if it cannot be estimated.
struct Estimate {
  double value = 0, low = 0, high = 0;
};

/// Evidence that the systems could find, from how many of them found each passage.
struct CaptureRecapture {
  std::uint64_t found = 0, once = 0, twice = 0;  ///< passages that any, exactly one, exactly two systems found
  Estimate total;
  Estimate recall;  ///< found / total
};

/// Chao's estimator for incidences (Chao2): found + (n - 1) / n once^2 / (2 twice) for n systems, and without twice
/// the bias-corrected form; the interval is log-normal. It was chosen because it asks neither that systems are
/// independent nor that all passages are equally easy to find: where they differ it is a lower bound of the total, and
/// so the recall an upper bound. Estimators of two samples (Lincoln-Petersen) would take the overlap of similar systems
/// for completeness.
/// Source: A. Chao, "Estimating the Population Size for Capture-Recapture Data with Unequal Catchability", Biometrics
/// 1987; variance and interval as in A. Chao and C.-H. Chiu, "Species Richness: Estimation and Comparison", 2016.
/// \param passages_by_systems  `[c]` is the number of passages that exactly c systems found; [0] is ignored
CaptureRecapture capture_recapture(std::span<const std::uint64_t> passages_by_systems);

/// What people found in a simple random sample of a stratum.
struct Stratum {
  std::string name;
  std::uint64_t size = 0;     ///< passages in the stratum
  std::uint64_t sampled = 0;  ///< of them judged by people
  std::uint64_t missed = 0;   ///< of these: relevant, but not evidence of the qrels
};

/// Horvitz-Thompson's total of the missed evidence: each sampled passage stands for size / sampled passages. The
/// interval is the normal one with the variance of stratified sampling without replacement, cut off at what the sample
/// proves. In a stratum whose sample is all of one kind, or a single passage, the variance is that of (missed + 1) /
/// (sampled + 2), since a sample without relevant passages does not prove that there is none.
/// Source: D. G. Horvitz, D. J. Thompson, JASA 1952; W. G. Cochran, "Sampling Techniques", 1977, section 5.6.
Estimate missed_evidence(std::span<const Stratum> strata);

/// Recall of labels that know `known` passages of evidence, when `missed` more exist.
Estimate recall_of(std::uint64_t known, const Estimate& missed);

}  // namespace touchstone::analysis::studies::coverage
