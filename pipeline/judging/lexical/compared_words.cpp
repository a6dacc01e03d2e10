#include "pipeline/judging/lexical/compared_words.hpp"

#include "common/unicode.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace touchstone::pipeline::judging::lexical {
namespace {

bool are_neighbours(const text::Term& a, const text::Term& b) {
  return a.letter && b.letter && a.end == b.begin;
}

/// Cuts the ending of a word. Numbers stay whole.
void cut_ending(std::string& word) {
  constexpr std::size_t kLetters = 5, kShortest = 4;
  const auto length = count_code_points(word);
  if (length < kShortest || (word.front() >= '0' && word.front() <= '9')) return;
  std::size_t end = 0;
  for (std::size_t letters = std::min(kLetters, length - 1); letters > 0; --letters) next_code_point(word, end);
  word.resize(end);
}

}  // namespace

std::vector<text::Term> compared_words(text::TermSplitter& splitter, std::string_view text, Endings endings) {
  auto terms = splitter.split(text);
  if (endings == Endings::kCut) {
    for (auto& term : terms) cut_ending(term.stem);
  }
  std::vector<text::Term> words;
  words.reserve(terms.size());
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const bool follows = i > 0 && are_neighbours(terms[i - 1], terms[i]);
    const bool leads = i + 1 < terms.size() && are_neighbours(terms[i], terms[i + 1]);
    if (follows && !leads) continue;  // the pair before holds it
    words.push_back(terms[i]);
    if (!leads) continue;
    words.back().stem += terms[i + 1].stem;
    words.back().end = terms[i + 1].end;
  }
  return words;
}

bool makes_compounds(std::string_view stemmer) {
  constexpr std::array<std::string_view, 5> kStemmers{"german", "dutch", "swedish", "danish", "norwegian"};
  return std::find(kStemmers.begin(), kStemmers.end(), stemmer) != kStemmers.end();
}

bool is_hiragana(std::string_view word) {
  for (std::size_t at = 0; at < word.size();) {
    const char32_t letter = next_code_point(word, at);
    if (letter < 0x3041 || letter > 0x309F) return false;
  }
  return !word.empty();
}

}  // namespace touchstone::pipeline::judging::lexical
