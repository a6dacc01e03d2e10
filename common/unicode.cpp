#include "common/unicode.hpp"

#include <cstring>

#include <simdjson.h>
#include <unicode/locid.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

namespace touchstone {
namespace {

/// Length of the well-formed sequence at the start of `bytes`, or 0; `code_point` is set when it is not 0.
std::size_t decode_sequence(const unsigned char* bytes, std::size_t available, char32_t& code_point) noexcept {
  const unsigned lead = bytes[0];
  if (lead < 0x80) {
    code_point = lead;
    return 1;
  }
  const auto trail = [&](std::size_t i) { return i < available && (bytes[i] & 0xC0U) == 0x80U; };
  const auto bits = [&](std::size_t i) { return static_cast<char32_t>(bytes[i] & 0x3FU); };
  if (lead >= 0xC2 && lead <= 0xDF) {
    if (!trail(1)) return 0;
    code_point = (static_cast<char32_t>(lead & 0x1FU) << 6U) | bits(1);
    return 2;
  }
  if (lead >= 0xE0 && lead <= 0xEF) {
    if (!trail(1) || !trail(2)) return 0;
    code_point = (static_cast<char32_t>(lead & 0x0FU) << 12U) | (bits(1) << 6U) | bits(2);
    const bool surrogate = code_point >= 0xD800 && code_point <= 0xDFFF;
    return code_point < 0x800 || surrogate ? 0 : 3;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    if (!trail(1) || !trail(2) || !trail(3)) return 0;
    code_point = (static_cast<char32_t>(lead & 0x07U) << 18U) | (bits(1) << 12U) | (bits(2) << 6U) | bits(3);
    return code_point < 0x10000 || code_point > 0x10FFFF ? 0 : 4;
  }
  return 0;
}

/// First byte at or after `position` that is not ASCII, or the size.
std::size_t skip_ascii(std::string_view text, std::size_t position) noexcept {
  constexpr std::uint64_t kHighBits = 0x8080808080808080ULL;
  while (position + 32 <= text.size()) {
    std::uint64_t words[4];
    std::memcpy(words, text.data() + position, 32);
    if (((words[0] | words[1] | words[2] | words[3]) & kHighBits) != 0) break;
    position += 32;
  }
  while (position + 8 <= text.size()) {
    std::uint64_t word;
    std::memcpy(&word, text.data() + position, 8);
    if ((word & kHighBits) != 0) break;
    position += 8;
  }
  while (position < text.size() && static_cast<unsigned char>(text[position]) < 0x80) ++position;
  return position;
}

const unsigned char* bytes_at(std::string_view text, std::size_t position) noexcept {
  return reinterpret_cast<const unsigned char*>(text.data()) + position;
}

/// First byte at or after `position` where the text is not well-formed, or npos.
std::size_t find_malformed(std::string_view text, std::size_t position) noexcept {
  while ((position = skip_ascii(text, position)) < text.size()) {
    char32_t ignored;
    const std::size_t length = decode_sequence(bytes_at(text, position), text.size() - position, ignored);
    if (length == 0) return position;
    position += length;
  }
  return std::string_view::npos;
}

std::string from_icu(const icu::UnicodeString& text) {
  std::string out;
  text.toUTF8String(out);
  return out;
}

/// Where the text from `begin` on is cut before it is normalised, since the time that takes grows with the square of a
/// run of combining marks. No language has runs of more than 30 (Unicode Standard Annex 15, Stream-Safe Text Format).
std::size_t end_of_stretch(std::string_view text, std::size_t begin) noexcept {
  constexpr std::size_t kShortBytes = 256;
  constexpr int kMaxMarks = 64;
  if (text.size() <= kShortBytes) return text.size();
  int marks = 0;
  std::size_t position = begin;
  while (position < text.size() && marks < kMaxMarks)
    marks = u_getCombiningClass(static_cast<UChar32>(next_code_point(text, position))) == 0 ? 0 : marks + 1;
  return position;
}

void append_nfc(std::string_view text, std::string& out) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* normalizer = icu::Normalizer2::getNFCInstance(status);
  std::string composed;
  icu::StringByteSink<std::string> sink(&composed, static_cast<std::int32_t>(text.size()));
  if (U_SUCCESS(status))
    normalizer->normalizeUTF8(0, icu::StringPiece(text.data(), static_cast<std::int32_t>(text.size())), sink, nullptr,
                              status);
  out.append(U_FAILURE(status) ? text : composed);
}

icu::UnicodeString to_icu(std::string_view text) {
  return icu::UnicodeString::fromUTF8(icu::StringPiece(text.data(), static_cast<std::int32_t>(text.size())));
}

bool has_dotted_i(std::string_view language) noexcept {
  return language == "tr" || language == "az" || language == "kaa" || language == "kk" || language == "kk-latn" ||
         language == "crh" || language == "gag";
}

}  // namespace

char32_t next_code_point(std::string_view text, std::size_t& position) noexcept {
  char32_t code_point = kReplacementCharacter;
  const std::size_t length = decode_sequence(bytes_at(text, position), text.size() - position, code_point);
  position += length == 0 ? 1 : length;
  return length == 0 ? kReplacementCharacter : code_point;
}

