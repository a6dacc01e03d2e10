#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace touchstone::pipeline::passages::near_duplicates::internal {

/// Finds numbered things by their hash; the things themselves lie elsewhere. Open addressing with linear probing, 8
/// bytes a slot, at most two thirds full.
class HashIndex {
 public:
  /// The number of the thing with this hash for which `equal(number)` holds, if there is one.
  template <class Equal>
  std::optional<std::uint32_t> find(std::uint64_t hash, const Equal& equal) const {
    if (slots_.empty()) return std::nullopt;
    const Slot& slot = slots_[place(hash, equal)];
    return slot.number == kFree ? std::nullopt : std::optional(slot.number);
  }

  /// The same; adds `number` if there is none.
  template <class Equal>
  std::optional<std::uint32_t> find_or_add(std::uint64_t hash, std::uint32_t number, const Equal& equal) {
    if (3 * (count_ + 1) > 2 * slots_.size()) grow();
    Slot& slot = slots_[place(hash, equal)];
    if (slot.number != kFree) return slot.number;
    slot = {high_half(hash), number};
    ++count_;
    return std::nullopt;
  }

 private:
  static constexpr std::uint32_t kFree = 0xFFFFFFFF;
  struct Slot {
    std::uint32_t hash = 0, number = kFree;
  };

  static std::uint32_t high_half(std::uint64_t hash) noexcept { return static_cast<std::uint32_t>(hash >> 32); }

  /// The slot that holds the thing, or the free one where it would be.
  template <class Equal>
  std::size_t place(std::uint64_t hash, const Equal& equal) const {
    const std::uint32_t high = high_half(hash);
    std::size_t at = high & mask_;
    while (slots_[at].number != kFree && !(slots_[at].hash == high && equal(slots_[at].number))) at = (at + 1) & mask_;
    return at;
  }

  void grow() {
    std::vector<Slot> old(slots_.empty() ? 1024 : 2 * slots_.size());
    old.swap(slots_);
    mask_ = slots_.size() - 1;
    for (const Slot& slot : old) {
      if (slot.number == kFree) continue;
      std::size_t at = slot.hash & mask_;
      while (slots_[at].number != kFree) at = (at + 1) & mask_;
      slots_[at] = slot;
    }
  }

  std::vector<Slot> slots_;
  std::size_t mask_ = 0, count_ = 0;
};

}  // namespace touchstone::pipeline::passages::near_duplicates::internal
