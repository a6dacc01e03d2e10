#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace touchstone {

/// The code point that represents bytes that are no text.
inline constexpr char32_t kReplacementCharacter = 0xFFFD;

/// Reads one code point of `text` at byte `position` and moves `position` behind it. A byte that starts no well-formed
/// sequence gives U+FFFD and moves by one byte.
/// \pre position < text.size()
char32_t next_code_point(std::string_view text, std::size_t& position) noexcept;

/// Appends the UTF-8 form of `code_point`; surrogates and numbers beyond U+10FFFF become U+FFFD.
void append_utf8(std::string& out, char32_t code_point);

/// The code points of a text, as next_code_point() gives them.
std::u32string to_utf32(std::string_view text);

/// True when `text` is well-formed UTF-8 (Unicode 15, table 3-7: no overlong forms, surrogates or numbers too large).
bool is_valid_utf8(std::string_view text) noexcept;

/// A copy of `text` in which every byte that belongs to no well-formed sequence became U+FFFD.
std::string repair_utf8(std::string_view text);

/// Number of code points of well-formed UTF-8.
std::size_t count_code_points(std::string_view text) noexcept;

/// True when all bytes are below 0x80.
bool is_ascii(std::string_view text) noexcept;

/// Unicode normalisation form C. Text that is already in it (all ASCII and Latin text is) is copied without a look-up.
/// In long texts, runs of more than 64 combining marks are normalised by stretches of 64, so that time is linear.
std::string nfc(std::string_view text);

/// True when `nfc(text) == text` can be told without tables: every code point is below U+0300.
bool is_trivially_nfc(std::string_view text) noexcept;

/// Upper-case form of the first letter, the rest unchanged, as wiki titles have it: full mappings (German sharp s
/// becomes SS, as in stock MediaWiki), Georgian letters stay, and dotted `i` becomes `İ` in the Turkic languages that
/// do so.
std::string upper_case_first(std::string_view text, std::string_view language = "en");

/// Lower- and upper-case forms of a whole text, by Unicode's locale-independent full mappings.
std::string lower_case(std::string_view text);
std::string upper_case(std::string_view text);

/// Unicode white space (property White_Space) without the zero-width characters.
bool is_unicode_space(char32_t code_point) noexcept;

/// True when the text holds nothing but white space, ideographic and no-break blanks included.
bool is_white_space(std::string_view text) noexcept;

/// True when the text shows nothing: it holds only white space, controls and characters that Unicode lets programs
/// ignore, such as zero-width blanks and marks of direction.
bool is_invisible(std::string_view text) noexcept;

/// Turns byte offsets into code point offsets of one text, for questions asked in ascending order: each byte is looked
/// at once.
class CodePointCounter {
 public:
  /// \param text  well-formed UTF-8 that outlives this object
  explicit CodePointCounter(std::string_view text) noexcept : text_(text) {}

  /// Code points before byte `offset`. \pre offset is not less than in the call before, and at most text.size()
  std::uint32_t at_byte(std::size_t offset) noexcept;

 private:
  std::string_view text_;
  std::size_t byte_ = 0;
  std::uint32_t count_ = 0;
};

/// The other way round: turns code point offsets into byte offsets, for questions asked in ascending order.
class ByteCounter {
 public:
  /// \param text  outlives this object
  explicit ByteCounter(std::string_view text) noexcept : text_(text) {}

  /// Bytes before code point `offset`; the size of the text when it has fewer. \pre offset is not less than in the call
  /// before
  std::size_t at_code_point(std::uint32_t offset) noexcept {
    for (; count_ < offset && byte_ < text_.size(); ++count_) next_code_point(text_, byte_);
    return byte_;
  }

 private:
  std::string_view text_;
  std::size_t byte_ = 0;
  std::uint32_t count_ = 0;
};

}  // namespace touchstone
