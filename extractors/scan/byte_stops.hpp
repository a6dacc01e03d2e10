#pragma once

#include "extractors/scan/byte_scan.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string_view>

namespace touchstone::extractors::scan::internal {

using HalfBytes = std::array<std::uint8_t, 16>;

/// A byte that matters in front of another one only.
struct Pair {
  char first, second;
};

/// What a search stops at, as a look-up by half bytes: byte c in front of byte d is a stop when
/// low[c & 15] & high[c >> 4] & next_low[d & 15] & next_high[d >> 4] has a bit. One instruction looks
/// up 16 or 32 bytes; the idea is that of the literal matcher "Teddy" in Hyperscan.
struct Stops {
  HalfBytes low{}, high{}, next_low{}, next_high{};
  bool has_pairs = false;

  /// \param alone  tells of each byte whether it is a stop whatever follows
  template <class Predicate>
  constexpr explicit Stops(Predicate alone, std::initializer_list<Pair> pairs = {}) : has_pairs(pairs.size() != 0) {
    unsigned bit = 1;
    for (unsigned row = 0; row < 16; ++row) {
      HalfBytes column{};
      bool any = false;
      for (unsigned half = 0; half < 16; ++half)
        any = (column[half] = alone(static_cast<char>(row << 4U | half))) || any;
      if (!any) continue;
      high[row] = static_cast<std::uint8_t>(row_like(column, bit));
      if (high[row] != bit) continue;
      for (unsigned half = 0; half < 16; ++half) set(low[half], column[half] != 0 ? bit : 0);
      for (HalfBytes* next : {&next_low, &next_high}) {
        for (std::uint8_t& byte : *next) set(byte, bit);
      }
      bit <<= 1U;
    }
    for (const Pair& pair : pairs) {
      set(low[pair.first & 15], bit);
      set(high[pair.first >> 4], bit);
      set(next_low[pair.second & 15], bit);
      set(next_high[pair.second >> 4], bit);
      bit <<= 1U;
    }
    if (bit > 256) throw std::logic_error("more kinds of stops than bits");  // does not compile
  }

 private:
  static constexpr void set(std::uint8_t& byte, unsigned bit) { byte = static_cast<std::uint8_t>(byte | bit); }
  /// The bit of earlier rows that stop at the same lower halves, or `unused`.
  constexpr unsigned row_like(const HalfBytes& column, unsigned unused) const {
    for (unsigned bit = 1; bit < unused; bit <<= 1U) {
      bool same = true;
      for (unsigned half = 0; half < 16; ++half) same = same && ((low[half] & bit) != 0) == (column[half] != 0);
      if (same) return bit;
    }
    return unused;
  }
};

constexpr bool is_one_of(char c, std::string_view bytes) noexcept {
  return bytes.find(c) != std::string_view::npos;
}
constexpr bool is_control(char c) noexcept {
  return static_cast<unsigned char>(c) < 0x20 || c == '\x7F';
}
constexpr bool is_ascii(char c) noexcept {
  return static_cast<unsigned char>(c) < 0x80;
}

inline constexpr Stops kMarkupOpen([](char c) { return is_one_of(c, "{<"); }, {{'[', '['}, {'\n', '='}});
inline constexpr Stops kPageStop([](char c) { return is_one_of(c, "{<"); }, {{'\n', '='}});
inline constexpr Stops kCallStop([](char c) { return is_one_of(c, "{}<|=]"); }, {{'[', '['}, {'\n', '='}});
inline constexpr Stops kFlatStop([](char c) { return is_one_of(c, "{}<"); }, {{'[', '['}, {'\n', '='}});
inline constexpr Stops kLinkStop([](char c) { return is_one_of(c, "[]{<\n"); });
inline constexpr Stops kTargetStop([](char c) { return is_control(c) || is_one_of(c, "{}|[]"); });
inline constexpr Stops kTitleStop(
    [](char c) { return is_control(c) || !is_ascii(c) || is_one_of(c, "<>[]{}|_:#%&.~"); }, {{' ', ' '}});
inline constexpr Stops kTokenStop([](char c) { return is_one_of(c, "\n<[]\x7F"); }, {{'\'', '\''}, {'_', '_'}});
inline constexpr Stops kWordStop([](char c) { return is_one_of(c, "&\xC2") || (c >= '\t' && c <= '\r'); },
                                 {{' ', ' '}});
inline constexpr Stops kUnclean([](char c) { return is_one_of(c, {"\0\r\x7F", 3}); });

constexpr bool is_stop(const Stops& stops, char c, char next) noexcept {
  const auto here = static_cast<unsigned char>(c);
  const auto behind = static_cast<unsigned char>(next);
  return (stops.low[here & 15U] & stops.high[here >> 4U] & stops.next_low[behind & 15U] &
          stops.next_high[behind >> 4U]) != 0;
}

/// The searches of byte_scan.hpp as one kind of processor makes them.
struct ScanFunctions {
  using Find = std::size_t (*)(std::string_view text, std::size_t from) noexcept;

  std::array<Find, kStopKinds> find;  ///< by Stop
  /// Sets a bit of `words`, which are 0, for each stop of the tokenizer.
  void (*mark_token_stops)(std::string_view text, std::uint64_t* words) noexcept;
  std::size_t (*copy_words)(std::string_view text, char* out, bool& other_than_ascii) noexcept;
};

/// With AVX2. Only in programs for x86-64, and to be called only where the processor has it.
extern const ScanFunctions kScanBy32;

/// With SSSE3, or with the vectors that every aarch64 processor has. Only in programs for these two, and to be called
/// only where the processor has it.
extern const ScanFunctions kScanBy16;

}  // namespace touchstone::extractors::scan::internal
