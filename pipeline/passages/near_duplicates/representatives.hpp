#pragma once

#include "common/stop.hpp"
#include "pipeline/passages/near_duplicates/band_keys.hpp"
#include "pipeline/passages/near_duplicates/bigram_sets.hpp"
#include "pipeline/passages/near_duplicates/growing_array.hpp"
#include "pipeline/passages/near_duplicates/overlap.hpp"
#include "pipeline/passages/near_duplicates/work_space.hpp"

#include <cstddef>
#include <cstdint>

namespace touchstone::pipeline::passages::near_duplicates::internal {

/// The representative of each set, and what it took to find them.
struct Representatives {
  GrowingArray<std::uint32_t> of;  ///< a set that represents itself has its own number
  std::uint64_t compared = 0;      ///< pairs that were compared
  std::uint64_t uncertain = 0;     ///< sets without a representative before them whose search was bounded
  std::size_t full_buckets = 0;
};

/// Goes through the sets in their order. A set joins the first representative before it with which the criterion holds,
/// among those that the keys propose; without one it becomes a representative itself.
///
/// So every set is compared with its representative and overlaps with it by the threshold. The other way to form
/// groups, connected components of all pairs, would not promise that: overlap is not transitive, and in a wiki whose
/// pages start alike chains of pairs join paragraphs that share nothing.
///
/// A search visits at most CandidateBuckets::kMaxGathered listings in buckets, of which each lists at most kMaxListed
/// representatives, and compares at most kMaxCompared of them, those that share the most bands. Time is therefore
/// linear in the number of sets. A set that becomes a representative though a bound had cut its search stays in the
/// corpus and is counted in `uncertain`.
///
/// The result is the same for any number of threads and any memory. Runs in the caller's task arena. Memory: that of
/// the work space.
Representatives find_representatives(const BigramSets& sets, const BandKeys& keys, const OverlapCriterion& criterion,
                                     const WorkSpace& space, const StopFlag& stop);

/// The same with SharedBigrams, for containment. Memory: that of SharedBigrams besides. \pre the criterion is
/// containment
Representatives find_by_shared_bigrams(const BigramSets& sets, const OverlapCriterion& criterion,
                                       const WorkSpace& space, const StopFlag& stop);

inline constexpr std::size_t kMaxCompared = 512;

}  // namespace touchstone::pipeline::passages::near_duplicates::internal
