#include "text/characters.hpp"

#include "common/error.hpp"

#include <unicode/uchar.h>
#include <unicode/unistr.h>

namespace touchstone::text {

CharacterSet::CharacterSet(const char* pattern) {
  UErrorCode status = U_ZERO_ERROR;
  set_.applyPattern(icu::UnicodeString::fromUTF8(pattern), status);
  if (U_FAILURE(status)) throw Error(std::string("ICU reads no set of characters from ") + pattern);
  set_.freeze();
}

bool is_written_without_blanks(char32_t character) {
  static const CharacterSet kLetters("[[:Han:][:Hiragana:][:Katakana:][:Thai:][:Lao:][:Khmer:][:Myanmar:]]");
  constexpr char32_t kFirst = 0xE00;  // of the scripts above; most texts have smaller ones only
  return character >= kFirst && kLetters.contains(character);
}

bool is_han_or_kana(char32_t character) {
  static const CharacterSet kLetters("[[:Han:][:Hiragana:][:Katakana:]]");
  return kLetters.contains(character);
}

UScriptCode script_of(char32_t character) noexcept {
  UErrorCode status = U_ZERO_ERROR;
  return uscript_getScript(static_cast<UChar32>(character), &status);
}

std::vector<UScriptCode> scripts_of_language(std::string_view language) {
  constexpr int kMost = 8;  // Japanese has three
  std::vector<UScriptCode> scripts(kMost);
  UErrorCode status = U_ZERO_ERROR;
  // To ICU, no language is its own default.
  const auto count = language.empty() ? 0
                                      : uscript_getCode(std::string(language == "simple" ? "en" : language).c_str(),
                                                        scripts.data(), kMost, &status);
  scripts.resize(U_SUCCESS(status) && count > 0 ? static_cast<std::size_t>(count) : 0);
  return scripts;
}

bool is_word_letter(char32_t character) noexcept {
  constexpr std::uint32_t kMask = U_GC_L_MASK | U_GC_N_MASK | U_GC_M_MASK;
  return (U_GET_GC_MASK(static_cast<UChar32>(character)) & kMask) != 0;
}

char32_t fold_case(char32_t character) noexcept {
  return static_cast<char32_t>(u_foldCase(static_cast<UChar32>(character), U_FOLD_CASE_DEFAULT));
}

bool is_capital(char32_t character) noexcept {
  return u_isupper(static_cast<UChar32>(character)) != 0 || u_istitle(static_cast<UChar32>(character)) != 0;
}

}  // namespace touchstone::text
