#include "pipeline/corpus/snippets.hpp"

#include "common/error.hpp"
#include "common/unicode.hpp"

#include <memory>
#include <string>

#include <unicode/brkiter.h>
#include <unicode/unistr.h>

namespace touchstone::pipeline::corpus {
namespace {

std::size_t count_words(std::string_view text) {
  std::size_t words = 0;
  bool inside = false;
  for (const char c : text) {
    const bool blank = c == ' ';
    words += !blank && !inside ? 1 : 0;
    inside = !blank;
  }
  return words;
}

/// A sentence, or a part of a long one.
struct Piece {
  std::int32_t begin, end;  ///< UTF-16 offsets
  std::size_t words;
};

/// Cuts a sentence of more than `max_words` words at blanks.
void cut_sentence(const icu::UnicodeString& text, std::int32_t begin, std::int32_t end, std::size_t max_words,
                  std::vector<Piece>& pieces) {
  std::size_t words = 0;
  for (std::int32_t i = begin; i < end; ++i) {
    const bool starts_word = text.charAt(i) != ' ' && (i == begin || text.charAt(i - 1) == ' ');
    if (starts_word && words == max_words) {
      pieces.push_back({begin, i, words});
      begin = i;
      words = 0;
    }
    words += starts_word ? 1 : 0;
  }
  pieces.push_back({begin, end, words});
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

}  // namespace

std::vector<Passage> cut_snippets(const Passage& whole, std::size_t max_words, std::uint32_t& ordinal) {
  const auto text = icu::UnicodeString::fromUTF8(whole.text);
  const std::vector<Piece> pieces = find_pieces(text, max_words);
  // Snippets and links both ascend, so that each code point and each link is looked at once.
  std::vector<Passage> snippets;
  std::int32_t counted = 0;       // UTF-16 offset that ...
  std::uint32_t begin_point = 0;  // ... this many code points stand in front of
  auto link = whole.links.begin();
  for (std::size_t i = 0; i < pieces.size();) {
    std::size_t words = 0, last = i;
    while (last < pieces.size() && (last == i || words + pieces[last].words <= max_words))
      words += pieces[last++].words;
    std::int32_t from = pieces[i].begin, to = pieces[last - 1].end;
    while (to > from && text.charAt(to - 1) == ' ') --to;
    i = last;
    Passage snippet;
    text.tempSubStringBetween(from, to).toUTF8String(snippet.text);
    if (is_white_space(snippet.text)) continue;
    snippet.ordinal = ordinal++;
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
