#pragma once

#include "analysis/agreement/decision_agreement.hpp"
#include "analysis/measures/label_scorer.hpp"
#include "analysis/studies/judged_runs.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

/// The ranking of systems by part of the evidence, against the ranking by all of it.
namespace touchstone::analysis::studies::partial {

/// How the ranking by partial labels agrees with the ranking by all labels.
struct Outcome {
  agreement::PairCounts pairs;
  agreement::Concordance concordance;
  std::array<agreement::PairBucket, agreement::kPairBuckets> buckets;
  std::vector<double> means;  ///< [systems] by the partial labels, also of a system that left the comparison
};

/// One passage of evidence for each topic, as an index into the topic's evidence, or kNoEvidence for a topic that is
/// left out.
inline constexpr auto kNoEvidence = std::numeric_limits<std::uint32_t>::max();
using SingleSelection = std::vector<std::uint32_t>;

/// For each topic the evidence in the order in which it is labelled, as indices into the topic's evidence.
using EvidenceOrder = std::vector<std::vector<std::uint32_t>>;

/// Scores systems by labels that are part of the evidence of qrels. Evidence is what the qrels give at least the lowest
/// relevant grade. A passage of evidence that is not selected counts as not judged, and so do the passages of lower
/// positive grades, which measures of gains would count. Grades of 0 and below stay.
/// Immutable after construction and thread-safe.
class EvidenceLabels {
 public:
  /// Keeps references to both. Throws ConfigError for fewer than two systems or topics with values.
  /// \param alpha  level of the paired t test behind concordance
  EvidenceLabels(const JudgedRuns& runs, const measures::LabelScorer& scorer, double alpha);

  const JudgedRuns& runs() const noexcept { return runs_; }
  const measures::LabelScorer& scorer() const noexcept { return scorer_; }
  /// Numbers of the passages of evidence of a topic, in byte order of their docids.
  const std::vector<std::uint32_t>& evidence(std::size_t topic) const { return evidence_[topic]; }
  std::size_t evidence_count() const noexcept;
  std::size_t topics_with_evidence() const noexcept;

  /// The ranking by one label for each topic.
  /// \param without  a system that leaves the comparison
  Outcome single(const SingleSelection& selection, std::optional<std::size_t> without = std::nullopt) const;

  /// The rankings by growing shares of the evidence: for each fraction f the first max(1, round(f n)) passages of the
  /// order of each topic with n. The passages of lower positive grades join in the same shares, by docid.
  std::vector<Outcome> growing(const EvidenceOrder& order, std::span<const double> fractions,
                               std::optional<std::size_t> without = std::nullopt) const;

  /// Pairs of systems by the p-value of the paired t test on all labels.
  const std::vector<double>& reference_p_values() const noexcept { return p_values_; }
  /// Means of the systems by all labels.
  const std::vector<double>& reference_means() const noexcept { return means_; }

 private:
  void compare_by_all_labels();
  void rank_evidence();
  void score_single_labels(std::size_t topic);
  /// \param columns  of the topics: a score for each system
  Outcome outcome(std::span<const std::vector<double>> columns, std::optional<std::size_t> without) const;

  const JudgedRuns& runs_;
  const measures::LabelScorer& scorer_;
  double alpha_;
  std::vector<std::vector<std::uint32_t>> evidence_;  ///< [topics]
  std::vector<std::vector<std::uint32_t>> lower_;     ///< [topics]: passages of positive grades that are no evidence
  std::vector<measures::TopicLabels> other_labels_;   ///< [topics]: grades of 0 and below
  std::vector<std::vector<measures::RankedPassage>> ranked_;  ///< [topics * systems]: judged passages that count
  std::vector<std::vector<double>> single_scores_;            ///< [topics][evidence * systems]
  std::vector<double> means_, p_values_;                      ///< [systems], [pairs]
  std::vector<agreement::SystemRelation> reference_;          ///< [pairs]
};

// Which evidence is labelled first. All functions are pure and thread-safe.

/// A random passage of each topic, the same for the same seed and sample.
SingleSelection random_selection(const EvidenceLabels& labels, std::uint64_t seed, std::uint64_t sample);

/// All evidence of each topic in a random order, the same for the same seed and sample.
EvidenceOrder random_order(const EvidenceLabels& labels, std::uint64_t seed, std::uint64_t sample);

/// The evidence by descending, or else ascending, number; equal numbers by docid in byte order. Docids without a number
/// count as 0.
EvidenceOrder order_by_number(const EvidenceLabels& labels,
                              const std::unordered_map<std::string, std::uint64_t>& numbers, bool descending);

/// The first passage of each order; kNoEvidence for a topic without.
SingleSelection first_of(const EvidenceOrder& order);

/// The first evidence in the run of the system, however deep; kNoEvidence for topics where it retrieves none.
SingleSelection system_selection(const EvidenceLabels& labels, std::size_t system);

/// The evidence in the order in which the system retrieves it, and after that the rest in a random order.
EvidenceOrder system_order(const EvidenceLabels& labels, std::size_t system, std::uint64_t seed);

}  // namespace touchstone::analysis::studies::partial
