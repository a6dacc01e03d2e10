#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace touchstone::pipeline::corpus::links {

/// A set of numbers that are dense, such as the ids of a database: 2 bits for each number up to the largest, and each
/// of its blocks of 65,536 numbers takes memory only if a number is in it. Thread-safe once `seal` was called.
class NumberSet {
 public:
  /// \param most_bytes  of memory
  explicit NumberSet(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  /// False if the numbers lie so far apart that the memory does not do; the number is not in the set then.
  bool add(std::uint64_t number);
  /// Counts what `rank` needs. Call after the last `add`.
  void seal();

  std::size_t size() const noexcept { return size_; }
  bool contains(std::uint64_t number) const noexcept { return rank(number).has_value(); }
  /// How many numbers of the set are less than this one; nothing if it is not in the set. \pre sealed
  std::optional<std::size_t> rank(std::uint64_t number) const noexcept {
    const auto block = number / kBlockNumbers;
    if (block >= blocks_.size() || blocks_[block] == nullptr) return std::nullopt;
    const Word& word = (*blocks_[block])[number % kBlockNumbers / 64];
    const auto bit = std::uint64_t{1} << (number % 64);
    if ((word.bits & bit) == 0) return std::nullopt;
    return word.before + static_cast<std::size_t>(std::popcount(word.bits & (bit - 1)));
  }

 private:
  static constexpr std::uint64_t kBlockNumbers = 65'536;

  struct Word {
    std::uint64_t bits = 0;
    std::uint64_t before = 0;  ///< numbers of the set in front of the word
  };
  using Block = std::array<Word, kBlockNumbers / 64>;

  std::size_t most_bytes_;
  std::size_t used_blocks_ = 0, size_ = 0;
  std::vector<std::unique_ptr<Block>> blocks_;
};

}  // namespace touchstone::pipeline::corpus::links
