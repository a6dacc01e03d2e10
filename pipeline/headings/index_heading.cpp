#include "pipeline/headings/index_heading.hpp"

#include "common/unicode.hpp"
#include "pipeline/headings/title_text.hpp"
#include "text/characters.hpp"
#include "text/words.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include <unicode/uchar.h>

namespace touchstone::pipeline::headings {
namespace {

/// What is between the ends of a range, in the languages of configs/headings/.
constexpr std::string_view kRangeWords[] = {"to",  "through", "and", "bis", "und",  "à",  "et",  "a",  "y",
                                            "e",   "tot",     "en",  "do",  "i",    "по", "и",   "до", "та",
                                            "och", "til",     "og",  "až",  "līdz", "un", "から"};

/// Longer headings are no list of letters.
constexpr std::size_t kMaxHeading = 120;
constexpr std::size_t kMaxDigits = 3;

struct Word {
  std::string text;
  std::size_t letters = 0, digits = 0;
  char32_t first = 0;
};

std::vector<Word> words_of(std::string_view heading) {
  const auto role_of = [](char32_t c) {
    const auto character = static_cast<UChar32>(c);
    return u_getCombiningClass(character) != 0 || u_isalnum(character) ? text::Role::kPart : text::Role::kGap;
  };
  std::vector<Word> words;
  text::for_each_word(heading, role_of, [&](const text::Word& range) {
    const auto letters = to_utf32(range.of(heading));
    const auto count = [&](UBool (*is)(UChar32)) {
      return static_cast<std::size_t>(std::count_if(letters.begin(), letters.end(), is));
    };
    words.push_back({std::string(range.of(heading)), count(u_isalpha), count(u_isdigit), letters.front()});
  });
  return words;
}

/// One letter of an alphabet; a Hangul syllable and a Han character are words.
bool is_index_letter(const Word& word) {
  const bool han = text::script_of(word.first) == USCRIPT_HAN;
  if (!han && text::is_han_or_kana(word.first) && word.letters == 2 && word.text.ends_with("行")) return true;
  const bool syllable = word.first >= 0xAC00 && word.first <= 0xD7A3;
  return word.letters == 1 && word.digits == 0 && !han && !syllable;
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
