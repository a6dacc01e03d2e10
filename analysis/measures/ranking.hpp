#pragma once

#include "analysis/measures/measure.hpp"
#include "formats/trec/qrels_table.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace touchstone::analysis::measures::internal {

// The ranking of a topic with its judgments, as measures need it.

/// A retrieved passage that the qrels hold.
struct Hit {
  std::uint32_t rank;      ///< from 0
  std::uint32_t judgment;  ///< index into QrelsTable::judgments(topic)
  std::int16_t grade;      ///< negative: in the pool, not judged
};

/// What a run retrieved for a topic. The passages at ranks without a hit are not in the qrels.
struct Ranking {
  std::uint32_t retrieved = 0;
  std::vector<Hit> hits;  ///< by rank
};

/// A ranking as a measure sees it: with or without unjudged passages, and with a lowest relevant grade.
struct View {
  std::uint32_t retrieved = 0;
  std::span<const Hit> hits;
  std::span<const std::uint32_t> relevant_ranks;       ///< from 0, ascending
  std::uint32_t relevant = 0, judged_nonrelevant = 0;  ///< in the qrels
  std::span<const std::uint32_t> grade_counts;         ///< QrelsTable::grade_counts
  int min_grade = 1;
  const formats::trec::QrelsTable* qrels = nullptr;
  std::size_t topic = 0;

  std::uint32_t relevant_retrieved() const noexcept { return static_cast<std::uint32_t>(relevant_ranks.size()); }
  /// Number of relevant passages among the first `cutoff`.
  std::uint32_t relevant_in_first(std::uint64_t cutoff) const noexcept;
};

/// How a measure looks at a ranking.
struct Lens {
  int min_grade = 1;         ///< lowest relevant grade
  bool judged_only = false;  ///< unjudged passages are removed first
  bool operator==(const Lens&) const = default;
};

/// Makes views and holds their memory: a view is valid until the maker makes the next one.
class ViewMaker {
 public:
  /// The view without `qrels` and `topic`.
  /// \param grade_counts  as QrelsTable::grade_counts, of the judgments that the hits come from
  View view(const Ranking& ranking, std::span<const std::uint32_t> grade_counts, const Lens& lens);

 private:
  std::vector<Hit> judged_;
  std::vector<std::uint32_t> relevant_ranks_;
};

/// Number of ranks that count: the measure's cutoff, or all.
std::uint32_t depth_of(const Measure& measure) noexcept;

/// log2(2 + index), the discount at rank `index` from 0.
double log2_discount(std::uint32_t index) noexcept;

// Values of a measure of the class; 0 where the formula would divide by 0, NaN if the family's average is
// kMeanOfDefined. Pure and thread-safe.
double binary_score(const Measure& measure, const View& view, std::uint64_t collection_size);
double gain_score(const Measure& measure, const View& view);
double facet_score(const Measure& measure, const View& view);

}  // namespace touchstone::analysis::measures::internal
