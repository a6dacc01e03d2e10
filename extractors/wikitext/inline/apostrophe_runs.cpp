#include "extractors/wikitext/inline/apostrophe_runs.hpp"

#include <cstddef>

namespace touchstone::extractors::wikitext::inlines {
using namespace tokens;
namespace {

constexpr std::uint32_t kItalic = 2, kBold = 3, kBoth = 5;

/// Length of the mark in a run of `length` apostrophes; those in front of it are text.
std::uint32_t mark_length(std::uint32_t length) noexcept {
  if (length == 4) return kBold;
  return length > kBoth ? kBoth : length;
}

/// The bold mark that is an apostrophe and an italic mark, on a line where the numbers of both are odd: the one behind
/// a one-letter word, else behind a longer word, else behind a blank. The size of the line when there is no such mark.
std::size_t find_split_mark(std::string_view text, std::span<const Token> line) {
  const std::size_t end = line.size();
  std::size_t single = end, word = end, blank = end;
  for (std::size_t i = 0; i < end && single == end; ++i) {
    const Token& token = line[i];
    if (token.kind != TokenKind::kApostrophes || mark_length(token.end - token.begin) != kBold) continue;
    char last = '\0';
    char second = '\0';
    std::string_view before;
    if (i > 0 && line[i - 1].kind == TokenKind::kText) {
      before = line[i - 1].in(text);
    }
    if (token.end - token.begin == 4) {
      last = '\'';
      second = before.empty() ? '\'' : before.back();
    } else if (!before.empty()) {
      last = before.back();
      second = before.size() > 1 ? before[before.size() - 2] : last;
    }
    if (last == ' ') {
      if (blank == end) blank = i;
    } else if (second == ' ') {
      single = i;
    } else if (word == end) {
      word = i;
    }
  }
  return single != end ? single : word != end ? word : blank;
}

}  // namespace

void balance_apostrophes(std::string_view text, std::span<Token> line, Leftovers leftovers) {
  std::uint32_t bold = 0;
  std::uint32_t italic = 0;
  bool any = false;
  for (const Token& token : line) {
    if (token.kind != TokenKind::kApostrophes) continue;
    any = true;
    const std::uint32_t mark = mark_length(token.end - token.begin);
    bold += mark == kBold || mark == kBoth;
    italic += mark == kItalic || mark == kBoth;
  }
  if (!any) return;

  const std::size_t end = line.size();
  const std::size_t split = bold % 2 == 1 && italic % 2 == 1 ? find_split_mark(text, line) : end;
  for (std::size_t i = 0; i < end; ++i) {
    Token& token = line[i];
    if (token.kind != TokenKind::kApostrophes) continue;
    const std::uint32_t length = token.end - token.begin;
    const std::uint32_t shown = length - mark_length(length) + (i == split ? 1 : 0);
    if (shown > 0) {
      token.kind = shown > 1 && leftovers == Leftovers::kMarkup ? TokenKind::kApostrophes : TokenKind::kText;
      token.end = token.begin + shown;
    } else {
      token.kind = TokenKind::kOpenTag;
      token.tag = Tag::kInline;
      token.end = token.begin;
      token.value = mark_length(length) - (i == split ? 1 : 0);
    }
  }
}

}  // namespace touchstone::extractors::wikitext::inlines
