#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace touchstone::collection::automatic {

/// Numbers by digests, in open addressing. Memory: 16 to 32 bytes an entry. Thread-safe for reading.
class DigestTable {
 public:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  /// The number of the digest, or kNone.
  std::uint32_t find(std::uint64_t digest) const noexcept {
    return numbers_.empty() ? kNone : numbers_[slot_of(digest)];
  }
  /// Has no effect if the digest has a number. \pre number != kNone
  void add(std::uint64_t digest, std::uint32_t number) {
    if (4 * (count_ + 1) > 3 * numbers_.size()) grow();
    const auto slot = slot_of(digest);
    if (numbers_[slot] != kNone) return;
    digests_[slot] = digest;
    numbers_[slot] = number;
    ++count_;
  }

 private:
  /// That of the digest, or the free one where it would be.
  std::size_t slot_of(std::uint64_t digest) const noexcept {
    auto slot = digest & (numbers_.size() - 1);
    while (numbers_[slot] != kNone && digests_[slot] != digest) slot = (slot + 1) & (numbers_.size() - 1);
    return slot;
  }

  void grow() {
    constexpr std::size_t kFewest = 64;  // the size is a power of two
    DigestTable larger;
    larger.digests_.resize(numbers_.empty() ? kFewest : 2 * numbers_.size());
    larger.numbers_.resize(larger.digests_.size(), kNone);
    for (std::size_t slot = 0; slot < numbers_.size(); ++slot) {
      if (numbers_[slot] != kNone) larger.add(digests_[slot], numbers_[slot]);
    }
    *this = std::move(larger);
  }

  std::vector<std::uint64_t> digests_;
  std::vector<std::uint32_t> numbers_;  ///< kNone: the slot is free
  std::size_t count_ = 0;
};

}  // namespace touchstone::collection::automatic
