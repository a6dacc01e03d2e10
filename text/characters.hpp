#pragma once

#include "common/unicode.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <unicode/uniset.h>
#include <unicode/uscript.h>

namespace touchstone::text {

/// A set of characters as a value. Thread-safe.
class CharacterSet {
 public:
  /// \param pattern  as ICU reads it: "[[:Han:][\\u3041-\\u3096]]". Throws Error for any other text. Takes milliseconds
  ///                 for properties, so keep the set.
  explicit CharacterSet(const char* pattern);
  bool contains(char32_t character) const { return set_.contains(static_cast<UChar32>(character)) != 0; }

 private:
  icu::UnicodeSet set_;
};

/// True for letters of scripts without blanks between words: Han, Hiragana, Katakana, Thai, Lao, Khmer, Myanmar.
/// Thread-safe, like all functions here.
bool is_written_without_blanks(char32_t character);

/// True for Han, Hiragana and Katakana.
bool is_han_or_kana(char32_t character);

/// The script of a character; characters of several scripts are of USCRIPT_COMMON or USCRIPT_INHERITED.
UScriptCode script_of(char32_t character) noexcept;

/// The scripts that a language is usually written in, by ICU's likely subtags; "simple" is English. Empty if they are
/// not known. \param language  its code in wikis
std::vector<UScriptCode> scripts_of_language(std::string_view language);

/// True for letters, digits and the marks on them.
bool is_word_letter(char32_t character) noexcept;

/// Unicode's simple case folding.
char32_t fold_case(char32_t character) noexcept;

/// True for upper-case and title-case letters.
bool is_capital(char32_t character) noexcept;

}  // namespace touchstone::text
