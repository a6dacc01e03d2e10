#include "extractors/internal/byte_scan.hpp"

#include <cstdint>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace touchstone::extractors::internal {
namespace {

#ifndef __SSE2__

constexpr bool opens_markup(char c, char next) noexcept {
  return (c == '[' && next == '[') || c == '{' || c == '<' || (c == '\n' && next == '=');
}
constexpr bool stops_flat(char c, char next) noexcept {
  return opens_markup(c, next) || c == '}';
}
constexpr bool stops_call(char c, char next) noexcept {
  return opens_markup(c, next) || c == '|' || c == '=' || c == '}' || c == ']';
}
constexpr bool stops_link(char c, char) noexcept {
  return c == '[' || c == ']' || c == '{' || c == '<' || c == '\n';
}
constexpr bool stops_target(char c, char) noexcept {
  return static_cast<unsigned char>(c) < 0x20 || c == '\x7F' || c == '{' || c == '}' || c == '|' || c == '[' ||
         c == ']';
}
constexpr bool stops_title(char c, char next) noexcept {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte > 'z' || (byte >= '[' && byte <= '_') || (byte >= ':' && byte <= '>') ||
         (byte >= '#' && byte <= '&') || c == '.' || (c == ' ' && next == ' ');
}
constexpr bool stops_token(char c, char next) noexcept {
  return c == '\n' || c == '<' || c == '[' || c == ']' || c == '\x7F' || (c == '\'' && next == '\'') ||
         (c == '_' && next == '_');
}
constexpr bool stops_text(char c, char next) noexcept {
  return c == '&' || (c >= '\t' && c <= '\r') || c == '\xC2' || (c == ' ' && next == ' ');
}

constexpr bool is_unclean(char c, char) noexcept {
  return c == '\0' || c == '\r' || c == '\x7F' || static_cast<unsigned char>(c) >= 0x80;
}

template <class Stops>
std::size_t find_one_by_one(std::string_view text, std::size_t i, Stops stops) noexcept {
  for (; i < text.size(); ++i) {
    if (stops(text[i], i + 1 < text.size() ? text[i + 1] : '\0')) return i;
  }
  return text.size();
}

#else

struct Bytes {
  __m128i here, next;
  __m128i is(char c) const noexcept { return _mm_cmpeq_epi8(here, _mm_set1_epi8(c)); }
  __m128i between(char low, char high) const noexcept {
    // Comparison is signed: the range is moved to where the smallest numbers are.
    const __m128i moved = _mm_add_epi8(here, _mm_set1_epi8(static_cast<char>(-128 - low)));
    return _mm_cmplt_epi8(moved, _mm_set1_epi8(static_cast<char>(high - low + 1 - 128)));
  }
  __m128i pair(char c, char d) const noexcept { return _mm_and_si128(is(c), _mm_cmpeq_epi8(next, _mm_set1_epi8(d))); }
};

__m128i either(__m128i a, __m128i b) noexcept {
  return _mm_or_si128(a, b);
}

template <class Word>
std::uint64_t load(const char* bytes) noexcept {
  Word word;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

/// 1 to 16 bytes, with NUL behind them, which nothing searches for; not a byte beyond them is read.
__m128i load_rest(const char* bytes, std::size_t count) noexcept {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  if (count >= 8) {
    low = load<std::uint64_t>(bytes);
    if (count > 8) high = load<std::uint64_t>(bytes + count - 8) >> (8 * (16 - count));
  } else if (count >= 4) {
    low = load<std::uint32_t>(bytes) | load<std::uint32_t>(bytes + count - 4) << (8 * (count - 4));
  } else {
    low = load<unsigned char>(bytes) | load<unsigned char>(bytes + count / 2) << (8 * (count / 2)) |
          load<unsigned char>(bytes + count - 1) << (8 * (count - 1));
  }
  return _mm_set_epi64x(static_cast<long long>(high), static_cast<long long>(low));
}

template <class Match>
std::size_t find(std::string_view text, std::size_t i, Match match) noexcept {
  while (i + 17 <= text.size()) {
    const Bytes bytes{_mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + i)),
                      _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + i + 1))};
    const auto mask = static_cast<unsigned>(_mm_movemask_epi8(match(bytes)));
    if (mask != 0) return i + static_cast<std::size_t>(__builtin_ctz(mask));
    i += 16;
  }
  if (i >= text.size()) return text.size();
  const __m128i rest = load_rest(text.data() + i, text.size() - i);
  const auto mask = static_cast<unsigned>(_mm_movemask_epi8(match(Bytes{rest, _mm_srli_si128(rest, 1)})));
  return mask != 0 ? i + static_cast<std::size_t>(__builtin_ctz(mask)) : text.size();
}

#endif

}  // namespace

std::size_t find_markup_open(std::string_view text, std::size_t from) noexcept {
#ifdef __SSE2__
  return find(text, from, [](const Bytes& b) {
    return either(either(b.pair('[', '['), b.is('{')), either(b.is('<'), b.pair('\n', '=')));
  });
#else
  return find_one_by_one(text, from, opens_markup);
#endif
}

std::size_t find_call_stop(std::string_view text, std::size_t from) noexcept {
#ifdef __SSE2__
  const auto match = [](const Bytes& b) {
    const __m128i opens = either(either(b.pair('[', '['), b.is('{')), either(b.is('<'), b.pair('\n', '=')));
    return either(opens, either(either(b.is('|'), b.is('=')), either(b.is('}'), b.is(']'))));
  };
  return find(text, from, match);
#else
  return find_one_by_one(text, from, stops_call);
#endif
}

