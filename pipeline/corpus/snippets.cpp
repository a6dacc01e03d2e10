#include "pipeline/corpus/snippets.hpp"

#include "common/error.hpp"
#include "common/unicode.hpp"
#include "common/words.hpp"

#include <memory>
#include <string>

#include <unicode/brkiter.h>
#include <unicode/unistr.h>

namespace touchstone::pipeline::corpus {
namespace {

/// A sentence, or a part of a long one.
struct Piece {
  std::int32_t begin, end;  ///< UTF-16 offsets
  std::size_t words;
};

/// Cuts a sentence of more than `max_words` words at blanks, or between letters of scripts without blanks.
void cut_sentence(const icu::UnicodeString& text, std::int32_t begin, std::int32_t end, std::size_t max_words,
                  std::vector<Piece>& pieces) {
  std::size_t words = 0, letters = 0;  // whole words; letters of a run without blanks behind them
  bool in_word = false;
  for (std::int32_t i = begin, next = i; i < end; i = next) {
    next = text.moveIndex32(i, 1);
    const auto c = text.char32At(i);
    const bool alone = is_written_without_blanks(static_cast<char32_t>(c));
    const bool blank = is_unicode_space(static_cast<char32_t>(c));
    if (blank || alone) in_word = false;
    if (blank) {
      words += (letters + 1) / 2;
      letters = 0;
    }
    const bool starts_word = !blank && !alone && !in_word && letters == 0;
    const bool adds = starts_word || (alone && letters % 2 == 0);
    if (adds && words + (letters + 1) / 2 == max_words) {
      pieces.push_back({begin, i, max_words});
      begin = i;
      words = letters = 0;
    }
    if (alone) {
      ++letters;
    } else if (!blank && !in_word) {
      // A word that goes on where letters ended is counted with them.
      words += letters == 0 ? 1 : 0;
      in_word = letters == 0;
    }
  }
  pieces.push_back({begin, end, words + (letters + 1) / 2});
}

/// The sentences of a text, those of more than `max_words` words in parts.
std::vector<Piece> find_pieces(const icu::UnicodeString& text, std::size_t max_words) {
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<icu::BreakIterator> sentences(
      icu::BreakIterator::createSentenceInstance(icu::Locale::getRoot(), status));
  if (U_FAILURE(status)) throw Error(std::string("ICU cannot find sentence boundaries: ") + u_errorName(status));
  sentences->setText(text);
  std::vector<Piece> pieces;
  std::string sentence;
  std::int32_t begin = sentences->first();
  for (std::int32_t end = sentences->next(); end != icu::BreakIterator::DONE; begin = end, end = sentences->next()) {
    sentence.clear();
    text.tempSubStringBetween(begin, end).toUTF8String(sentence);
    const std::size_t words = count_words(sentence);
    if (words <= max_words) {
      pieces.push_back({begin, end, words});
    } else {
      cut_sentence(text, begin, end, max_words, pieces);
    }
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
  const auto text = icu::UnicodeString::fromUTF8(whole.text);
  const std::vector<Piece> pieces = find_pieces(text, max_words);
  std::uint32_t ordinal = whole.ordinal;
  // Snippets and links both ascend, so that each code point and each link is looked at once.
  std::vector<Passage> snippets;
  std::int32_t counted = 0;       // UTF-16 offset that ...
  std::uint32_t begin_point = 0;  // ... this many code points stand in front of
  auto link = whole.links.begin();
  std::size_t i = 0;
  for (const std::size_t last : pack(pieces, max_words, min_words)) {
    std::int32_t from = pieces[i].begin, to = pieces[last - 1].end;
    while (to > from && (text.charAt(to - 1) == ' ' || text.charAt(to - 1) == '\n')) --to;
    i = last;
    Passage snippet;
    text.tempSubStringBetween(from, to).toUTF8String(snippet.text);
    if (is_white_space(snippet.text)) continue;
    snippet.ordinal = ordinal;
    ordinal += step;
    snippet.section = whole.section;
    snippet.section_path = whole.section_path;
    snippet.first_paragraph = whole.first_paragraph;
    snippet.last_paragraph = whole.last_paragraph;
    begin_point += static_cast<std::uint32_t>(text.countChar32(counted, from - counted));
    counted = from;
    const auto end_point = begin_point + static_cast<std::uint32_t>(text.countChar32(from, to - from));
    while (link != whole.links.end() && link->begin < begin_point) ++link;
    for (auto inside = link; inside != whole.links.end() && inside->begin <= end_point; ++inside) {
      if (inside->end <= end_point)
        snippet.links.push_back({inside->begin - begin_point, inside->end - begin_point, inside->target});
    }
    snippets.push_back(std::move(snippet));
  }
  return snippets;
}

}  // namespace touchstone::pipeline::corpus
