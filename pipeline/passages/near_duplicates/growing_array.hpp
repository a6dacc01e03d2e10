#pragma once

#include "common/descriptor.hpp"

#include <cstddef>
#include <cstring>
#include <filesystem>
#include <span>
#include <type_traits>

namespace touchstone::pipeline::passages::near_duplicates::internal {

/// Memory that grows in place of being copied. With a folder, it lies in a file there that has no name, so that the
/// system can write parts of it to disk when memory is short. New bytes are zero. Not thread-safe while it grows.
class GrowingMemory {
 public:
  /// \param folder  of the file; empty: memory without a file
  explicit GrowingMemory(const std::filesystem::path& folder);
  GrowingMemory(GrowingMemory&& other) noexcept;
  ~GrowingMemory();
  GrowingMemory& operator=(GrowingMemory&&) = delete;

  /// Makes room for this many bytes; pointers into the memory become invalid. Throws StorageError if the system has no
  /// more memory, or the disk no more space.
  void reserve(std::size_t bytes);
  void release() noexcept;
  std::byte* data() const noexcept { return data_; }

 private:
  std::filesystem::path folder_;
  Descriptor file_;
  std::byte* data_ = nullptr;
  std::size_t capacity_ = 0;
};

/// An array of plain values in such a memory.
template <class Value>
class GrowingArray {
  static_assert(std::is_trivially_copyable_v<Value>);

 public:
  explicit GrowingArray(const std::filesystem::path& folder = {}) : memory_(folder) {}

  void push_back(const Value& value) { append({&value, 1}); }
  void append(std::span<const Value> values) {
    const std::size_t begin = size_;
    resize(size_ + values.size());
    if (!values.empty()) std::memcpy(data() + begin, values.data(), values.size_bytes());
  }
  void resize(std::size_t size) {
    memory_.reserve(size * sizeof(Value));
    size_ = size;
  }
  /// Gives all memory back.
  void release() noexcept {
    memory_.release();
    size_ = 0;
  }

  std::size_t size() const noexcept { return size_; }
  Value* data() noexcept { return reinterpret_cast<Value*>(memory_.data()); }
  const Value* data() const noexcept { return reinterpret_cast<const Value*>(memory_.data()); }
  Value& operator[](std::size_t index) noexcept { return data()[index]; }
  const Value& operator[](std::size_t index) const noexcept { return data()[index]; }

 private:
  GrowingMemory memory_;
  std::size_t size_ = 0;
};

}  // namespace touchstone::pipeline::passages::near_duplicates::internal
