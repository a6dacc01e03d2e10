#pragma once

#include "analysis/studies/reannotation/assessor_grades.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// Assessors as systems. Source: "Variations in Relevance Judgments and the Shelf Life of Test Collections" (2025),
/// sections 3.3 (Annotators as Oracles) and 4.7, table 6.
namespace touchstone::analysis::studies::reannotation {

/// A run made of the new assessors' grades, scored by the original qrels.
struct OracleRun {
  std::string name;                ///< "min", "mean" or "max": how several grades of a passage become one
  double score = 0;                ///< mean over topics
  double half_width = 0;           ///< of the 95 % interval of the score (Student's t over topics); NaN for one topic
  std::vector<double> by_topic{};  ///< mean over random orders of passages with equal grades
};

/// 95 % interval of a difference, from its distribution over topics (Student's t).
struct DifferenceInterval {
  double low = 0, high = 0;
};

/// A system against the oracle runs.
struct SystemAgainstOracles {
  double score = 0, judged_only = 0;             ///< the latter without passages that the original qrels lack
  double half_width = 0, judged_half_width = 0;  ///< as OracleRun::half_width
  std::vector<double> p_values, p_judged{};  ///< paired t test against each oracle, times systems x oracles, at most 1
  std::vector<DifferenceInterval> intervals{};  ///< of each oracle's score minus the system's, without correction
};

struct OracleNumbers {
  std::vector<OracleRun> oracles;  ///< min, mean, max
  std::vector<SystemAgainstOracles> systems;
  std::size_t relevant_unseen = 0;  ///< relevant passages of these topics that no new assessor judged
  std::size_t topics = 0;           ///< judged by a new assessor and with a defined score of each run
};

/// All judged passages of a topic are ranked by the lowest, the mean or the highest grade of those new assessors who
/// judged them. Passages that only the original assessor judged rank as grade 0, because the original grade would help
/// the oracles. Topics that no new assessor judged are left out for the systems too.
/// \param shuffles  random orders of passages with equal grades
OracleNumbers oracle_numbers(const JudgedRuns& runs, const AssessorGrades& grades, const measures::LabelScorer& scorer,
                             std::size_t shuffles, std::uint64_t seed);

}  // namespace touchstone::analysis::studies::reannotation
