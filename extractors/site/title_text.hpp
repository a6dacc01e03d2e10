#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace touchstone::extractors::site::internal {

/// The text without spaces at its ends.
constexpr std::string_view trim_spaces(std::string_view text) noexcept {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// Cleans the blanks of a title: runs of Unicode blanks and underscores become one space, those at the ends go, and so
/// do bidi marks. Returns false when U+FFFD or malformed UTF-8 is met.
///
/// \param out  emptied first
bool clean_blanks(std::string_view text, std::string& out);

/// Which bytes a title holds, as bits: each tells whether a rule for titles has to be looked at.
using TitleBytes = std::uint16_t;
enum : TitleBytes {
  kTitleColon = 1,
  kTitleHash = 2,
  kTitlePercent = 4,
  kTitleAmpersand = 8,
  kTitleDot = 16,
  kTitleTilde = 32,
  kTitleIllegal = 64,  ///< brackets, braces, '|', control characters
  kTitleUnderscore = 128,
  kTitleSpace = 256,
  kTitleSpaces = 512,  ///< two in a row
  kTitleOther = 1024,  ///< not ASCII
};

constexpr std::array<TitleBytes, 256> make_title_bytes() {
  std::array<TitleBytes, 256> bytes{};
  for (std::size_t i = 0; i < 0x20; ++i) bytes[i] = kTitleIllegal;
  for (const char c : {'\x7F', '<', '>', '[', ']', '{', '}', '|'}) bytes[static_cast<unsigned char>(c)] = kTitleIllegal;
  for (std::size_t i = 0x80; i < bytes.size(); ++i) bytes[i] = kTitleOther;
  bytes[':'] = kTitleColon;
  bytes['#'] = kTitleHash;
  bytes['%'] = kTitlePercent;
  bytes['&'] = kTitleAmpersand;
  bytes['.'] = kTitleDot;
  bytes['~'] = kTitleTilde;
  bytes['_'] = kTitleUnderscore;
  bytes[' '] = kTitleSpace;
  return bytes;
}
inline constexpr auto kTitleBytes = make_title_bytes();

/// Of titles, which are short: a look at each byte costs less than a search for each of them.
constexpr TitleBytes bytes_of_title(std::string_view text) noexcept {
  unsigned all = 0;
  unsigned before = 0;
  for (const char c : text) {
    const unsigned here = kTitleBytes[static_cast<unsigned char>(c)];
    all |= here | (here & before & kTitleSpace) << 1U;
    before = here;
  }
  return static_cast<TitleBytes>(all);
}
static_assert(kTitleSpaces == kTitleSpace << 1);

}  // namespace touchstone::extractors::site::internal
