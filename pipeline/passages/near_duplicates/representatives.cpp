#include "pipeline/passages/near_duplicates/representatives.hpp"

#include "pipeline/passages/near_duplicates/candidate_buckets.hpp"
#include "pipeline/passages/near_duplicates/shared_bigrams.hpp"

#include <algorithm>
#include <limits>

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/parallel_for.h>

namespace touchstone::pipeline::passages::near_duplicates::internal {
namespace {

/// Sets that are compared in parallel with the representatives before them. Part of the result for sets whose search is
/// bounded, so it does not depend on the number of threads.
constexpr std::size_t kBatch = 2048;
constexpr std::size_t kSetsPerSearch = 16;
constexpr std::uint32_t kNoRepresentative = std::numeric_limits<std::uint32_t>::max();

/// What one set found.
struct Search {
  std::uint32_t representative = kNoRepresentative;
  bool bounded = false;
};

/// A set that was proposed.
struct Candidate {
  std::uint32_t set;
  std::uint32_t shared;  ///< how often it was proposed, at most 255
};

/// Counts how often each set is proposed, in a hash table with linear probing that never is more than half full.
class CandidateCounts {
 public:
  void add(std::uint32_t set) {
    std::size_t slot = (set * 0x9e3779b1U) >> kShift;
    while (slots_[slot] != 0 && counted_[slots_[slot] - 1].set != set) slot = (slot + 1) % kSlots;
    if (slots_[slot] == 0) {
      counted_.push_back({set, 0});
      used_.push_back(static_cast<std::uint16_t>(slot));
      slots_[slot] = static_cast<std::uint16_t>(counted_.size());
    }
    auto& shared = counted_[slots_[slot] - 1].shared;
    if (shared < std::numeric_limits<std::uint8_t>::max()) ++shared;
  }
  /// What was counted, in any order. Empties the table.
  std::vector<Candidate>& take() {
    for (const auto slot : used_) slots_[slot] = 0;
    used_.clear();
    return counted_;
  }

 private:
  static constexpr std::size_t kSlots = 8192;
  static constexpr int kShift = 32 - 13;
  static_assert(CandidateBuckets::kMaxGathered <= kSlots / 2 && SharedBigrams::kMaxGathered <= kSlots / 2);

  std::vector<std::uint16_t> slots_ = std::vector<std::uint16_t>(kSlots);  ///< number in counted_ + 1; 0: free
  std::vector<std::uint16_t> used_;
  std::vector<Candidate> counted_;
};

/// The memory of one thread.
struct Scratch {
  CandidateCounts counts;
  std::uint64_t compared = 0;
};

/// \tparam Candidates  CandidateBuckets or SharedBigrams
template <class Candidates>
class RepresentativeSearch {
 public:
  RepresentativeSearch(const BigramSets& sets, const OverlapCriterion& criterion, const Candidates& proposed)
      : sets_(sets), criterion_(criterion), proposed_(proposed) {}

  /// Looks for the first representative >= `first`.
  Search find(std::size_t set, std::size_t first, Scratch& scratch) const {
    Search search;
    search.bounded = proposed_.for_each_listed(set, first, [&](std::uint32_t other) { scratch.counts.add(other); });
    auto& candidates = scratch.counts.take();
    search.bounded |= choose(set, candidates);
    for (const auto& candidate : candidates) {
      ++scratch.compared;
      if (!criterion_.holds(sets_[set], sets_[candidate.set])) continue;
      search.representative = candidate.set;
      break;
    }
    candidates.clear();
    return search;
  }

 private:
  /// Leaves the candidates that are compared, in ascending order. Returns whether there were too many.
  bool choose(std::size_t set, std::vector<Candidate>& candidates) const {
    if (candidates.empty()) return false;
    const std::size_t size = sets_.size(set);
    std::erase_if(candidates, [&](const Candidate& other) {
      return sets_.facts(set) != sets_.facts(other.set) || !criterion_.possible(size, sets_.size(other.set));
    });
    const bool too_many = candidates.size() > kMaxCompared;
    if (too_many) {
      const auto last = candidates.begin() + static_cast<std::ptrdiff_t>(kMaxCompared);
      std::nth_element(candidates.begin(), last, candidates.end(), [](const Candidate& a, const Candidate& b) {
        return a.shared != b.shared ? a.shared > b.shared : a.set < b.set;
      });
      candidates.resize(kMaxCompared);
    }
    std::sort(candidates.begin(), candidates.end(),
              [](const Candidate& a, const Candidate& b) { return a.set < b.set; });
    return too_many;
  }

  const BigramSets& sets_;
  const OverlapCriterion& criterion_;
  const Candidates& proposed_;
};

template <class Candidates>
Representatives search_all(const BigramSets& sets, Candidates& proposed, const OverlapCriterion& criterion,
                           const WorkSpace& space, const StopFlag& stop) {
  const RepresentativeSearch search(sets, criterion, proposed);
  tbb::enumerable_thread_specific<Scratch> scratches;
  Representatives found{GrowingArray<std::uint32_t>(space.folder, space.part(16))};
  found.of.resize(sets.size());
  std::vector<Search> batch(kBatch);
  for (std::size_t begin = 0; begin < sets.size(); begin += kBatch) {
    stop.check();
    const std::size_t end = std::min(begin + kBatch, sets.size());
    proposed.load(begin, end);
    tbb::parallel_for(tbb::blocked_range<std::size_t>(begin, end, kSetsPerSearch), [&](const auto& range) {
      Scratch& scratch = scratches.local();
      for (std::size_t set = range.begin(); set != range.end(); ++set)
        batch[set - begin] = search.find(set, 0, scratch);
    });
    Scratch& scratch = scratches.local();
    for (std::size_t set = begin; set < end; ++set) {
      Search result = batch[set - begin];
      if (result.representative == kNoRepresentative) {
        const bool bounded = result.bounded;
        result = search.find(set, begin, scratch);
        result.bounded |= bounded;
      }
      found.of[set] = result.representative;
      if (result.representative != kNoRepresentative) continue;
      found.of[set] = static_cast<std::uint32_t>(set);
      found.uncertain += result.bounded ? 1 : 0;
      proposed.list(set);
    }
  }
  for (const Scratch& scratch : scratches) found.compared += scratch.compared;
  found.full_buckets = proposed.full_buckets();
  return found;
}

}  // namespace

Representatives find_representatives(const BigramSets& sets, const BandKeys& keys, const OverlapCriterion& criterion,
                                     const WorkSpace& space, const StopFlag& stop) {
  CandidateBuckets buckets(keys, sets.size(), space);
  buckets.build(stop);
  return search_all(sets, buckets, criterion, space, stop);
}

Representatives find_by_shared_bigrams(const BigramSets& sets, const OverlapCriterion& criterion,
                                       const WorkSpace& space, const StopFlag& stop) {
  SharedBigrams shared(sets, criterion, space.folder);
  shared.build(stop);
  return search_all(sets, shared, criterion, space, stop);
}

}  // namespace touchstone::pipeline::passages::near_duplicates::internal
