#pragma once

#include "analysis/studies/judged_runs.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

/// Pools of systems and the evidence in them. All functions are pure and thread-safe.
namespace touchstone::analysis::studies::coverage {

/// y = a + b ln(x), fitted by least squares.
struct LogCurve {
  double a = 0, b = 0;
  double rmse = 0, largest_error = 0;  ///< over the points of the fit
  double at(double x) const;
};

/// Fits the points (1, y[0]), (2, y[1]), ... NaN coefficients for fewer than two points. Pure.
/// Source: D-MERIT, appendix E.1: coverage is concave and grows, so that a logarithm fits it.
LogCurve fit_log_curve(std::span<const double> y);

// How much evidence there is, estimated from what was found. All functions are pure.

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

/// Horvitz-Thompson's total of the missed evidence: each sampled passage represents size / sampled passages. The
/// interval is the normal one with the variance of stratified sampling without replacement, cut off at what the sample
/// proves. In a stratum whose sample is all of one kind, or a single passage, the variance is that of (missed + 1) /
/// (sampled + 2), since a sample without relevant passages does not prove that none exists.
/// Source: D. G. Horvitz, D. J. Thompson, JASA 1952; W. G. Cochran, "Sampling Techniques", 1977, section 5.6.
Estimate missed_evidence(std::span<const Stratum> strata);

/// Recall of labels that know `known` passages of evidence, when `missed` more exist.
Estimate recall_of(std::uint64_t known, const Estimate& missed);

struct CoveragePlan {
  int min_grade = 1;
  std::uint32_t depth = 10;      ///< of the pools
  std::uint32_t fit_depth = 20;  ///< depths 1 ... fit_depth are extrapolated (D-MERIT, appendix E.2)
  std::uint32_t target_systems = 100, target_depth = 100;
  std::uint64_t seed = 1;  ///< of the order in which people are to judge
};

/// A passage of a pool that has no label.
struct UnjudgedPassage {
  std::string topic, docid;
  std::uint32_t best_rank = 0, systems = 0;  ///< rank from 1, systems that have it in the pool
  std::string stratum;                       ///< by number of systems: "1", "2-3", "4-7", ...
  std::uint64_t stratum_size = 0;
  std::uint64_t draw = 0;  ///< 1, 2, ...: random order within the stratum; the first n are a sample of n
};

/// The pool of one depth.
struct PoolDepth {
  std::uint32_t depth = 0;
  std::uint64_t pool = 0, unjudged = 0, found = 0;  ///< passages, of them without a label, and evidence
  std::uint64_t new_evidence = 0;                   ///< passages that new judgments found to be evidence
  double coverage = 0;
};

/// Judgments of passages that had none.
struct NewEvidence {
  std::uint64_t topics = 0, judged = 0, evidence = 0;   ///< passages without a label before, and relevant ones of them
  std::uint64_t known = 0;                              ///< evidence of the qrels for the same topics
  std::map<std::size_t, std::set<std::string>> docids;  ///< of the new evidence, by topic
  double share() const;                                 ///< evidence / known
};

struct CoverageNumbers {
  std::size_t systems = 0, topics = 0;  ///< topics with evidence
  std::uint64_t relevant = 0;
  PoolDepth pool;
  /// `[t - 1]`: expected coverage of t systems drawn at random (D-MERIT, appendix E.1, C*_Q(S, t)).
  std::vector<double> expected;
  LogCurve by_systems;
  std::vector<PoolDepth> depths;                   ///< 1 ... fit_depth, then in about ten steps to target_depth
  LogCurve by_depth;                               ///< of the coverage, fitted on depths 1 ... fit_depth
  LogCurve found_by_depth, new_evidence_by_depth;  ///< likewise, of these numbers of passages
  CaptureRecapture capture;
  std::vector<UnjudgedPassage> unjudged;  ///< by topic, then by best rank, then by docid
};

/// C_Q(S) = 1/|Q| sum over topics with evidence of |J_q(S)| / |E_q|, where J_q(S) is the evidence in the first `depth`
/// ranks of any system (D-MERIT, appendix E). The expected coverage of t of n systems is exact: a passage that c
/// systems have in their first ranks is in the pool of t systems with probability 1 - C(n - c, t) / C(n, t).
/// \param added  new judgments whose evidence is counted by depth, or null
CoverageNumbers coverage_numbers(const JudgedRuns& runs, const CoveragePlan& plan, const NewEvidence* added = nullptr);

/// Expected coverage of 1 ... n systems. \param weight_by_systems  `[c]`: coverage that passages of exactly c systems
/// give, c = 0 ... n
std::vector<double> expected_coverage(const std::vector<double>& weight_by_systems);

/// Counts what a file of qrels adds to the labels. Only topics of the file count. Throws as for_each_qrel().
NewEvidence count_new_evidence(const std::filesystem::path& judgments, const JudgedRuns& runs, int min_grade);

}  // namespace touchstone::analysis::studies::coverage