void append_utf8(std::string& out, char32_t code_point) {
  if (code_point > 0x10FFFF || (code_point >= 0xD800 && code_point <= 0xDFFF)) code_point = kReplacementCharacter;
  const auto put = [&](char32_t byte) { out.push_back(static_cast<char>(static_cast<unsigned char>(byte))); };
  if (code_point < 0x80) {
    put(code_point);
  } else if (code_point < 0x800) {
    put(0xC0U | (code_point >> 6U));
    put(0x80U | (code_point & 0x3FU));
  } else if (code_point < 0x10000) {
    put(0xE0U | (code_point >> 12U));
    put(0x80U | ((code_point >> 6U) & 0x3FU));
    put(0x80U | (code_point & 0x3FU));
  } else {
    put(0xF0U | (code_point >> 18U));
    put(0x80U | ((code_point >> 12U) & 0x3FU));
    put(0x80U | ((code_point >> 6U) & 0x3FU));
    put(0x80U | (code_point & 0x3FU));
  }
}

std::u32string to_utf32(std::string_view text) {
  std::u32string points;
  points.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) points.push_back(next_code_point(text, at));
  return points;
}

bool is_valid_utf8(std::string_view text) noexcept {
  return simdjson::validate_utf8(text);
}

std::string repair_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  std::size_t begin = 0;
  std::size_t bad;
  while ((bad = find_malformed(text, begin)) != std::string_view::npos) {
    out.append(text.substr(begin, bad - begin));
    append_utf8(out, kReplacementCharacter);
    begin = bad + 1;
  }
  out.append(text.substr(begin));
  return out;
}

std::size_t count_code_points(std::string_view text) noexcept {
  // Eight bytes at a time: those that begin with the bits 10 go on with the code point in front of them.
  constexpr std::uint64_t kLowBits = 0x0101010101010101ULL;
  std::size_t count = text.size();
  std::size_t i = 0;
  for (; i + 8 <= text.size(); i += 8) {
    std::uint64_t word;
    std::memcpy(&word, text.data() + i, 8);
    const std::uint64_t inner = (word >> 7U) & (~word >> 6U) & kLowBits;
    count -= (inner * kLowBits) >> 56U;  // the sum of the eight bytes
  }
  for (; i < text.size(); ++i) count -= (static_cast<unsigned char>(text[i]) & 0xC0U) == 0x80U;
  return count;
}

bool is_ascii(std::string_view text) noexcept {
  return skip_ascii(text, 0) == text.size();
}

bool is_trivially_nfc(std::string_view text) noexcept {
  // U+0300 is CC 80 in UTF-8: every lead byte below CC belongs to a smaller code point.
  std::size_t position = 0;
  while ((position = skip_ascii(text, position)) < text.size()) {
    if (static_cast<unsigned char>(text[position]) >= 0xCC) return false;
    ++position;
  }
  return true;
}

std::string nfc(std::string_view text) {
  if (is_trivially_nfc(text)) return std::string(text);
  std::string out;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = end_of_stretch(text, begin);
    append_nfc(text.substr(begin, end - begin), out);
    begin = end;
  }
  return out;
}

std::string upper_case_first(std::string_view text, std::string_view language) {
  if (text.empty()) return {};
  std::string out;
  out.reserve(text.size() + 2);
  std::size_t position = 0;
  const char32_t first = next_code_point(text, position);
  const bool georgian = first >= 0x10D0 && first <= 0x10FF;
  if (first == U'i' && has_dotted_i(language)) {
    append_utf8(out, 0x130);
  } else if (first < 0x80) {
    out.push_back(static_cast<char>(first >= U'a' && first <= U'z' ? first - 32 : first));
  } else if (georgian || u_toupper(static_cast<UChar32>(first)) != static_cast<UChar32>(first) ||
             !u_islower(static_cast<UChar32>(first))) {
    append_utf8(out, georgian ? first : static_cast<char32_t>(u_toupper(static_cast<UChar32>(first))));
  } else {
    out.append(upper_case(text.substr(0, position)));  // one letter that becomes several
  }
  out.append(text.substr(position));
  return out;
}

std::string lower_case(std::string_view text) {
  if (is_ascii(text)) {
    std::string out(text);
    for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    return out;
  }
  return from_icu(to_icu(text).toLower(icu::Locale::getRoot()));
}

std::string upper_case(std::string_view text) {
  if (is_ascii(text)) {
    std::string out(text);
    for (char& c : out) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
    return out;
  }
  return from_icu(to_icu(text).toUpper(icu::Locale::getRoot()));
}

bool is_unicode_space(char32_t code_point) noexcept {
  return code_point == U' ' || (code_point >= 9 && code_point <= 13) || code_point == 0x85 || code_point == 0xA0 ||
         code_point == 0x1680 || (code_point >= 0x2000 && code_point <= 0x200A) || code_point == 0x2028 ||
         code_point == 0x2029 || code_point == 0x202F || code_point == 0x205F || code_point == 0x3000;
}

bool is_white_space(std::string_view text) noexcept {
  for (std::size_t byte = 0; byte < text.size();) {
    if (!is_unicode_space(next_code_point(text, byte))) return false;
  }
  return true;
}

bool is_invisible(std::string_view text) noexcept {
  for (std::size_t byte = 0; byte < text.size();) {
    const char32_t code_point = next_code_point(text, byte);
    if (is_unicode_space(code_point)) continue;
    const auto c = static_cast<UChar32>(code_point);
    if (!u_iscntrl(c) && !u_hasBinaryProperty(c, UCHAR_DEFAULT_IGNORABLE_CODE_POINT)) return false;
  }
  return true;
}

std::uint32_t CodePointCounter::at_byte(std::size_t offset) noexcept {
  if (byte_ < offset) {
    count_ += static_cast<std::uint32_t>(count_code_points(text_.substr(byte_, offset - byte_)));
    byte_ = offset;
  }
  return count_;
}

}  // namespace touchstone
