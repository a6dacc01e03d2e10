#include "pipeline/evidence/subject_noun.hpp"

#include "common/unicode.hpp"
#include "pipeline/evidence/wording/function_words.hpp"

#include <algorithm>
#include <utility>

namespace touchstone::pipeline::evidence {
std::string subject_noun(corpus::TermSplitter& splitter, std::string_view language, std::string_view subject) {
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
