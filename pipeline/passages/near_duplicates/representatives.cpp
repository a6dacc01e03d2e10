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

/// The memory of one thread.
struct Scratch {
  std::vector<std::uint8_t> shared;  ///< how often each set was proposed; all 0 between searches
  std::vector<std::uint32_t> candidates;
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
    scratch.shared.resize(sets_.size());
    scratch.candidates.clear();
    Search search;
    search.bounded = proposed_.for_each_listed(set, first, [&](std::uint32_t other) {
      auto& shared = scratch.shared[other];
      if (shared == 0) scratch.candidates.push_back(other);
      if (shared < std::numeric_limits<std::uint8_t>::max()) ++shared;
    });
    search.bounded |= choose(set, scratch);
    for (const std::uint32_t other : scratch.candidates) {
      ++scratch.compared;
      if (!criterion_.holds(sets_[set], sets_[other])) continue;
      search.representative = other;
      break;
    }
    return search;
  }

 private:
  /// Leaves the candidates that are compared, in ascending order. Returns whether there were too many.
  bool choose(std::size_t set, Scratch& scratch) const {
    auto& candidates = scratch.candidates;
    auto& shared = scratch.shared;
    const std::size_t size = sets_[set].size();
    const auto impossible = [&](std::uint32_t other) {
      return sets_.facts(set) != sets_.facts(other) || !criterion_.possible(size, sets_[other].size());
    };
    const auto middle = std::partition(candidates.begin(), candidates.end(), std::not_fn(impossible));
    for (auto it = middle; it != candidates.end(); ++it) shared[*it] = 0;
    candidates.erase(middle, candidates.end());
    const bool too_many = candidates.size() > kMaxCompared;
    if (too_many) {
      const auto last = candidates.begin() + static_cast<std::ptrdiff_t>(kMaxCompared);
      std::nth_element(candidates.begin(), last, candidates.end(), [&](std::uint32_t a, std::uint32_t b) {
        return shared[a] != shared[b] ? shared[a] > shared[b] : a < b;
      });
    }
    for (const std::uint32_t other : candidates) shared[other] = 0;
    if (too_many) candidates.resize(kMaxCompared);
    std::sort(candidates.begin(), candidates.end());
    return too_many;
  }

  const BigramSets& sets_;
  const OverlapCriterion& criterion_;
  const Candidates& proposed_;
};

template <class Candidates>
Representatives search_all(const BigramSets& sets, Candidates& proposed, const OverlapCriterion& criterion,
                           const StopFlag& stop) {
  const RepresentativeSearch search(sets, criterion, proposed);
  tbb::enumerable_thread_specific<Scratch> scratches;
  Representatives found;
  found.of.resize(sets.size());
  std::vector<Search> batch(kBatch);
  for (std::size_t begin = 0; begin < sets.size(); begin += kBatch) {
    stop.check();
    const std::size_t end = std::min(begin + kBatch, sets.size());
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
                                     const std::filesystem::path& folder, const StopFlag& stop) {
  CandidateBuckets buckets(folder);
  buckets.build(keys, sets.size(), stop);
  return search_all(sets, buckets, criterion, stop);
}

Representatives find_by_shared_bigrams(const BigramSets& sets, const OverlapCriterion& criterion,
                                       const std::filesystem::path& folder, const StopFlag& stop) {
  SharedBigrams shared(sets, criterion, folder);
  shared.build(stop);
  return search_all(sets, shared, criterion, stop);
}

}  // namespace touchstone::pipeline::passages::near_duplicates::internal
