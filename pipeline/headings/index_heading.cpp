#include "pipeline/headings/index_heading.hpp"

#include "common/unicode.hpp"
#include "pipeline/headings/title_text.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include <unicode/uchar.h>
#include <unicode/uscript.h>

namespace touchstone::pipeline::headings {
namespace {

/// What stands between the ends of a range, in the languages of configs/headings/.
constexpr std::string_view kRangeWords[] = {"to",  "through", "and", "bis", "und",  "à",  "et",  "a",  "y",
                                            "e",   "tot",     "en",  "do",  "i",    "по", "и",   "до", "та",
                                            "och", "til",     "og",  "až",  "līdz", "un", "から"};

/// Longer headings are no list of letters.
constexpr std::size_t kMaxHeading = 120;
constexpr std::size_t kMaxDigits = 3;

struct Word {
  std::string text;
  std::size_t letters = 0, digits = 0;
  UChar32 first = 0;
};

std::vector<Word> words_of(std::string_view heading) {
  std::vector<Word> words;
  bool in_word = false;
  for (std::size_t at = 0; at < heading.size();) {
    const auto start = at;
    const auto code_point = static_cast<UChar32>(next_code_point(heading, at));
    const bool mark = u_getCombiningClass(code_point) != 0;
    const bool part = mark || u_isalnum(code_point);
    if (part && !in_word) words.push_back({"", 0, 0, code_point});
    in_word = part;
    if (!part) continue;
    words.back().text += heading.substr(start, at - start);
    if (u_isdigit(code_point)) ++words.back().digits;
    if (u_isalpha(code_point)) ++words.back().letters;
  }
  return words;
}

bool has_script(UChar32 code_point, UScriptCode script) {
  UErrorCode status = U_ZERO_ERROR;
  return uscript_getScript(code_point, &status) == script;
}

bool is_kana(UChar32 code_point) {
  return has_script(code_point, USCRIPT_HIRAGANA) || has_script(code_point, USCRIPT_KATAKANA);
}

/// One letter of an alphabet; a Hangul syllable and a Han character are words.
bool is_index_letter(const Word& word) {
  const bool kana_row = is_kana(word.first) && word.letters == 2 && word.text.ends_with("行");
  if (kana_row) return true;
  const bool syllable = word.first >= 0xAC00 && word.first <= 0xD7A3;
  return word.letters == 1 && word.digits == 0 && !has_script(word.first, USCRIPT_HAN) && !syllable;
}

bool is_small_number(const Word& word) {
  return word.letters == 0 && word.digits > 0 && word.digits <= kMaxDigits;
}

bool is_range_word(const Word& word) {
  const auto text = fold_case(word.text);
  return std::find(std::begin(kRangeWords), std::end(kRangeWords), text) != std::end(kRangeWords);
}

}  // namespace

bool is_index_heading(std::string_view heading) {
  if (heading.empty() || heading.size() > kMaxHeading) return false;
  const auto words = words_of(heading);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool between = i > 0 && i + 1 < words.size();
    if (!is_index_letter(words[i]) && !is_small_number(words[i]) && !(between && is_range_word(words[i]))) return false;
  }
  return true;
}

}  // namespace touchstone::pipeline::headings
