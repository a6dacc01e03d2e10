#pragma once

#include "pipeline/passages/near_duplicates/near_duplicate_options.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace touchstone::pipeline::passages::near_duplicates {

/// Decides whether two sets of bigrams are near-duplicates. Thread-safe.
/// Source: Dietz and Dalton, "Humans Optional? Automatic Large-Scale Test Collections for Entity, Passage, and
/// Entity-Passage Retrieval", section 3.4: "a 50% bigram-overlap criterion". The paper does not define the overlap.
/// The default is the Jaccard coefficient of the two sets, which the published tool for TREC CAR computes.
class OverlapCriterion {
 public:
  /// \param threshold  lowest overlap, above 0 and at most 1
  OverlapCriterion(OverlapMeasure measure, double threshold) noexcept : measure_(measure), threshold_(threshold) {}

  /// The overlap of two sets that are not empty.
  double overlap(std::size_t shared, std::size_t size_a, std::size_t size_b) const noexcept;

  /// Whether the overlap of two ascending sets of hashes reaches the threshold. Sets that are empty have no overlap.
  bool holds(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) const noexcept;

  /// Whether it can be reached at all by sets of these sizes.
  bool possible(std::size_t size_a, std::size_t size_b) const noexcept;

  /// The smallest number of shared bigrams with which sets of these sizes reach the threshold; more than the smaller
  /// one has if they cannot reach it.
  std::size_t needed(std::size_t size_a, std::size_t size_b) const noexcept;

  OverlapMeasure measure() const noexcept { return measure_; }

  /// A Jaccard coefficient that near-duplicates reach, for which candidates are searched. With containment there is no
  /// such bound; it is the coefficient of two sets at the threshold of which one has twice the size of the other.
  double least_jaccard() const noexcept;

 private:
  OverlapMeasure measure_;
  double threshold_;
};

/// Number of hashes that are in both ascending sets.
std::size_t count_shared(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) noexcept;

}  // namespace touchstone::pipeline::passages::near_duplicates
