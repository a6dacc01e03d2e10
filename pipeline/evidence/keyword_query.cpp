#include "pipeline/evidence/keyword_query.hpp"

#include "common/unicode.hpp"
#include "extractors/site/language_data.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

#include <unicode/uchar.h>
#include <unicode/uscript.h>

namespace touchstone::pipeline::evidence {
namespace {

bool is_part_of_word(UChar32 c) {
  return u_isalnum(c) || u_getCombiningClass(c) != 0 || u_charType(c) == U_COMBINING_SPACING_MARK;
}

/// Words between blanks and punctuation. Signs inside a word stay: "St.John's", "AC-4", "C++".
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  std::size_t end_of_letters = 0;
  const auto flush = [&] {
    word.resize(word.ends_with("++") ? word.size() : end_of_letters);
    if (!word.empty()) words.push_back(std::move(word));
    word.clear();
    end_of_letters = 0;
  };
  for (std::size_t at = 0; at < text.size();) {
    const auto begin = at;
    const auto c = static_cast<UChar32>(next_code_point(text, at));
    if (is_part_of_word(c)) {
      word += text.substr(begin, at - begin);
      end_of_letters = word.size();
    } else if (std::string_view("'.-+&").find(text[begin]) != std::string_view::npos || c == 0x2019 || c == 0x30FB) {
      if (!word.empty()) word += text.substr(begin, at - begin);
    } else {
      flush();
    }
  }
  flush();
  return words;
}

/// In lower case, as people type, but for words with capitals inside, which are abbreviations and brands ("GPS",
/// "QtMoko").
std::string as_typed(const std::string& word) {
  const auto is_capital = [](unsigned char c) { return std::isupper(c) != 0; };
  return word.size() > 1 && std::any_of(word.begin() + 1, word.end(), is_capital) ? word : lower_case(word);
}

bool is_camel_case(std::string_view word) {
  for (std::size_t i = 1; i < word.size(); ++i) {
    const auto before = static_cast<unsigned char>(word[i - 1]), here = static_cast<unsigned char>(word[i]);
    if (std::islower(before) != 0 && std::isupper(here) != 0) return true;
    // "APIReference"
    const bool ends_capitals = i >= 2 && std::isupper(before) != 0 && std::isupper(word[i - 2]) != 0;
    if (ends_capitals && std::islower(here) != 0 && word.substr(i) != "s") return true;
  }
  return false;
}

bool has_file_ending(std::string_view word) {
  const auto dot = word.rfind('.');
  if (dot == std::string_view::npos || dot == 0 || word.size() - dot < 2 || word.size() - dot > 5) return false;
  return std::all_of(word.begin() + static_cast<std::ptrdiff_t>(dot) + 1, word.end(),
                     [](unsigned char c) { return std::islower(c) != 0 || std::isdigit(c) != 0; }) &&
         std::any_of(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(dot),
                     [](unsigned char c) { return std::isalpha(c) != 0; });
}

/// Whether a full stop ends a word that is no abbreviation, and another one follows.
bool has_full_stop(std::string_view text) {
  constexpr std::size_t kLongestAbbreviation = 3;
  for (auto at = text.find(". "); at != std::string_view::npos; at = text.find(". ", at + 1)) {
    const auto blank = text.rfind(' ', at == 0 ? 0 : at - 1);
    const auto word = text.substr(blank == std::string_view::npos ? 0 : blank + 1, at - (blank + 1));
    if (word.size() > kLongestAbbreviation && word.find('.') == std::string_view::npos) return true;
  }
  return false;
}

/// Whether all letters of the text are of scripts that the language is never written in.
bool is_in_other_script(std::string_view text, std::string_view language) {
  constexpr int kMost = 8;  // Japanese has three
  UScriptCode scripts[kMost];
  UErrorCode status = U_ZERO_ERROR;
  const auto count = language.empty() ? 0
                                      : uscript_getCode(std::string(language == "simple" ? "en" : language).c_str(),
                                                        scripts, kMost, &status);
  if (U_FAILURE(status) || count <= 0) return false;
  std::size_t own = 0, other = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto c = static_cast<UChar32>(next_code_point(text, at));
    if (!u_isalpha(c)) continue;
    status = U_ZERO_ERROR;
    const auto script = uscript_getScript(c, &status);
    const bool known = script == USCRIPT_LATIN || std::find(scripts, scripts + count, script) != scripts + count;
    ++(known ? own : other);
  }
  return other > own;
}

