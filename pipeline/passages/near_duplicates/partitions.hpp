#pragma once

#include "common/descriptor.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

#include <oneapi/tbb/spin_mutex.h>

namespace touchstone::pipeline::passages::near_duplicates::internal {

/// Numbers on the disk in partitions, each of which is read at once. Throws StorageError if the disk has no more space
/// or cannot be read.
class Partitions {
 public:
  /// Most partitions whose buffers fit into this memory.
  static std::size_t most(std::size_t memory_bytes) noexcept { return memory_bytes / kLeastBlockBytes; }

  /// \param folder  of a file without a name
  /// \param memory_bytes  for what is not written yet, but at least kLeastBlockBytes a partition
  Partitions(std::filesystem::path folder, std::size_t count, std::size_t memory_bytes);

  std::size_t size() const noexcept { return partitions_.size(); }

  /// Thread-safe.
  void add(std::size_t partition, std::uint64_t number) {
    auto& to = partitions_[partition];
    const tbb::spin_mutex::scoped_lock lock(to.mutex);
    if (to.buffer.size() == block_numbers_) write(to);
    to.buffer.push_back(number);
  }

  /// Calls `take(number)` for all numbers of a partition in any order. Thread-safe for different partitions. \pre
  /// nothing is added at the same time
  template <class Take>
  void for_each(std::size_t partition, const Take& take) const {
    const auto& from = partitions_[partition];
    for (const auto number : from.buffer) take(number);
    std::vector<std::uint64_t> numbers;
    for (const auto place : from.blocks) {
      read(place, numbers);
      for (const auto number : numbers) take(number);
    }
  }
  /// How many numbers a partition has.
  std::size_t count(std::size_t partition) const noexcept {
    return partitions_[partition].blocks.size() * block_numbers_ + partitions_[partition].buffer.size();
  }
  /// Gives the memory of a partition back.
  void forget(std::size_t partition) noexcept {
    // Assigning {} would keep it.
    std::vector<std::uint64_t>().swap(partitions_[partition].buffer);
    std::vector<std::uint64_t>().swap(partitions_[partition].blocks);
  }

 private:
  static constexpr std::size_t kLeastBlockBytes = std::size_t{4} << 10, kMostBlockBytes = std::size_t{64} << 10;

  struct Partition {
    tbb::spin_mutex mutex;
    std::vector<std::uint64_t> buffer;
    std::vector<std::uint64_t> blocks;  ///< where they begin in the file
  };

  void write(Partition& partition);
  void read(std::uint64_t place, std::vector<std::uint64_t>& numbers) const;

  std::filesystem::path folder_;
  Descriptor file_;
  std::size_t block_numbers_;
  std::vector<Partition> partitions_;
  std::atomic<std::uint64_t> end_ = 0;  ///< of the file
};

}  // namespace touchstone::pipeline::passages::near_duplicates::internal
