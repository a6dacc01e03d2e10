#pragma once

#include "common/records/sorter.hpp"
#include "common/stop.hpp"
#include "pipeline/passages/near_duplicates/band_keys.hpp"
#include "pipeline/passages/near_duplicates/growing_array.hpp"
#include "pipeline/passages/near_duplicates/partitions.hpp"
#include "pipeline/passages/near_duplicates/work_space.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace touchstone::pipeline::passages::near_duplicates::internal {

/// The sets that have the same key in a band are in one bucket. A bucket lists the representatives among them in their
/// order, and at most kMaxListed of them: a bucket that is full takes no more. Sets alone in their bucket need no
/// bucket.
///
/// `build` writes the keys into partitions on the disk, sorts these one by one, and writes for each set in which
/// buckets it is into other partitions, which a search reads in the order of the sets. Of a bucket of two, the second
/// set knows the first one. The other buckets keep their lists in a file, those with the same first set side by side.
///
/// Disk: 8 bytes for each set and band, 8 for each set and bucket of several sets, and for each bucket of three sets or
/// more 8 bytes and 4 for each set but the last. The memory is that of the work space.
class CandidateBuckets {
 public:
  /// A representative beyond this number is not listed in a bucket. With kMaxGathered, it bounds the work for sets that
  /// share parts of their words with very many others but are near-duplicates of none.
  static constexpr std::uint32_t kMaxListed = 250;
  /// Listed sets that one search visits.
  static constexpr std::size_t kMaxGathered = 4096;

  CandidateBuckets(const BandKeys& keys, std::size_t sets, const WorkSpace& space);

  /// Finds the buckets. Runs in the caller's task arena.
  void build(const StopFlag& stop);

  /// Goes to the sets [begin, end), the only ones that can be used then. Sets must be loaded in ascending order, all of
  /// them. Throws Error if there are too many buckets.
  void load(std::size_t begin, std::size_t end);

  /// Lists a loaded set as a representative in its buckets. Sets must be listed in ascending order.
  void list(std::size_t set);

  /// Calls `candidate(other)` for each listed set >= `first` in the buckets of a loaded set, once for each band they
  /// share, but at most kMaxGathered times: full buckets come last, since sharing one says least. Returns whether this
  /// bound was reached or a bucket was full. Thread-safe while nothing is listed.
  template <class Candidate>
  bool for_each_listed(std::size_t set, std::size_t first, const Candidate& candidate) const {
    std::size_t left = kMaxGathered;
    const bool full = for_each_listed(set, first, false, left, candidate);
    if (full) for_each_listed(set, first, true, left, candidate);
    return full || left == 0;
  }

  std::size_t full_buckets() const noexcept { return full_buckets_; }

 private:
  /// What a set is in its bucket of a band.
  enum class Kind : std::uint8_t {
    kSecondOfTwo,  ///< with the first one as value
    kFirst,        ///< of three or more, with the most that the bucket can list as value
    kLater         ///< of three or more, with the first one as value
  };
  /// A set in a bucket. Entries of a partition ascend by set and band.
  struct Entry {
    static constexpr int kSetBits = 22;

    Entry(std::uint64_t packed) noexcept : bits(packed) {}  // NOLINT(google-explicit-constructor): as it is on the disk
    Entry(std::uint64_t set_of_partition, std::size_t band, Kind kind, std::uint32_t value) noexcept
        : bits((set_of_partition << 42) | (std::uint64_t{band} << 34) | (static_cast<std::uint64_t>(kind) << 32) |
               value) {}
    std::uint64_t set_of_partition() const noexcept { return bits >> 42; }
    std::size_t band() const noexcept { return (bits >> 34) & 0xFF; }
    Kind kind() const noexcept { return static_cast<Kind>((bits >> 32) & 3); }
    std::uint32_t value() const noexcept { return static_cast<std::uint32_t>(bits); }

    std::uint64_t bits;
  };
  using Sorter = records::Sorter<std::uint64_t>;

  void write_keys(Partitions& keys, int part_bits, const StopFlag& stop) const;
  void find_buckets(std::size_t band, Sorter& keys);
  void add(std::uint32_t set, std::size_t band, Kind kind, std::uint32_t value) {
    by_set_->add(set >> range_bits_, Entry(set & ((1U << range_bits_) - 1), band, kind, value).bits);
  }
  void open_range(std::size_t range);
  void make_lists(std::size_t set);
  std::span<const std::uint64_t> entries(std::size_t set) const noexcept {
    const std::size_t i = set - loaded_begin_, begin = i == 0 ? 0 : loaded_ends_[i - 1];
    return {loaded_.data() + begin, loaded_ends_[i] - begin};
  }
  /// The place in lists_ of the list of the bucket of this band whose first set this is: its size and room, then the
  /// listed sets.
  std::size_t list_of(std::size_t first, std::size_t band) const noexcept;
  bool is_listed(std::size_t set) const noexcept { return ((listed_[set / 64] >> (set % 64)) & 1) != 0; }

  /// Only the buckets that are full, or only the others; returns whether there are any of the other kind.
  template <class Candidate>
  bool for_each_listed(std::size_t set, std::size_t first, bool full, std::size_t& left,
                       const Candidate& candidate) const {
    bool others = false;
    for (const Entry entry : entries(set)) {
      if (entry.kind() == Kind::kFirst) continue;  // lists nothing before this set
      if (entry.kind() == Kind::kSecondOfTwo) {
        if (full || left == 0 || entry.value() < first || !is_listed(entry.value())) continue;
        candidate(entry.value());
        --left;
        continue;
      }
      const std::size_t list = list_of(entry.value(), entry.band());
      const std::uint32_t size = lists_[list];
      if ((size == kMaxListed) != full) {
        others = true;
        continue;
      }
      const auto listed = lists_.view(list + kListHead, size);
      for (std::size_t i = size; i > 0 && listed[i - 1] >= first && left > 0; --i, --left) candidate(listed[i - 1]);
    }
    return others;
  }

  static constexpr std::size_t kListHead = 2;  ///< size and room

  const BandKeys& keys_;
  std::size_t sets_, bands_;
  WorkSpace space_;
  int range_bits_ = 0;                    ///< a partition has the entries of 2^range_bits_ sets
  std::optional<Partitions> by_set_;      ///< entries
  std::optional<Sorter> sorted_;          ///< the partition that is read
  std::size_t sorted_range_ = 0;          ///< its number
  std::optional<std::uint64_t> next_;     ///< the entry behind the loaded sets
  std::size_t loaded_begin_ = 0;          ///< the first loaded set
  std::vector<std::uint64_t> loaded_;     ///< entries
  std::vector<std::size_t> loaded_ends_;  ///< of each loaded set in loaded_
  GrowingArray<std::uint32_t> lists_;     ///< of the buckets of three sets or more
  GrowingArray<std::uint32_t> lists_at_;  ///< where those of each first set are
  GrowingArray<std::uint64_t> listed_;    ///< a bit for each set
  std::size_t full_buckets_ = 0;
};

}  // namespace touchstone::pipeline::passages::near_duplicates::internal
