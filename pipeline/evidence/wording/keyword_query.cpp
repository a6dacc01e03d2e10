#include "pipeline/evidence/wording/keyword_query.hpp"

#include "common/unicode.hpp"
#include "extractors/site/language_data.hpp"
#include "pipeline/corpus/wiki_language.hpp"
#include "pipeline/evidence/wording/function_words.hpp"
#include "pipeline/evidence/wording/page_code.hpp"
#include "text/words.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

#include <unicode/uchar.h>

namespace touchstone::pipeline::evidence::wording {
namespace {

/// Signs inside a word stay: "St.John's", "AC-4", "C++".
text::Role role_of(char32_t c) {
  const auto character = static_cast<UChar32>(c);
  if (u_isalnum(character) || u_getCombiningClass(character) != 0 || u_charType(character) == U_COMBINING_SPACING_MARK)
    return text::Role::kPart;
  const bool sign = std::u32string_view(U"'.-+&\u2019\u30FB").find(c) != std::u32string_view::npos;
  return sign ? text::Role::kMark : text::Role::kGap;
}

/// Words between blanks and punctuation.
std::vector<std::string> typed_words(std::string_view text) {
  std::vector<std::string> words;
  text::for_each_word(text, role_of, [&](const text::Word& range) {
    const auto word = range.of(text);
    const bool abbreviated = word.ends_with('.') && word.find('.') + 1 < word.size();  // "F.C."
    std::size_t end_of_letters = 0;
    for (std::size_t at = 0; at < word.size();) {
      if (role_of(next_code_point(word, at)) == text::Role::kPart) end_of_letters = at;
    }
    words.emplace_back(word.substr(0, abbreviated || word.ends_with("++") ? word.size() : end_of_letters));
  });
  return words;
}

/// In lower case, as people type, but for words with capitals inside, which are abbreviations and brands ("GPS",
/// "QtMoko").
std::string as_typed(const std::string& word) {
  const auto is_capital = [](unsigned char c) { return std::isupper(c) != 0; };
  return word.size() > 1 && std::any_of(word.begin() + 1, word.end(), is_capital) ? word : lower_case(word);
}

/// Whether a word tells no topic in the language.
bool is_silent(const text::TermSplitter& splitter, std::string_view language, std::string_view word,
               const std::vector<text::Term>& terms) {
  return is_function_word(language, word) || std::all_of(terms.begin(), terms.end(), [&](const text::Term& term) {
           return splitter.is_stop_word(term.stem);
         });
}

/// Whether two words are forms of one. Without a stemmer those are that differ in their last two letters at most.
bool is_same_word(const std::string& stem, const std::string& other, bool stemmed) {
  if (stem == other) return true;
  if (stemmed) return false;
  constexpr std::size_t kEnding = 2, kLeast = 4;
  const auto a = to_utf32(stem), b = to_utf32(other);
  const auto shared = static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
  return shared >= kLeast && a.size() - shared <= kEnding && b.size() - shared <= kEnding;
}

}  // namespace

std::string keyword_query(text::TermSplitter& splitter, std::string_view language,
                          const std::vector<std::string>& parts) {
  const bool stemmed = !corpus::stemmer_name(language).empty();
  std::vector<std::string> said;
  std::string query;
  for (const auto& part : parts) {
    std::string between;  // words without meaning, kept if words that stay are on both sides
    bool may_join = false;
    for (const auto& word : typed_words(part)) {
      const auto terms = splitter.split(word);
      if (is_silent(splitter, language, word, terms)) {
        between += " " + lower_case(word);
        continue;
      }
      bool anything_new = false;
      for (const auto& term : terms) {
        const bool fresh = std::none_of(said.begin(), said.end(),
                                        [&](const auto& other) { return is_same_word(term.stem, other, stemmed); });
        if (fresh) said.push_back(term.stem);
        anything_new |= fresh;
      }
      if (anything_new) query += (may_join ? between : "") + (query.empty() ? "" : " ") + as_typed(word);
      may_join = anything_new;
      between.clear();
    }
  }
  return query;
}

double count_meaning_words(text::TermSplitter& splitter, std::string_view language, std::string_view query) {
  constexpr double kLetter = 0.5;
  double words = 0;
  for (const auto& word : typed_words(query)) {
    const auto terms = splitter.split(word);
    if (is_silent(splitter, language, word, terms)) continue;
    for (const auto& term : terms) words += term.letter ? kLetter : 1;
  }
  return words;
}

std::string_view without_other_script(std::string_view text, std::string_view language) {
  const auto open = std::max(text.rfind(" (") + 1, text.rfind("（") + 1);
  const bool closed = text.ends_with(')') || text.ends_with("）");
  if (open < 2 || !closed || !is_in_other_script(text.substr(open), language)) return text;
  return text.substr(0, text.substr(0, open - 1).find_last_not_of(' ') + 1);
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

}  // namespace touchstone::pipeline::evidence::wording
