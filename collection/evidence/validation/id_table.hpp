#pragma once

#include "common/digest.hpp"
#include "common/error.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace touchstone::collection::evidence::validation {

/// A set of strings, numbered in the order in which they came: about 20 bytes an entry beside the characters, where a
/// set of strings takes 80. At most 2^32 - 2 entries.
class IdTable {
 public:
  /// The number of `id`, and whether it is new.
  std::pair<std::uint32_t, bool> insert(std::string_view id) {
    if (size() + size() / 2 >= slots_.size()) grow();
    std::uint32_t& slot = slots_[find_slot(id)];
    if (slot != kEmpty) return {slot, false};
    TS_CHECK(size() < kEmpty - 1, "ids fit into 32 bits");
    slot = static_cast<std::uint32_t>(size());
    characters_.append(id);
    ends_.push_back(characters_.size());
    return {slot, true};
  }

  std::optional<std::uint32_t> find(std::string_view id) const {
    if (slots_.empty()) return std::nullopt;
    const std::uint32_t slot = slots_[find_slot(id)];
    if (slot == kEmpty) return std::nullopt;
    return slot;
  }

  /// \pre index < size()
  std::string_view operator[](std::uint32_t index) const {
    const std::size_t start = index == 0 ? 0 : ends_[index - 1];
    return std::string_view(characters_).substr(start, ends_[index] - start);
  }

  std::size_t size() const noexcept { return ends_.size(); }

 private:
  static constexpr std::uint32_t kEmpty = std::numeric_limits<std::uint32_t>::max();

  std::size_t find_slot(std::string_view id) const {
    std::size_t at = static_cast<std::size_t>(xxh3_64(id)) & (slots_.size() - 1);
    while (slots_[at] != kEmpty && (*this)[slots_[at]] != id) at = (at + 1) & (slots_.size() - 1);
    return at;
  }

  void grow() {
    slots_.assign(slots_.empty() ? 64 : slots_.size() * 2, kEmpty);
    for (std::size_t i = 0; i < size(); ++i) {
      const auto index = static_cast<std::uint32_t>(i);
      slots_[find_slot((*this)[index])] = index;
    }
  }

  std::string characters_;
  std::vector<std::size_t> ends_;
  std::vector<std::uint32_t> slots_;  ///< a power of two, at most two thirds full
};

}  // namespace touchstone::collection::evidence::validation