std::vector<std::string_view> parts_of_title(std::string_view title) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= title.size();) {
    const auto end = std::min(title.find('/', begin), title.size());
    if (end > begin) parts.push_back(title.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

}  // namespace

std::string keyword_query(corpus::TermSplitter& splitter, const std::vector<std::string>& parts) {
  std::set<std::string> said;
  std::string query;
  for (const auto& part : parts) {
    std::string between;  // words without meaning, kept if words that stay are on both sides
    bool may_join = false;
    for (const auto& word : words_of(part)) {
      const auto terms = splitter.split(word);
      const auto is_silent = [&](const corpus::Term& term) { return splitter.is_stop_word(term.stem); };
      if (std::all_of(terms.begin(), terms.end(), is_silent)) {
        between += " " + lower_case(word);
        continue;
      }
      bool anything_new = false;
      for (const auto& term : terms) anything_new |= said.insert(term.stem).second;
      if (anything_new) query += (may_join ? between : "") + (query.empty() ? "" : " ") + as_typed(word);
      may_join = anything_new;
      between.clear();
    }
  }
  return query;
}

double count_meaning_words(corpus::TermSplitter& splitter, std::string_view query) {
  constexpr double kLetter = 0.5;
  double words = 0;
  for (const auto& term : splitter.split(query)) {
    if (!splitter.is_stop_word(term.stem)) words += term.letter ? kLetter : 1;
  }
  return words;
}

std::string_view without_other_script(std::string_view text, std::string_view language) {
  const auto open = std::max(text.rfind(" (") + 1, text.rfind("（") + 1);
  const bool closed = text.ends_with(')') || text.ends_with("）");
  if (open < 2 || !closed || !is_in_other_script(text.substr(open), language)) return text;
  return text.substr(0, text.substr(0, open - 1).find_last_not_of(' ') + 1);
}

std::string why_no_words(std::string_view text, std::string_view language) {
  if (text.find_first_of("_{}<>=\\|[]~^*`") != std::string_view::npos || text.find("::") != std::string_view::npos ||
      text.find("()") != std::string_view::npos)
    return "it is code or markup";
  const auto colon = text.find(':');
  if (colon != std::string_view::npos && colon + 1 < text.size() && text[colon + 1] != ' ')
    return "it is the code of a page";
  const auto parts = parts_of_title(text);
  for (const auto part : parts) {
    const bool code = parts.size() > 1 && is_camel_case(part) && part.find(' ') == std::string_view::npos;
    if (code || (part.find(' ') == std::string_view::npos && has_file_ending(part))) return "it is the code of a page";
  }
  constexpr std::string_view kEnds[] = {"?", "!", "？", "！", "。"};
  if (has_full_stop(text) ||
      std::any_of(std::begin(kEnds), std::end(kEnds), [&](auto end) { return text.ends_with(end); }))
    return "it is a sentence";
  if (is_in_other_script(text, language)) return "it is not in the wiki's language";
  return {};
}

bool is_language_code(std::string_view part) {
  std::string code(part);
  std::replace(code.begin(), code.end(), ' ', '-');  // "zh tw"
  return code.size() >= 2 && code.size() <= 8 && code == lower_case(code) && extractors::site::is_known_language(code);
}

std::string title_words(std::string_view title) {
  auto parts = parts_of_title(title);
  if (parts.size() > 1 && is_language_code(parts.front())) parts.erase(parts.begin());
  if (parts.size() > 1 && is_language_code(parts.back())) parts.pop_back();
  if (parts.empty()) return std::string(title);
  std::string words(parts.back());
  if (parts.size() > 1 && words.find_first_of(" _") == std::string::npos)
    words = std::string(parts[parts.size() - 2]) + " " + words;
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

}  // namespace touchstone::pipeline::evidence
