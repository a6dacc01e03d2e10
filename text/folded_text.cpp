#include "text/folded_text.hpp"

#include "common/error.hpp"
#include "common/unicode.hpp"
#include "text/characters.hpp"

#include <memory>

#include <unicode/brkiter.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

namespace touchstone::text {
namespace {

char32_t plain_form(char32_t letter) noexcept {
  constexpr char32_t kFirstFullWidth = 0xFF01, kLastFullWidth = 0xFF5E, kToAscii = 0xFEE0;
  if (letter >= kFirstFullWidth && letter <= kLastFullWidth) return letter - kToAscii;
  if (letter == U'\u2019' || letter == U'\u02BC') return U'\'';
  if (letter == U'\u2010' || letter == U'\u2011') return U'-';
  return is_unicode_space(letter) ? U' ' : letter;
}

char32_t fold(char32_t letter) noexcept {
  if (letter < 0x80) return letter >= U'A' && letter <= U'Z' ? letter + 0x20 : letter;
  return fold_case(plain_form(letter));
}

/// Whether blanks do not part the words of the letter's script. The sign that makes a Kana vowel long is common to
/// both.
bool is_unspaced(char32_t letter) {
  return letter == U'\u30FC' || is_written_without_blanks(letter);
}

bool is_katakana(char32_t letter) noexcept {
  return letter == U'\u30FC' || script_of(letter) == USCRIPT_KATAKANA;
}

/// One for each thread: making one takes as long as going over a page.
icu::BreakIterator& word_iterator() {
  thread_local const std::unique_ptr<icu::BreakIterator> iterator = [] {
    UErrorCode status = U_ZERO_ERROR;
    std::unique_ptr<icu::BreakIterator> made(icu::BreakIterator::createWordInstance(icu::Locale::getRoot(), status));
    if (U_FAILURE(status))
      throw Error(std::string("ICU has no rules for the bounds of words (") + u_errorName(status) +
                  "); install the complete data of ICU");
    return made;
  }();
  return *iterator;
}

std::vector<bool> dictionary_bounds(std::u32string_view letters) {
  const auto text = icu::UnicodeString::fromUTF32(reinterpret_cast<const UChar32*>(letters.data()),
                                                  static_cast<std::int32_t>(letters.size()));
  auto& iterator = word_iterator();
  iterator.setText(text);
  std::vector<bool> bounds(letters.size() + 1, false);
  std::int32_t unit = 0;
  std::size_t point = 0;
  for (auto at = iterator.first(); at != icu::BreakIterator::DONE; at = iterator.next()) {
    for (; unit < at; ++point) unit = text.moveIndex32(unit, 1);
    if (point < bounds.size()) bounds[point] = true;
  }
  return bounds;
}

}  // namespace

FoldedText::FoldedText(std::string_view text) : letters(to_utf32(text)), folded(letters) {
  for (auto& letter : folded) letter = fold(letter);
}

bool WordBounds::encloses(std::uint32_t begin, std::uint32_t end) {
  return begins(begin) && ends(end);
}

bool WordBounds::begins(std::uint32_t at) {
  if (at >= 2 && letters_[at - 1] == U':' && is_word_letter(letters_[at - 2]) && is_word_letter(letters_[at]) &&
      !is_unspaced(letters_[at - 2]) && !is_unspaced(letters_[at]))
    return false;
  if (at >= 2 && letters_[at - 1] == U'-' && is_word_letter(letters_[at - 2]) && is_word_letter(letters_[at]))
    return false;
  return is_bound(at);
}

bool WordBounds::ends(std::uint32_t at) {
  if (at > 0 && at + 1 < letters_.size() && letters_[at] == U'-' && is_word_letter(letters_[at - 1]) &&
      is_capital(letters_[at + 1]))
    return false;
  return is_bound(at);
}

bool WordBounds::is_bound(std::uint32_t at) {
  if (at == 0 || at >= letters_.size()) return true;
  const char32_t before = letters_[at - 1], behind = letters_[at];
  if (!is_word_letter(before) || !is_word_letter(behind)) return true;
  if (!is_unspaced(before) && !is_unspaced(behind)) return false;
  // A foreign name is one word, whatever shorter ones the dictionary has.
  if (is_katakana(before) && is_katakana(behind)) return false;
  return dictionary_bound(at);
}

bool WordBounds::dictionary_bound(std::uint32_t at) {
  if (!dictionary_) dictionary_ = dictionary_bounds(letters_);
  return (*dictionary_)[at];
}

}  // namespace touchstone::text
