#pragma once

#include "common/stop.hpp"
#include "pipeline/passages/near_duplicates/band_keys.hpp"
#include "pipeline/passages/near_duplicates/growing_array.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>

namespace touchstone::pipeline::passages::near_duplicates::internal {

/// The sets that have the same key in a band are in one bucket. A bucket lists the representatives among them in their
/// order, and at most kMaxListed of them: a bucket that is full takes no more.
///
/// Memory: 4 bytes for each set and band; for each bucket of two sets or more, 5 bytes and 4 for each set but the last.
/// Sets alone in their bucket need no bucket.
class CandidateBuckets {
 public:
  /// A representative beyond this number is not listed in a bucket. With kMaxGathered, it bounds the work for sets that
  /// share parts of their words with very many others but are near-duplicates of none.
  static constexpr std::uint8_t kMaxListed = 250;
  /// Listed sets that one search visits.
  static constexpr std::size_t kMaxGathered = 4096;

  /// \param folder  of the file for what takes much memory; empty: memory only
  explicit CandidateBuckets(const std::filesystem::path& folder) : buckets_(folder) {}

  /// Fills the buckets with `sets` sets. Runs in the caller's task arena.
  void build(const BandKeys& keys, std::size_t sets, const StopFlag& stop);

  /// Lists a set as a representative in its buckets. Sets must be listed in ascending order.
  void list(std::size_t set);

  /// Calls `candidate(other)` for each listed set >= `first` in the buckets of `set`, once for each band they share,
  /// but at most kMaxGathered times: full buckets come last, since sharing one says least. Returns whether this bound
  /// was reached or a bucket was full. Thread-safe while nothing is listed.
  template <class Candidate>
  bool for_each_listed(std::size_t set, std::size_t first, const Candidate& candidate) const {
    std::size_t left = kMaxGathered;
    const bool full = for_each_listed(set, first, false, left, candidate);
    if (full) for_each_listed(set, first, true, left, candidate);
    return full || left == 0;
  }

  std::size_t full_buckets() const noexcept;

 private:
  static constexpr std::uint32_t kAlone = 0;

  struct Pass;

  void number_buckets(const Pass& pass, std::uint64_t& listings);

  /// Only the buckets that are full, or only the others; returns whether there are any of the other kind.
  template <class Candidate>
  bool for_each_listed(std::size_t set, std::size_t first, bool full, std::size_t& left,
                       const Candidate& candidate) const {
    bool others = false;
    const std::uint32_t* buckets = buckets_.data() + set * bands_;
    for (std::size_t band = 0; band < bands_; ++band) {
      const std::uint32_t bucket = buckets[band];
      if (bucket == kAlone) continue;
      if ((listed_[bucket] == kMaxListed) != full) {
        others = true;
        continue;
      }
      const std::uint32_t* begin = listings_.data() + begins_[bucket];
      for (std::size_t i = listed_[bucket]; i > 0 && begin[i - 1] >= first && left > 0; --i, --left)
        candidate(begin[i - 1]);
    }
    return others;
  }

  std::size_t bands_ = 0;
  GrowingArray<std::uint32_t> buckets_;   ///< [set][band]: the number of the set's bucket
  GrowingArray<std::uint32_t> begins_;    ///< of each bucket in listings_
  GrowingArray<std::uint8_t> listed_;     ///< of each bucket, how many
  GrowingArray<std::uint32_t> listings_;  ///< listed sets, bucket by bucket
};

}  // namespace touchstone::pipeline::passages::near_duplicates::internal
