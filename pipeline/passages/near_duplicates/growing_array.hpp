#pragma once

#include "common/descriptor.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <memory>
#include <span>
#include <type_traits>

namespace touchstone::pipeline::passages::near_duplicates {

/// Memory that grows in place of being copied. With a folder, it is in a file there that has no name. With a window,
/// only so much of the file is in memory: when more was used, the system takes all of it back, and reads it again where
/// it is used next. New bytes are zero. Not thread-safe while it grows.
class GrowingMemory {
 public:
  /// \param folder  of the file; empty: memory without a file and without a window
  /// \param window_bytes  of the file that are in memory at a time; 0: no limit
  explicit GrowingMemory(std::filesystem::path folder, std::size_t window_bytes = 0);
  GrowingMemory(GrowingMemory&& other) noexcept;
  ~GrowingMemory();
  GrowingMemory& operator=(GrowingMemory&&) = delete;

  /// Makes room for this many bytes; pointers into the memory become invalid. Throws StorageError if the system has no
  /// more memory, or the disk no more space.
  void reserve(std::size_t bytes);

  /// Call before these bytes are used: they count as being in memory. All pointers stay valid. Thread-safe.
  void touch(std::size_t begin, std::size_t end) const noexcept {
    if (window_blocks_ == 0) return;
    for (std::size_t block = begin / kBlockBytes; block * kBlockBytes < end; ++block) {
      auto& word = touched_[block / kBits];
      const std::uint64_t bit = std::uint64_t{1} << (block % kBits);
      if ((word.load(std::memory_order_relaxed) & bit) == 0) count(word, bit);
    }
  }
  std::byte* data() const noexcept { return data_; }

 private:
  static constexpr std::size_t kBlockBytes = std::size_t{1} << 16;  ///< Linux maps the 64 KiB around a page it reads
  static constexpr std::size_t kBits = 64;

  void count(std::atomic<std::uint64_t>& word, std::uint64_t bit) const noexcept;

  std::filesystem::path folder_;
  Descriptor file_;
  std::byte* data_ = nullptr;
  std::size_t capacity_ = 0;
  std::size_t window_blocks_ = 0;
  std::unique_ptr<std::atomic<std::uint64_t>[]> touched_;  ///< a bit for each block
  mutable std::atomic<std::size_t> touched_blocks_ = 0;
};

/// An array of plain values in such a memory.
template <class Value>
class GrowingArray {
  static_assert(std::is_trivially_copyable_v<Value>);

 public:
  explicit GrowingArray(const std::filesystem::path& folder = {}, std::size_t window_bytes = 0)
      : memory_(folder, window_bytes) {}

  void push_back(const Value& value) { append({&value, 1}); }
  void append(std::span<const Value> values) {
    const std::size_t begin = size_;
    resize(size_ + values.size());
    if (!values.empty()) std::memcpy(at(begin, values.size()), values.data(), values.size_bytes());
  }
  void resize(std::size_t size) {
    memory_.reserve(size * sizeof(Value));
    size_ = size;
  }

  std::size_t size() const noexcept { return size_; }
  Value& operator[](std::size_t index) noexcept { return *at(index, 1); }
  const Value& operator[](std::size_t index) const noexcept { return *at(index, 1); }
  /// Neighbouring values.
  std::span<Value> view(std::size_t begin, std::size_t count) noexcept { return {at(begin, count), count}; }
  std::span<const Value> view(std::size_t begin, std::size_t count) const noexcept { return {at(begin, count), count}; }

 private:
  Value* at(std::size_t begin, std::size_t count) const noexcept {
    memory_.touch(begin * sizeof(Value), (begin + count) * sizeof(Value));
    return reinterpret_cast<Value*>(memory_.data()) + begin;
  }

  GrowingMemory memory_;
  std::size_t size_ = 0;
};

}  // namespace touchstone::pipeline::passages::near_duplicates
