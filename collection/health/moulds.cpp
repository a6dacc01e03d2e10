#include "collection/health/moulds.hpp"

#include "collection/health/words.hpp"
#include "common/unicode.hpp"
#include "text/characters.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include <unicode/uchar.h>
#include <unicode/uscript.h>

namespace touchstone::collection::health {
namespace {

constexpr std::size_t kMostGlossWords = 12;

/// Scripts that one text of a language mixes count as one.
UScriptCode script_of(UChar32 c) {
  const auto script = text::script_of(static_cast<char32_t>(c));
  return script == USCRIPT_HIRAGANA || script == USCRIPT_KATAKANA || script == USCRIPT_HANGUL ? USCRIPT_HAN : script;
}

/// The script of most letters; common without letters.
UScriptCode main_script(std::string_view text) {
  std::map<UScriptCode, std::size_t> letters;
  for (std::size_t at = 0; at < text.size();) {
    const auto c = static_cast<UChar32>(next_code_point(text, at));
    if (u_isalpha(c)) ++letters[script_of(c)];
  }
  const auto most = std::max_element(letters.begin(), letters.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == letters.end() ? USCRIPT_COMMON : most->first;
}

/// True for words with a capital, for numbers, in digits or in words of one numeral, and for words that begin in
/// another script than `main`.
bool is_name_or_number(std::string_view word, std::optional<UScriptCode> main) {
  for (std::size_t at = 0; at < word.size();) {
    const bool first = at == 0;
    const auto letter = static_cast<UChar32>(next_code_point(word, at));
    if (u_isupper(letter) || u_istitle(letter) || u_isdigit(letter) || u_getNumericValue(letter) != U_NO_NUMERIC_VALUE)
      return true;
    if (first && main && u_isalpha(letter) && script_of(letter) != *main) return true;
  }
  return false;
}

using Ranges = std::vector<std::pair<std::size_t, std::size_t>>;

/// Adds where the name is, with its first letter in either case.
void add_occurrences(std::string_view text, std::string_view name, Ranges& ranges) {
  if (const auto qualifier = name.rfind(" (");
      qualifier != std::string_view::npos && qualifier > 0 && name.back() == ')')
    name = name.substr(0, qualifier);
  if (name.empty()) return;
  std::size_t rest = 0;
  next_code_point(name, rest);
  const auto lower = lower_case(name.substr(0, rest)) + std::string(name.substr(rest));
  for (const std::string_view form : {name, std::string_view(lower)}) {
    for (auto at = text.find(form); at != std::string_view::npos; at = text.find(form, at + form.size()))
      ranges.emplace_back(at, at + form.size());
    if (lower == name) break;
  }
}

/// Adds texts in brackets that are not sentences.
void add_bracketed(std::string_view text, Ranges& ranges) {
  std::vector<Word> words;
  for (const auto& [open, close] : {std::pair<std::string_view, std::string_view>("(", ")"), {"（", "）"}}) {
    for (auto at = text.find(open); at != std::string_view::npos; at = text.find(open, at + open.size())) {
      const auto end = text.find(close, at);
      if (end == std::string_view::npos) break;
      split_words(text.substr(at, end - at), words);
      if (words.size() <= kMostGlossWords) ranges.emplace_back(at, end);
    }
  }
}

/// Ranges of bytes that are names, sorted.
Ranges name_ranges(std::string_view text, const std::vector<std::string>& names,
                   std::vector<std::pair<std::uint32_t, std::uint32_t>> spans, Gloss gloss) {
  Ranges ranges;
  for (const auto& name : names) add_occurrences(text, name, ranges);
  if (gloss == Gloss::kName) add_bracketed(text, ranges);
  std::sort(spans.begin(), spans.end());
  ByteCounter begins(text);
  for (const auto& [begin, end] : spans) {
    const auto first = begins.at_code_point(begin);
    auto last = first;
    for (auto left = end - std::min(begin, end); left > 0 && last < text.size(); --left) next_code_point(text, last);
    ranges.emplace_back(first, last);
  }
  std::sort(ranges.begin(), ranges.end());
  return ranges;
}

}  // namespace

std::string mould_of(std::string_view text, const std::vector<std::string>& names,
                     const std::vector<std::pair<std::uint32_t, std::uint32_t>>& spans, Gloss gloss) {
  const auto ranges = name_ranges(text, names, spans, gloss);
  const auto main = gloss == Gloss::kName ? std::optional(main_script(text)) : std::nullopt;
  std::vector<Word> words;
  split_words(text, words);
  std::string mould;
  bool after_name = false;
  std::size_t next = 0, named_to = 0;
  for (const auto& word : words) {
    for (; next < ranges.size() && ranges[next].first <= word.begin; ++next)
      named_to = std::max(named_to, ranges[next].second);
    const auto letters = text.substr(word.begin, word.end - word.begin);
    const bool name = word.begin < named_to || is_name_or_number(letters, main);
    if (name && after_name) continue;
    after_name = name;
    if (!mould.empty()) mould += ' ';
    mould += name ? "X" : lower_case(letters);
  }
  return mould;
}

}  // namespace touchstone::collection::health
