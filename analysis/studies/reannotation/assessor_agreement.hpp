#pragma once

#include "analysis/studies/reannotation/assessor_grades.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace touchstone::analysis::studies::reannotation {

/// Agreement of two assessors; assessor 0 is the original one.
struct PairAgreement {
  std::string topic;  ///< empty: over all topics
  std::size_t first = 0, second = 0;
  std::size_t items = 0;                                          ///< passages that both judged
  double overlap = 0, kappa = 0, overlap_two = 0, kappa_two = 0;  ///< `_two`: relevant or not
};

/// Agreement of a group of assessors over the topics that they judged.
struct GroupAgreement {
  std::vector<std::size_t> assessors;                                    ///< 0 is the original one
  std::size_t topics = 0, items = 0;                                     ///< passages that all of the group judged
  double overlap[2] = {}, kappa[2] = {}, fleiss[2] = {}, alpha[2] = {};  ///< all grades, relevant or not
};

/// Where the new assessors put the passages of each original grade: the numbers of figure 1.
struct Transitions {
  std::vector<int> grades;            ///< those that occur, ascending
  std::vector<std::uint64_t> counts;  ///< [original][new], one count for each judgment of a new assessor
  std::uint64_t at(std::size_t row, std::size_t column) const { return counts[row * grades.size() + column]; }
};

struct AgreementNumbers {
  std::vector<PairAgreement> pairs, topic_pairs;  ///< only pairs that share a passage
  std::vector<GroupAgreement> groups;             ///< each group without, then with the original assessor
  Transitions transitions;
};

/// Overlap, Cohen's and Fleiss' kappa and Krippendorff's alpha (nominal).
/// Source: "Variations in Relevance Judgments and the Shelf Life of Test Collections" (2025), section 4.1 (measures),
/// table 4 (groups), figure 1 (transitions), section 4.5 and figure 2 (Cohen's kappa of each topic).
AgreementNumbers agreement_numbers(const JudgedRuns& runs, const AssessorGrades& grades, int min_grade);

}  // namespace touchstone::analysis::studies::reannotation
