#include "extractors/internal/byte_scan.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <stdexcept>

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace touchstone::extractors::internal {
namespace {

using HalfBytes = std::array<std::uint8_t, 16>;

/// A byte that matters in front of another one only.
struct Pair {
  char first, second;
};

/// What a search stops at, as a look-up by half bytes: byte c in front of byte d is a stop when
/// low[c & 15] & high[c >> 4] & next_low[d & 15] & next_high[d >> 4] has a bit. One instruction looks
/// up 32 bytes; the idea is that of the literal matcher "Teddy" in Hyperscan.
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

constexpr Stops kMarkupOpen([](char c) { return is_one_of(c, "{<"); }, {{'[', '['}, {'\n', '='}});
constexpr Stops kPageStop([](char c) { return is_one_of(c, "{<"); }, {{'\n', '='}});
constexpr Stops kCallStop([](char c) { return is_one_of(c, "{}<|=]"); }, {{'[', '['}, {'\n', '='}});
constexpr Stops kFlatStop([](char c) { return is_one_of(c, "{}<"); }, {{'[', '['}, {'\n', '='}});
constexpr Stops kLinkStop([](char c) { return is_one_of(c, "[]{<\n"); });
constexpr Stops kTargetStop([](char c) { return is_control(c) || is_one_of(c, "{}|[]"); });
constexpr Stops kTitleStop([](char c) { return is_control(c) || !is_ascii(c) || is_one_of(c, "<>[]{}|_:#%&.~"); },
                           {{' ', ' '}});
constexpr Stops kTokenStop([](char c) { return is_one_of(c, "\n<[]\x7F"); }, {{'\'', '\''}, {'_', '_'}});
constexpr Stops kWordStop([](char c) { return is_one_of(c, "&\xC2") || (c >= '\t' && c <= '\r'); }, {{' ', ' '}});
constexpr Stops kUnclean([](char c) { return !is_ascii(c) || is_one_of(c, {"\0\r\x7F", 3}); });

constexpr bool is_stop(const Stops& stops, char c, char next) noexcept {
  const auto here = static_cast<unsigned char>(c);
  const auto behind = static_cast<unsigned char>(next);
  return (stops.low[here & 15U] & stops.high[here >> 4U] & stops.next_low[behind & 15U] &
          stops.next_high[behind >> 4U]) != 0;
}

[[maybe_unused]] bool only_one_by_one = false;  // see scan_one_by_one

std::size_t find_one_by_one(const Stops& stops, std::string_view text, std::size_t i) noexcept {
  for (; i < text.size(); ++i) {
    if (is_stop(stops, text[i], i + 1 < text.size() ? text[i + 1] : '\0')) return i;
  }
  return text.size();
}

#ifdef __x86_64__

#define TS_AVX2 __attribute__((target("avx2")))

constexpr std::size_t kBlock = 32;

bool has_avx2() noexcept {
  return __builtin_cpu_supports("avx2") && !only_one_by_one;
}

template <class Word>
std::uint64_t load(const char* bytes) noexcept {
  Word word;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

TS_AVX2 inline __m256i load_block(const char* bytes) noexcept {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes));
}

/// Less than 16 bytes with NUL behind them; not a byte beyond them is read.
TS_AVX2 inline __m128i load_half(const char* bytes, std::size_t count) noexcept {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  if (count >= 8) {
    low = load<std::uint64_t>(bytes);
    if (count > 8) high = load<std::uint64_t>(bytes + count - 8) >> (8 * (16 - count));
  } else if (count >= 4) {
    low = load<std::uint32_t>(bytes) | load<std::uint32_t>(bytes + count - 4) << (8 * (count - 4));
  } else if (count > 0) {
    low = load<unsigned char>(bytes) | load<unsigned char>(bytes + count / 2) << (8 * (count / 2)) |
          load<unsigned char>(bytes + count - 1) << (8 * (count - 1));
  }
  return _mm_set_epi64x(static_cast<long long>(high), static_cast<long long>(low));
}

/// The same for less than 32 bytes.
TS_AVX2 inline __m256i load_rest(const char* bytes, std::size_t count) noexcept {
  if (count < 16) return _mm256_zextsi128_si256(load_half(bytes, count));
  const __m128i first = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes));
  return _mm256_set_m128i(load_half(bytes + 16, count - 16), first);
}

/// The bytes behind those of a block, and NUL at its end.
TS_AVX2 inline __m256i shift_down(__m256i block) noexcept {
  return _mm256_alignr_epi8(_mm256_permute2x128_si256(block, block, 0x81), block, 1);
}

/// Twice, since a look-up takes place in each half of a block.
TS_AVX2 inline __m256i load_table(const HalfBytes& table) noexcept {
  return _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(table.data())));
}

TS_AVX2 inline __m256i look_up(const HalfBytes& low, const HalfBytes& high, __m256i bytes) noexcept {
  const __m256i lower = _mm256_set1_epi8(15);
  return _mm256_and_si256(_mm256_shuffle_epi8(load_table(low), _mm256_and_si256(bytes, lower)),
                          _mm256_shuffle_epi8(load_table(high), _mm256_and_si256(_mm256_srli_epi16(bytes, 4), lower)));
}

/// A bit for each byte of `here` that is a stop. \param next  the bytes behind them
template <const Stops& kStops>
TS_AVX2 inline std::uint32_t find_stops(__m256i here, __m256i next) noexcept {
  __m256i found = look_up(kStops.low, kStops.high, here);
  if constexpr (kStops.has_pairs) found = _mm256_and_si256(found, look_up(kStops.next_low, kStops.next_high, next));
  return ~static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(found, _mm256_setzero_si256())));
}