std::size_t find_flat_stop(std::string_view text, std::size_t from) noexcept {
#ifdef __SSE2__
  const auto match = [](const Bytes& b) {
    const __m128i opens = either(either(b.pair('[', '['), b.is('{')), either(b.is('<'), b.pair('\n', '=')));
    return either(opens, b.is('}'));
  };
  return find(text, from, match);
#else
  return find_one_by_one(text, from, stops_flat);
#endif
}

std::size_t find_link_stop(std::string_view text, std::size_t from) noexcept {
#ifdef __SSE2__
  const auto match = [](const Bytes& b) {
    return either(either(either(b.is('['), b.is(']')), either(b.is('{'), b.is('<'))), b.is('\n'));
  };
  return find(text, from, match);
#else
  return find_one_by_one(text, from, stops_link);
#endif
}

std::size_t find_target_stop(std::string_view text, std::size_t from) noexcept {
#ifdef __SSE2__
  const auto match = [](const Bytes& b) {
    // Signed comparison: bytes from 0x80 on are negative. NUL, which may be padding, is no byte of wikitext.
    const __m128i control =
        _mm_and_si128(_mm_cmpgt_epi8(b.here, _mm_setzero_si128()), _mm_cmplt_epi8(b.here, _mm_set1_epi8(0x20)));
    const __m128i braces = either(either(b.is('{'), b.is('}')), either(b.is('|'), b.is('\x7F')));
    return either(either(control, braces), either(b.is('['), b.is(']')));
  };
  return find(text, from, match);
#else
  return find_one_by_one(text, from, stops_target);
#endif
}

std::size_t find_title_stop(std::string_view text, std::size_t from) noexcept {
#ifdef __SSE2__
  const auto match = [](const Bytes& b) {
    // Signed comparison: bytes from 0x80 on are negative. Bytes between those searched for are stopped at as well.
    const __m128i ends =
        either(_mm_cmplt_epi8(b.here, _mm_set1_epi8(0x20)), _mm_cmpgt_epi8(b.here, _mm_set1_epi8('z')));
    const __m128i ranges = either(b.between('[', '_'), either(b.between(':', '>'), b.between('#', '&')));
    return either(either(ends, ranges), either(b.is('.'), b.pair(' ', ' ')));
  };
  return find(text, from, match);
#else
  return find_one_by_one(text, from, stops_title);
#endif
}

std::size_t find_token_stop(std::string_view text, std::size_t from) noexcept {
#ifdef __SSE2__
  const auto match = [](const Bytes& b) {
    const __m128i brackets = either(either(b.is('['), b.is(']')), either(b.is('<'), b.is('\n')));
    return either(brackets, either(b.is('\x7F'), either(b.pair('\'', '\''), b.pair('_', '_'))));
  };
  return find(text, from, match);
#else
  return find_one_by_one(text, from, stops_token);
#endif
}

std::size_t copy_words(std::string_view text, char* out) noexcept {
#ifdef __SSE2__
  const auto match = [](const Bytes& b) {
    // Signed comparison: bytes from 0x80 on are negative, so "above 8 and below 14" holds for ASCII blanks only.
    const __m128i blanks =
        _mm_and_si128(_mm_cmpgt_epi8(b.here, _mm_set1_epi8(8)), _mm_cmplt_epi8(b.here, _mm_set1_epi8(14)));
    const __m128i stops = either(either(blanks, b.is('&')), either(b.is('\xC2'), b.pair(' ', ' ')));
    return static_cast<unsigned>(_mm_movemask_epi8(stops));
  };
  std::size_t i = 0;
  unsigned first = 1;  // the first byte is no stop
  for (; i + 17 <= text.size(); i += 16, first = 0) {
    const Bytes bytes{_mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + i)),
                      _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + i + 1))};
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + i), bytes.here);
    const unsigned mask = match(bytes) & ~first;
    if (mask != 0) return i + static_cast<std::size_t>(__builtin_ctz(mask));
  }
  if (i == text.size()) return i;
  // The last 16 bytes once more, where there are so many: cheaper than putting fewer together.
  const bool many = text.size() > 16;
  if (many) i = text.size() - 16;
  const __m128i rest =
      many ? _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + i)) : load_rest(text.data(), text.size());
  _mm_storeu_si128(reinterpret_cast<__m128i*>(out + i), rest);
  const unsigned mask = match(Bytes{rest, _mm_srli_si128(rest, 1)}) & ~first;
  return mask != 0 ? i + static_cast<std::size_t>(__builtin_ctz(mask)) : text.size();
#else
  const std::size_t count = find_one_by_one(text, 1, stops_text);
  std::memcpy(out, text.data(), count);
  return count;
#endif
}

std::size_t find_unclean(std::string_view text, std::size_t from) noexcept {
#ifdef __SSE2__
  const auto match = [](__m128i bytes) {
    // Signed comparison, of bytes moved up by one: that makes the last negative as those from 0x80 on are.
    const __m128i outside = _mm_cmplt_epi8(_mm_add_epi8(bytes, _mm_set1_epi8(1)), _mm_set1_epi8(2));
    return either(outside, _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\r')));
  };
  const auto at = [&](std::size_t i) {
    return match(_mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + i)));
  };
  // Every byte of a page is looked at, and few are met: 64 at a time.
  while (from + 64 <= text.size()) {
    const __m128i any = either(either(at(from), at(from + 16)), either(at(from + 32), at(from + 48)));
    if (_mm_movemask_epi8(any) != 0) break;
    from += 64;
  }
  return find(text, from, [&](const Bytes& b) { return match(b.here); });
#else
  return find_one_by_one(text, from, is_unclean);
#endif
}

}  // namespace touchstone::extractors::internal
