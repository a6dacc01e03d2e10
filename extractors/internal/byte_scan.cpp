#include "extractors/internal/byte_scan.hpp"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace touchstone::extractors::internal {
namespace {

constexpr bool opens_markup(char c, char next) noexcept {
  return (c == '[' && next == '[') || c == '{' || c == '<' || (c == '\n' && next == '=');
}
constexpr bool stops_token(char c, char next) noexcept {
  return c == '\n' || c == '<' || c == '[' || c == ']' || c == '\x7F' || (c == '\'' && next == '\'') || (c == '_' && next == '_');
}
constexpr bool stops_text(char c, char next) noexcept {
  return c == '&' || (c >= '\t' && c <= '\r') || c == '\xC2' || (c == ' ' && next == ' ');
}

template <class Stops>
std::size_t find_one_by_one(std::string_view text, std::size_t i, Stops stops) noexcept {
  for (; i < text.size(); ++i) {
    if (stops(text[i], i + 1 < text.size() ? text[i + 1] : '\0')) return i;
  }
  return text.size();
}

#ifdef __SSE2__

struct Bytes {
  __m128i here, next;
  __m128i is(char c) const noexcept { return _mm_cmpeq_epi8(here, _mm_set1_epi8(c)); }
  __m128i pair(char c, char d) const noexcept { return _mm_and_si128(is(c), _mm_cmpeq_epi8(next, _mm_set1_epi8(d))); }
};

__m128i either(__m128i a, __m128i b) noexcept { return _mm_or_si128(a, b); }

template <class Match, class Stops>
std::size_t find(std::string_view text, std::size_t i, Match match, Stops stops) noexcept {
  while (i + 17 <= text.size()) {
    const Bytes bytes{_mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + i)),
                      _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + i + 1))};
    const auto mask = static_cast<unsigned>(_mm_movemask_epi8(match(bytes)));
    if (mask != 0) return i + static_cast<std::size_t>(__builtin_ctz(mask));
    i += 16;
  }
  return find_one_by_one(text, i, stops);
}

#endif

}  // namespace

std::size_t find_markup_open(std::string_view text, std::size_t from) noexcept {
#ifdef __SSE2__
  return find(text, from, [](const Bytes& b) { return either(either(b.pair('[', '['), b.is('{')), either(b.is('<'), b.pair('\n', '='))); }, opens_markup);
#else
  return find_one_by_one(text, from, opens_markup);
#endif
}

std::size_t find_token_stop(std::string_view text, std::size_t from) noexcept {
#ifdef __SSE2__
  const auto match = [](const Bytes& b) {
    const __m128i brackets = either(either(b.is('['), b.is(']')), either(b.is('<'), b.is('\n')));
    return either(brackets, either(b.is('\x7F'), either(b.pair('\'', '\''), b.pair('_', '_'))));
  };
  return find(text, from, match, stops_token);
#else
  return find_one_by_one(text, from, stops_token);
#endif
}

std::size_t find_text_stop(std::string_view text, std::size_t from) noexcept {
#ifdef __SSE2__
  const auto match = [](const Bytes& b) {
    // Signed comparison: bytes from 0x80 on are negative, so "above 8 and below 14" holds for ASCII blanks only.
    const __m128i blanks = _mm_and_si128(_mm_cmpgt_epi8(b.here, _mm_set1_epi8(8)), _mm_cmplt_epi8(b.here, _mm_set1_epi8(14)));
    return either(either(blanks, b.is('&')), either(b.is('\xC2'), b.pair(' ', ' ')));
  };
  return find(text, from, match, stops_text);
#else
  return find_one_by_one(text, from, stops_text);
#endif
}

}  // namespace touchstone::extractors::internal
