#pragma once

#include "analysis/agreement/coefficients.hpp"
#include "analysis/measures/label_scorer.hpp"
#include "analysis/studies/judged_runs.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace touchstone::analysis::studies::reannotation {

/// Topics that the same assessors judged, in the order of JudgedRuns. An assessor of a topic judged at least a tenth as
/// many of its passages as the one who judged most; single judgments that strayed into a file do not count.
struct AssessorBlock {
  std::vector<std::size_t> assessors;  ///< without the original one, ascending
  std::vector<std::size_t> topics;
};

/// The grades of the original qrels and of other assessors, by the passage numbers of JudgedRuns. A topic's passages
/// that neither qrels nor runs have are numbered after those. Immutable and thread-safe.
class AssessorGrades {
 public:
  static constexpr std::int16_t kNone = measures::TopicLabels::kNone;

  /// \param files  qrels of one assessor each. Throws as agreement::read_ratings(), and ConfigError if there are fewer
  /// than two, or none of them judged a topic of the runs.
  AssessorGrades(const JudgedRuns& runs, const std::vector<std::filesystem::path>& files);

  /// All judgments; assessor 0 is the original one.
  const agreement::Ratings& ratings() const noexcept { return ratings_; }
  /// Assessors without the original one.
  std::size_t assessor_count() const noexcept { return ratings_.assessors.size() - 1; }
  const std::vector<AssessorBlock>& blocks() const noexcept { return blocks_; }
  std::size_t passage_count(std::size_t topic) const { return topics_[topic].passages; }
  /// Grade by assessor 0 (the original one), 1, ...; kNone if the assessor did not judge the passage.
  std::int16_t grade(std::size_t topic, std::size_t assessor, std::size_t passage) const {
    const auto& at = topics_[topic];
    return at.grades[assessor * at.passages + passage];
  }

 private:
  struct Topic {
    std::size_t passages = 0;
    std::vector<std::int16_t> grades;  ///< [assessor][passage]
  };
  void find_blocks();

  agreement::Ratings ratings_;
  std::vector<Topic> topics_;
  std::vector<AssessorBlock> blocks_;
};

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
