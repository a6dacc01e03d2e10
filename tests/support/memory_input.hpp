#pragma once

#include "formats/car/cbor_items.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

namespace touchstone::formats::car::testing {

/// Bytes in memory.
class MemoryInput : public ByteInput {
 public:
  MemoryInput(std::string name, std::string bytes, std::size_t piece_bytes)
      : name_(std::move(name)), bytes_(std::move(bytes)), piece_bytes_(piece_bytes) {}

  std::size_t read(char* into, std::size_t size) override {
    const auto count = std::min({size, piece_bytes_, bytes_.size() - position_});
    std::memcpy(into, bytes_.data() + position_, count);
    position_ += count;
    return count;
  }

  const std::string& name() const noexcept override { return name_; }

 private:
  std::string name_, bytes_;
  std::size_t piece_bytes_, position_ = 0;
};

/// \param piece_bytes  most bytes that one read gives
inline std::unique_ptr<ByteInput> make_memory_input(std::string name, std::string bytes, std::size_t piece_bytes) {
  return std::make_unique<MemoryInput>(std::move(name), std::move(bytes), std::max<std::size_t>(piece_bytes, 1));
}

}  // namespace touchstone::formats::car::testing
