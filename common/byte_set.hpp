#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace touchstone {

/// A set of bytes as a table: `std::string_view::find_first_of` searches its set anew for each byte of the text.
class ByteSet {
 public:
  constexpr explicit ByteSet(std::string_view bytes) {
    for (const char byte : bytes) has_[static_cast<unsigned char>(byte)] = true;
  }

  constexpr bool has(char byte) const noexcept { return has_[static_cast<unsigned char>(byte)]; }
  /// Finds the first byte of the set in the text, from `from` on. Returns npos if no byte is in the set.
  constexpr std::size_t find_in(std::string_view text, std::size_t from = 0) const noexcept {
    while (from < text.size() && !has(text[from])) ++from;
    return from < text.size() ? from : std::string_view::npos;
  }
  constexpr bool is_in(std::string_view text) const noexcept { return find_in(text) != std::string_view::npos; }

 private:
  std::array<bool, 256> has_{};
};

}  // namespace touchstone
