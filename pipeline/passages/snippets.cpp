#include "pipeline/passages/snippets.hpp"

#include "common/unicode.hpp"
#include "text/sentences.hpp"
#include "text/words.hpp"

#include <string>

namespace touchstone::pipeline::passages {
namespace {

/// A sentence, or a part of a long one.
struct Piece {
  std::size_t begin, end;  ///< bytes
  std::size_t words;
};

/// The sentences of a text; those of more than `max_words` words are cut at blanks, or between letters of scripts
/// without blanks.
std::vector<Piece> find_pieces(std::string_view text, std::size_t max_words) {
  std::vector<Piece> pieces;
  std::size_t begin = 0;
  for (const std::size_t end : text::sentence_ends(text)) {
    text::WordCounter counter;
    const std::size_t sentence = begin;
    text::for_each_word(text.substr(begin, end - begin), text::WordCounter::role_of, [&](const text::Word& word) {
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

/// Where each passage ends, as a number of pieces: as many as fit. If the last one has fewer than `min_words` words,
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

std::vector<Passage> cut_at_sentences(const Passage& whole, std::size_t max_words, std::size_t min_words,
                                      std::uint32_t step) {
  const std::string_view text = whole.text;
  const std::vector<Piece> pieces = find_pieces(text, max_words);
  std::uint32_t ordinal = whole.ordinal;
  // Snippets and links both ascend, so that each code point and each link is looked at once.
  std::vector<Passage> snippets;
  CodePointCounter points(text);
  auto link = whole.links.begin();
  std::size_t i = 0;
  for (const std::size_t last : pack(pieces, max_words, min_words)) {
    const std::size_t from = pieces[i].begin;
    std::size_t to = pieces[last - 1].end;
    while (to > from && (text[to - 1] == ' ' || text[to - 1] == '\n')) --to;
    i = last;
    Passage snippet;
    snippet.text = text.substr(from, to - from);
    if (is_white_space(snippet.text)) continue;
    snippet.ordinal = ordinal;
    ordinal += step;
    snippet.section_path = whole.section_path;
    const std::uint32_t begin_point = points.at_byte(from), end_point = points.at_byte(to);
    while (link != whole.links.end() && link->begin < begin_point) ++link;
    for (auto inside = link; inside != whole.links.end() && inside->begin <= end_point; ++inside) {
      if (inside->end <= end_point)
        snippet.links.push_back({inside->begin - begin_point, inside->end - begin_point, inside->target, inside->page});
    }
    snippets.push_back(std::move(snippet));
  }
  return snippets;
}

}  // namespace touchstone::pipeline::passages