template <const Stops& kStops>
TS_AVX2 std::size_t find_by_block(std::string_view text, std::size_t i) noexcept {
  const char* const bytes = text.data();
  for (; i + kBlock < text.size(); i += kBlock) {
    const std::uint32_t mask = find_stops<kStops>(load_block(bytes + i), load_block(bytes + i + 1));
    if (mask != 0) return i + static_cast<std::size_t>(__builtin_ctz(mask));
  }
  if (i >= text.size()) return text.size();
  // The last 32 bytes once more, where there are so many.
  const std::size_t count = text.size() - i;
  const bool many = text.size() >= kBlock;
  const __m256i rest = many ? load_block(bytes + text.size() - kBlock) : load_rest(bytes + i, count);
  const std::uint32_t mask = find_stops<kStops>(rest, shift_down(rest)) >> (many ? kBlock - count : 0);
  // Padding may be a stop, too.
  return mask != 0 ? std::min(text.size(), i + static_cast<std::size_t>(__builtin_ctz(mask))) : text.size();
}

/// Sets a bit for each stop of the text.
TS_AVX2 void mark_token_stops_by_block(std::string_view text, std::uint64_t* words) noexcept {
  const char* const bytes = text.data();
  const auto mark = [words](std::size_t i, std::uint32_t mask) { words[i / 64] |= std::uint64_t{mask} << (i % 64); };
  std::size_t i = 0;
  for (; i + kBlock < text.size(); i += kBlock)
    mark(i, find_stops<kTokenStop>(load_block(bytes + i), load_block(bytes + i + 1)));
  if (i == text.size()) return;
  const std::size_t count = text.size() - i;
  const __m256i rest = count == kBlock ? load_block(bytes + i) : load_rest(bytes + i, count);
  mark(i, find_stops<kTokenStop>(rest, shift_down(rest)));
}

TS_AVX2 std::size_t copy_words_by_block(std::string_view text, char* out, bool& other_than_ascii) noexcept {
  std::size_t i = 0;
  std::uint32_t first = 1;  // the first byte is no stop
  for (; i + kBlock < text.size(); i += kBlock, first = 0) {
    const __m256i here = load_block(text.data() + i);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i), here);
    other_than_ascii |= _mm256_movemask_epi8(here) != 0;
    const std::uint32_t mask = find_stops<kWordStop>(here, load_block(text.data() + i + 1)) & ~first;
    if (mask != 0) return i + static_cast<std::size_t>(__builtin_ctz(mask));
  }
  const bool many = text.size() >= kBlock;
  if (many && i > 0) i = text.size() - kBlock;
  const __m256i rest = many ? load_block(text.data() + i) : load_rest(text.data(), text.size());
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i), rest);
  other_than_ascii |= _mm256_movemask_epi8(rest) != 0;
  const std::uint32_t mask = find_stops<kWordStop>(rest, shift_down(rest)) & ~first;
  return mask != 0 ? std::min(text.size(), i + static_cast<std::size_t>(__builtin_ctz(mask))) : text.size();
}

#endif

template <const Stops& kStops>
std::size_t find(std::string_view text, std::size_t from) noexcept {
#ifdef __x86_64__
  if (has_avx2()) return find_by_block<kStops>(text, from);
#endif
  return find_one_by_one(kStops, text, from);
}

}  // namespace

void scan_one_by_one(bool only) noexcept {
  only_one_by_one = only;
}

std::size_t find_markup_open(std::string_view text, std::size_t from) noexcept {
  return find<kMarkupOpen>(text, from);
}

std::size_t find_page_stop(std::string_view text, std::size_t from) noexcept {
  return find<kPageStop>(text, from);
}

std::size_t find_call_stop(std::string_view text, std::size_t from) noexcept {
  return find<kCallStop>(text, from);
}

std::size_t find_flat_stop(std::string_view text, std::size_t from) noexcept {
  return find<kFlatStop>(text, from);
}

std::size_t find_link_stop(std::string_view text, std::size_t from) noexcept {
  return find<kLinkStop>(text, from);
}

std::size_t find_target_stop(std::string_view text, std::size_t from) noexcept {
  return find<kTargetStop>(text, from);
}

std::size_t find_title_stop(std::string_view text, std::size_t from) noexcept {
  return find<kTitleStop>(text, from);
}

std::size_t find_unclean(std::string_view text, std::size_t from) noexcept {
  return find<kUnclean>(text, from);
}

TokenStops::TokenStops(std::string_view text, std::vector<std::uint64_t>& memory) : size_(text.size()) {
  memory.assign(size_ / 64 + 1, 0);
  stops_ = memory.data();
  memory[size_ / 64] |= std::uint64_t{1} << (size_ % 64);
#ifdef __x86_64__
  if (has_avx2()) {
    mark_token_stops_by_block(text, memory.data());
    return;
  }
#endif
  for (std::size_t i = 0; (i = find_one_by_one(kTokenStop, text, i)) < size_; ++i)
    memory[i / 64] |= std::uint64_t{1} << (i % 64);
}

std::size_t copy_words(std::string_view text, char* out, bool& other_than_ascii) noexcept {
#ifdef __x86_64__
  if (has_avx2()) return copy_words_by_block(text, out, other_than_ascii);
#endif
  const std::size_t count = find_one_by_one(kWordStop, text, 1);
  std::memcpy(out, text.data(), count);
  other_than_ascii |= !std::all_of(out, out + count, is_ascii);
  return count;
}

}  // namespace touchstone::extractors::internal
