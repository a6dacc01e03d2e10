#pragma once

#include "analysis/studies/coverage/human_sample.hpp"
#include "analysis/studies/coverage/log_curve.hpp"
#include "analysis/studies/coverage/recall_estimates.hpp"
#include "analysis/studies/judged_runs.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

/// Pools of systems and the evidence in them. All functions are pure and thread-safe.
namespace touchstone::analysis::studies::coverage {

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
