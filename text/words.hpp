#pragma once

#include "common/unicode.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <unicode/uchar.h>

namespace touchstone::text {

/// What a character is to the words of a text.
enum class Role : std::uint8_t {
  kGap,    ///< parts words
  kPart,   ///< part of a word
  kMark,   ///< part of the word in front of it; without one it parts words
  kAlone,  ///< a word of its own, together with the marks behind it
};

/// A word as a range of a text: bytes of UTF-8, characters of UTF-32.
struct Word {
  std::size_t begin = 0, end = 0;
  bool alone = false;  ///< it is of Role::kAlone
  template <class Text>
  Text of(Text text) const {
    return text.substr(begin, end - begin);
  }
};

/// Roles by general categories (masks U_GC_*_MASK) and by script.
struct CategoryRoles {
  std::uint32_t parts, marks;
  bool (*is_alone)(char32_t) = [](char32_t) { return false; };  ///< asked about `parts`

  Role operator()(char32_t character) const {
    const std::uint32_t category = U_GET_GC_MASK(static_cast<UChar32>(character));
    if ((category & marks) != 0) return Role::kMark;
    if ((category & parts) == 0) return Role::kGap;
    return is_alone(character) ? Role::kAlone : Role::kPart;
  }
};
/// Whatever is between white space is a word.
inline Role between_spaces(char32_t character) noexcept {
  return is_unicode_space(character) ? Role::kGap : Role::kPart;
}

inline constexpr std::uint32_t kLettersAndDigits = U_GC_L_MASK | U_GC_ND_MASK;

namespace internal {
constexpr bool is_ascii_part(char32_t c) noexcept {
  return (c | 0x20U) - U'a' < 26 || c - U'0' < 10;  // differences below zero are large
}
inline char32_t next(std::string_view text, std::size_t& at) noexcept {
  return static_cast<unsigned char>(text[at]) < 0x80 ? static_cast<unsigned char>(text[at++])
                                                     : next_code_point(text, at);
}
inline char32_t next(std::u32string_view text, std::size_t& at) noexcept {
  return text[at++];
}
}  // namespace internal

/// Calls `use(word)` for each word of a text in order; it may return false to stop. ASCII letters and digits are parts
/// of words.
/// \param text     std::string_view of UTF-8, or std::u32string_view
/// \param role_of  gives the role of any other character; bytes that are no UTF-8 are U+FFFD
template <class Text, class RoleOf, class Use>
void for_each_word(Text text, const RoleOf& role_of, const Use& use) {
  Word word;
  bool open = false;
  const auto goes_on = [&] {
    if constexpr (std::is_void_v<std::invoke_result_t<const Use&, const Word&>>)
      return use(word), true;
    else
      return use(word);
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const char32_t c = internal::next(text, at);
    const Role role = internal::is_ascii_part(c) ? Role::kPart : role_of(c);
    if (open && (role == Role::kMark || (role == Role::kPart && !word.alone))) {
      word.end = at;
      continue;
    }
    if (open && !goes_on()) return;
    open = role == Role::kPart || role == Role::kAlone;
    word = {begin, at, role == Role::kAlone};
  }
  if (open) goes_on();
}

/// Appends `text` to `out`: ASCII letters in lower case, other characters as `fold(character)` gives them.
template <class Fold>
void append_folded(std::string& out, std::string_view text, const Fold& fold) {
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = internal::next(text, at);
    if (c < 0x80) {
      out.push_back(static_cast<char>(c >= U'A' && c <= U'Z' ? c + 0x20 : c));
    } else {
      append_utf8(out, fold(c));
    }
  }
}

/// Counts runs between white space as words; in scripts that are written without blanks, two letters count as a word.
class WordCounter {
 public:
  /// The policy of the words that it counts.
  static Role role_of(char32_t character);

  void add(const Word& word);
  std::size_t count() const { return words_ + (letters_ + 1) / 2; }

 private:
  std::size_t words_ = 0, letters_ = 0, end_ = 0;  // letters of scripts without blanks since the last white space
};

/// Words of a text by WordCounter. Passages are cut, left out and examined by this number. Thread-safe.
std::size_t count_words(std::string_view text);

/// The parts of `text` between any of `separators`, without empty ones.
std::vector<std::string_view> parts_of(std::string_view text, std::string_view separators = " ");

/// `text` without any of `blanks` at its ends.
std::string_view trimmed(std::string_view text, std::string_view blanks = " ");

}  // namespace touchstone::text
