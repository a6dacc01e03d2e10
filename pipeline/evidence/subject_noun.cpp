#include "pipeline/evidence/subject_noun.hpp"

#include "common/unicode.hpp"
#include "pipeline/evidence/wording/function_words.hpp"

#include <algorithm>
#include <utility>

namespace touchstone::pipeline::evidence {
namespace {

/// Languages that put the words that narrow a noun in front of it.
constexpr std::string_view kNounLast = " en simple de nl sv da no nb nn fi hu tr et ja zh ko lv ltg lt ";
constexpr std::string_view kConjunctions =
    " and or und oder et ou y o e и или і та ja en och og eller a i lub nebo un ";

}  // namespace

std::string subject_noun(text::TermSplitter& splitter, std::string_view language, std::string_view subject) {
  std::string noun;
  ByteCounter positions(subject);
  for (auto& term : splitter.split(subject)) {
    const auto begin = positions.at_code_point(term.begin);
    const auto word = subject.substr(begin, positions.at_code_point(term.end) - begin);
    const bool ends = splitter.is_stop_word(term.stem) || wording::is_preposition(language, word);
    if (ends && !noun.empty()) break;
    if (!ends) noun = std::move(term.stem);
  }
  return noun;
}

std::vector<std::string> subject_nouns(text::TermSplitter& splitter, std::string_view language,
                                       std::string_view subject) {
  const auto base = language.substr(0, language.find('-'));
  const bool noun_last = kNounLast.find(" " + std::string(base) + " ") != std::string_view::npos;
  std::vector<std::string> nouns;
  ByteCounter positions(subject);
  std::size_t last_end = 0;
  bool joined = true;  // with what is before it
  for (auto& term : splitter.split(subject)) {
    const auto begin = positions.at_code_point(term.begin);
    const auto between = subject.substr(last_end, begin - last_end);
    last_end = positions.at_code_point(term.end);
    const auto word = lower_case(subject.substr(begin, last_end - begin));
    joined |= between.find_first_of("/,(&") != std::string_view::npos;
    if (kConjunctions.find(" " + word + " ") != std::string_view::npos) {
      joined = true;
    } else if (splitter.is_stop_word(term.stem) || wording::is_preposition(language, word)) {
      if (!nouns.empty()) break;
    } else {
      if (noun_last && !joined && !nouns.empty()) nouns.pop_back();
      nouns.push_back(std::move(term.stem));
      joined = false;
    }
  }
  return nouns;
}

bool is_same_noun(const std::string& stem, const std::string& other, bool has_stemmer) {
  if (stem == other) return !stem.empty();
  if (has_stemmer) return false;
  constexpr std::size_t kEnding = 2, kLeast = 2;
  const auto shared = static_cast<std::size_t>(
      std::mismatch(stem.begin(), stem.end(), other.begin(), other.end()).first - stem.begin());
  return shared >= kLeast && stem.size() - shared <= kEnding && other.size() - shared <= kEnding &&
         shared * 2 >= std::max(stem.size(), other.size());
}

}  // namespace touchstone::pipeline::evidence
