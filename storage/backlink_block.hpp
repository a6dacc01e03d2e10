#pragma once

#include "common/ids.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Lists of the pages that link to a page, as bits. A list holds the numbers of its sources (SourcePages), not their
/// page ids: numbers have no gaps, so their differences are small. Layout and measurements: docs/store.md.
namespace touchstone::storage::internal {

/// Appends bits, the lowest bit of each byte first.
class BitWriter {
 public:
  /// \pre value < 2^count, count <= 32
  void bits(std::uint64_t value, unsigned count);
  /// So many zeros and a one.
  void unary(std::uint64_t zeros);
  /// Elias gamma code. \pre value is in 1..2^32
  void gamma(std::uint64_t value);
  std::uint64_t size() const noexcept { return bytes_.size() * 8 + held_; }
  /// All bits, filled up with zeros to whole bytes. Empties the writer.
  std::string take();

 private:
  std::string bytes_;
  std::uint64_t word_ = 0;  ///< bits that are not in bytes_ yet
  unsigned held_ = 0;       ///< their number, less than 8 between calls
};

/// Collects the lists of neighbouring targets.
class BacklinkBlockBuilder {
 public:
  /// \param sources  how many pages are numbered
  explicit BacklinkBlockBuilder(std::uint32_t sources) : sources_(sources) {}

  /// \pre targets ascend; numbers are not empty, ascend strictly and are less than `sources`
  void add(PageId target, std::span<const std::uint32_t> numbers);
  bool empty() const noexcept { return targets_ == 0; }
  /// True when the next list should begin another block.
  bool full() const noexcept;
  /// The last target. \pre not empty
  PageId last() const noexcept { return PageId{last_}; }
  /// The block. Empties the builder.
  std::string take();

 private:
  std::uint32_t sources_, first_ = 0, last_ = 0;
  std::size_t targets_ = 0;
  std::uint64_t links_ = 0;
  BitWriter heads_, high_, low_;
};

/// Reads a block. Throws StorageError for bytes that no builder made, and reads nothing outside of them. Thread-safe.
class BacklinkBlock {
 public:
  static constexpr std::size_t kMostTargets = 32;

  /// \param bytes  outlive this object
  explicit BacklinkBlock(std::string_view bytes);

  std::size_t size() const noexcept { return size_; }
  /// How many pages are numbered.
  std::uint32_t sources() const noexcept { return sources_; }
  PageId target(std::size_t at) const { return PageId{heads_.at(at).target}; }
  std::uint32_t count(std::size_t at) const { return heads_.at(at).count; }
  /// The place of a target in the block; nothing if it has no list.
  std::optional<std::size_t> find(PageId target) const;
  /// Replaces `numbers` by a list.
  void read(std::size_t at, std::vector<std::uint32_t>& numbers) const;
  /// Calls `use(target, numbers)` for all lists in order.
  template <class Use>
  void for_each(std::vector<std::uint32_t>& numbers, const Use& use) const {
    Place place;
    for (std::size_t at = 0; at < size_; ++at) {
      read(heads_[at], place, numbers);
      use(PageId{heads_[at].target}, numbers);
    }
  }

 private:
  struct Head {
    std::uint32_t target, count;
  };
  /// Where a list begins.
  struct Place {
    std::uint64_t high = 0, low = 0;  ///< bits
  };
  void read(const Head& head, Place& place, std::vector<std::uint32_t>& numbers) const;

  std::uint32_t sources_ = 0;
  std::size_t size_ = 0;
  std::array<Head, kMostTargets> heads_;
  std::string_view high_, low_;
};

}  // namespace touchstone::storage::internal
