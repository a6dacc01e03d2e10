#include "pipeline/passages/near_duplicates/representatives.hpp"

#include "pipeline/passages/near_duplicates/candidate_buckets.hpp"
#include "tests/support/temporary_folder.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <oneapi/tbb/task_arena.h>

namespace touchstone::pipeline::passages::near_duplicates::internal {
namespace {

constexpr std::size_t kBatch = 2048;

struct Found {
  std::vector<std::size_t> of;
  std::uint64_t compared = 0, uncertain = 0;
  std::size_t full_buckets = 0;

  friend bool operator==(const Found&, const Found&) = default;
};

/// The definition of the search, with all buckets in memory.
class PlainSearch {
 public:
  PlainSearch(const BigramSets& sets, const BandKeys& keys, const OverlapCriterion& criterion)
      : sets_(sets), keys_(keys), criterion_(criterion) {
    for (std::size_t set = 0; set < sets.size(); ++set) {
      std::vector<std::uint32_t> of_set(keys.bands());
      keys.keys(set, 0, of_set);
      for (std::size_t band = 0; band < of_set.size(); ++band) {
        auto& bucket = *buckets_.try_emplace({band, of_set[band]}).first;
        bucket.second.last = set;
        in_.push_back(&bucket.second);
      }
    }
  }

  Found run() {
    for (std::size_t begin = 0; begin < sets_.size(); begin += kBatch) {
      const std::size_t end = std::min(begin + kBatch, sets_.size());
      std::vector<std::pair<std::size_t, bool>> early;
      for (std::size_t set = begin; set < end; ++set) early.push_back(find(set, 0));
      for (std::size_t set = begin; set < end; ++set) {
        auto [representative, bounded] = early[set - begin];
        if (representative == set) {
          const auto late = find(set, begin);
          representative = late.first;
          bounded |= late.second;
        }
        found_.of.push_back(representative);
        if (representative == set) list(set, bounded);
      }
    }
    return found_;
  }

 private:
  struct Bucket {
    std::vector<std::size_t> listed;
    std::size_t last = 0;  ///< set in it
  };

  /// By bands.
  std::span<Bucket*> buckets(std::size_t set) { return std::span(in_).subspan(set * keys_.bands(), keys_.bands()); }

  std::pair<std::size_t, bool> find(std::size_t set, std::size_t first) {
    std::map<std::size_t, std::size_t> shared;
    std::size_t left = CandidateBuckets::kMaxGathered;
    bool any_full = false;
    for (const bool full : {false, true}) {
      for (const auto* bucket : buckets(set)) {
        const auto& listed = bucket->listed;
        if ((listed.size() == CandidateBuckets::kMaxListed) != full) continue;
        any_full |= full;
        for (auto other = listed.rbegin(); other != listed.rend() && *other >= first && left > 0; ++other, --left)
          ++shared[*other];
      }
    }
    std::vector<std::pair<std::size_t, std::size_t>> candidates;  // the negative of the shared bands, and the set
    for (const auto& [other, bands] : shared) {
      if (sets_.facts(set) == sets_.facts(other) && criterion_.possible(sets_[set].size(), sets_[other].size()))
        candidates.emplace_back(keys_.bands() - bands, other);
    }
    const bool bounded = any_full || left == 0 || candidates.size() > kMaxCompared;
    std::sort(candidates.begin(), candidates.end());
    std::set<std::size_t> compared;
    for (std::size_t i = 0; i < std::min(candidates.size(), kMaxCompared); ++i) compared.insert(candidates[i].second);
    for (const auto other : compared) {
      ++found_.compared;
      if (criterion_.holds(sets_[set], sets_[other])) return {other, bounded};
    }
    return {set, bounded};
  }

  void list(std::size_t set, bool bounded) {
    found_.uncertain += bounded ? 1 : 0;
    for (auto* bucket : buckets(set)) {
      auto& listed = bucket->listed;
      if (listed.size() == CandidateBuckets::kMaxListed || bucket->last == set) continue;
      listed.push_back(set);
      found_.full_buckets += listed.size() == CandidateBuckets::kMaxListed ? 1 : 0;
    }
  }

  const BigramSets& sets_;
  const BandKeys& keys_;
  const OverlapCriterion& criterion_;
  std::map<std::pair<std::size_t, std::uint32_t>, Bucket> buckets_;  ///< by band and key
  std::vector<Bucket*> in_;                                          ///< [set][band]
  Found found_;
};

Found search(const BigramSets& sets, const BandKeys& keys, const OverlapCriterion& criterion, std::size_t memory_bytes,
             int threads) {
  const testing::TemporaryFolder folder;
  Found found;
  tbb::task_arena(threads).execute([&] {
    const auto result = find_representatives(sets, keys, criterion, {folder.path(), memory_bytes}, StopFlag());
    for (std::size_t set = 0; set < sets.size(); ++set) found.of.push_back(result.of[set]);
    found.compared = result.compared;
    found.uncertain = result.uncertain;
    found.full_buckets = result.full_buckets;
  });
  return found;
}

/// Sets of which each is a variant of one of a few patterns, or of a set before it.
BigramSets varied_sets(std::size_t count, std::size_t patterns, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<std::vector<std::uint64_t>> all;
  BigramSets sets;
  for (std::size_t i = 0; i < count; ++i) {
    std::set<std::uint64_t> bigrams;
    if (i >= patterns) {
      const auto& pattern = all[random() % (random() % 4 == 0 ? i : patterns)];
      const auto kept = 30 + random() % 60;
      for (const auto bigram : pattern)
        if (random() % 100 < kept) bigrams.insert(bigram);
    }
    while (bigrams.size() < 20) bigrams.insert(random());
    all.emplace_back(bigrams.begin(), bigrams.end());
    sets.add(all.back(), random() % 10 == 0 ? 1 : 0);
  }
  return sets;
}

TEST(Representatives, AreThoseOfTheDefinitionWithAnyMemoryAndThreads) {
  const OverlapCriterion criterion(OverlapMeasure::kJaccard, 0.5);
  for (const bool is_bounded : {false, true}) {
    SCOPED_TRACE(is_bounded ? "few patterns" : "many patterns");
    const auto sets = varied_sets(4200, is_bounded ? 3 : 400, 3);
    const auto shape = is_bounded ? MinHashShape{1, 40} : MinHashShape::for_jaccard(criterion.least_jaccard());
    const MinHashKeys keys(sets, shape, 1);
    const Found expected = PlainSearch(sets, keys, criterion).run();
    std::size_t joined = 0;
    for (std::size_t set = 0; set < sets.size(); ++set) joined += expected.of[set] != set ? 1 : 0;
    EXPECT_GT(joined, 1000U);
    EXPECT_EQ(expected.full_buckets > 0, is_bounded);
    EXPECT_EQ(expected.uncertain > 0, is_bounded);
    EXPECT_EQ(search(sets, keys, criterion, std::size_t{64} << 20, 2), expected);
    EXPECT_EQ(search(sets, keys, criterion, std::size_t{1} << 20, 1), expected);
    EXPECT_EQ(search(sets, keys, criterion, std::size_t{1} << 20, 4), expected);
  }
}

}  // namespace
}  // namespace touchstone::pipeline::passages::near_duplicates::internal
