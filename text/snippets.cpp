#include "text/snippets.hpp"

#include "text/sentences.hpp"
#include "text/words.hpp"

namespace touchstone::text {
namespace {

/// Counts what is between white space.
class SpaceCounter {
 public:
  static Role role_of(char32_t character) noexcept { return between_spaces(character); }
  void add(const Word&) noexcept { ++words_; }
  std::size_t count() const noexcept { return words_; }

 private:
  std::size_t words_ = 0;
};

/// A sentence, or a part of a long one.
struct Piece {
  std::size_t begin, end;  ///< bytes
  std::size_t words;
};

/// The sentences of a text; those of more than `max_words` words are cut at blanks, or between letters of scripts
/// without blanks.
template <class Counter>
std::vector<Piece> find_pieces(std::string_view text, std::size_t max_words) {
  std::vector<Piece> pieces;
  std::size_t begin = 0;
  for (const std::size_t end : sentence_ends(text)) {
    Counter counter;
    const std::size_t sentence = begin;
    for_each_word(text.substr(begin, end - begin), Counter::role_of, [&](const Word& word) {
      auto longer = counter;
      longer.add(word);
      if (longer.count() > max_words) {
        pieces.push_back({begin, sentence + word.begin, max_words});
        begin = sentence + word.begin;
        longer = {};
        longer.add(word);
      }
      counter = longer;
    });
    pieces.push_back({begin, end, counter.count()});
    begin = end;
  }
  return pieces;
}

/// Where each snippet ends, as a number of pieces: as many as fit. If the last one has fewer than `min_words` words,
/// pieces of the one before it join it, as long as that one keeps enough.
std::vector<std::size_t> pack(const std::vector<Piece>& pieces, std::size_t max_words, std::size_t min_words) {
  std::vector<std::size_t> ends, sizes;
  for (std::size_t i = 0; i < pieces.size();) {
    std::size_t words = 0, last = i;
    while (last < pieces.size() && (last == i || words + pieces[last].words <= max_words))
      words += pieces[last++].words;
    ends.push_back(i = last);
    sizes.push_back(words);
  }
  if (ends.size() < 2) return ends;
  std::size_t& before = sizes[sizes.size() - 2];
  std::size_t& border = ends[ends.size() - 2];
  const std::size_t first = ends.size() > 2 ? ends[ends.size() - 3] : 0;
  while (sizes.back() < min_words && border > first + 1) {
    const std::size_t words = pieces[border - 1].words;
    if (before < words + min_words || sizes.back() + words > max_words) break;
    before -= words;
    sizes.back() += words;
    --border;
  }
  return ends;
}

}  // namespace

std::vector<TextRange> cut_into_snippets(std::string_view text, const SnippetRules& rules) {
  const auto pieces = rules.words == SnippetWords::kByScript ? find_pieces<WordCounter>(text, rules.max_words)
                                                             : find_pieces<SpaceCounter>(text, rules.max_words);
  std::vector<TextRange> snippets;
  std::size_t i = 0;
  for (const std::size_t last : pack(pieces, rules.max_words, rules.min_words)) {
    snippets.push_back({pieces[i].begin, pieces[last - 1].end});
    i = last;
  }
  return snippets;
}

}  // namespace touchstone::text
