#include "collection/health/suspicion.hpp"

#include "collection/health/sentence_words.hpp"
#include "text/words.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace touchstone::collection::health {
namespace {

constexpr std::size_t kMostBetweenHints = 10;  ///< words from one such pair to the next
constexpr std::size_t kLeastCells = 2;         ///< marks of cells in a line
constexpr std::size_t kLeastMarks = 3;         ///< marks between the titles of a box
constexpr std::size_t kLeastEntries = 4;       ///< of a table of contents
constexpr double kLeastCodeInLine = 0.25;      ///< share of the words of a program in one line

bool is_ascii_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}
bool is_small(char c) noexcept {
  return c >= 'a' && c <= 'z';
}
bool begins_name(std::string_view text) noexcept {
  return !text.empty() && ((text.front() >= 'A' && text.front() <= 'Z') || (text.front() & 0x80) != 0);
}

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + part.size())) ++found;
  return found;
}

/// "== History ==" at the begin of a line or behind a sentence, or "===History===" anywhere.
bool has_heading(const std::vector<std::string_view>& words, std::string_view text) {
  constexpr std::size_t kMostWords = 12, kLeastBytes = 5;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!words[i].starts_with("==")) continue;
    const bool named = words[i].find_first_not_of('=') != std::string_view::npos;
    if (named && words[i].size() >= kLeastBytes && words[i].ends_with("==")) return true;
    const auto* begin = words[i].data();
    const bool first = begin == text.data() || begin[-1] == '\n' ||
                       (i > 0 && std::string_view(".!?=").find(words[i - 1].back()) != std::string_view::npos);
    for (std::size_t j = i + (named ? 1 : 2); first && j < std::min(words.size(), i + kMostWords); ++j) {
      if (words[j].ends_with("==")) return true;
    }
  }
  return false;
}

/// "**by bus**"
bool has_emphasis(std::string_view text) {
  const std::size_t open = text.find("**");
  if (open == std::string_view::npos || open + 2 >= text.size()) return false;
  const std::size_t close = text.find("**", open + 2);
  const auto blank = [](char c) { return c == ' ' || c == '*' || c == '\n'; };
  return close != std::string_view::npos && close > open + 2 && !blank(text[open + 2]) && !blank(text[close - 1]) &&
         (open == 0 || std::string_view(" \n(").find(text[open - 1]) != std::string_view::npos);
}

/// Cells of one row: "Name || Size || Weight".
bool has_cells(std::string_view text) {
  for (const auto line : text::parts_of(text, "\n")) {
    const bool code = line.find_first_of("=();{}") != std::string_view::npos;
    if (!code && (count(line, " || ") >= kLeastCells || count(line, " !! ") >= kLeastCells)) return true;
    if (line.starts_with("|") && count(line, "|") > kLeastCells && count(line, "=") > 0) return true;
  }
  return false;
}

/// "zh:神社", a link to another language that was not read.
bool is_language_link(std::string_view word) noexcept {
  constexpr std::size_t kLeastCode = 2, kMostCode = 3;
  const std::size_t colon = word.find(':');
  return colon != std::string_view::npos && colon >= kLeastCode && colon <= kMostCode &&
         std::all_of(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(colon), is_small) &&
         (word[colon + 1 < word.size() ? colon + 1 : colon] & 0x80) != 0;
}

bool has_markup(std::string_view text, const std::vector<std::string_view>& words) {
  constexpr std::string_view kPieces[] = {"[edit]", "[citation needed]", "[http",       "&amp;",       "&lt;",
                                          "&gt;",   "formatnum:",        "\nCategory:", ": Category:", "~~~~"};
  return std::any_of(std::begin(kPieces), std::end(kPieces),
                     [&](std::string_view piece) { return text.find(piece) != std::string_view::npos; }) ||
         text.starts_with("Category:") || text.starts_with("Template:") || text.starts_with("File:") ||
         text.starts_with("#REDIRECT") || has_heading(words, text) || has_emphasis(text) || has_cells(text) ||
         (!words.empty() && is_language_link(words.back()));
}

/// "The shrine is in the town. is a hall": a later sentence without its subject. Short words may be abbreviations.
bool begins_without_subject(std::string_view before, std::string_view word) {
  constexpr std::size_t kLeastBytes = 5;  // with the full stop
  return before.ends_with('.') && is_sentence_word(SentenceWord::kVerb, word) &&
         !is_sentence_word(SentenceWord::kAbout, before) &&
         (is_ascii_digit(before[0]) ||
          (before.size() >= kLeastBytes && is_small(before[0]) && is_small(before[before.size() - 2])));
}

/// Whether pairs of words are near each other that need another word between them, or an article ends the text, or a
/// sentence has no subject.
bool lacks_words(const std::vector<std::string_view>& words) {
  if (!words.empty() && is_sentence_word(SentenceWord::kArticle, words.back())) return true;
  std::size_t last = 0;
  for (std::size_t i = 1; i < words.size(); ++i) {
    std::string_view second = words[i];
    if (begins_without_subject(words[i - 1], second)) return true;
    while (!second.empty() && std::string_view(".,;").find(second.back()) != std::string_view::npos)
      second.remove_suffix(1);
    if (!is_sentence_word(SentenceWord::kHint, std::string(words[i - 1]) + " " + std::string(second))) continue;
    if (last > 0 && i - last <= kMostBetweenHints) return true;
    last = i;
  }
  return false;
}

/// A program or command that lost its lines: "import os for i in range(10): print(i)".
bool is_program(std::string_view text, const std::vector<std::string_view>& words) {
  constexpr std::string_view kFirst[] = {"import", "def", "for", "if", "while", "from", "sudo", "#include", "function"};
  if (words.empty() || has_sentence(text) ||
      std::find(std::begin(kFirst), std::end(kFirst), words.front()) == std::end(kFirst))
    return false;
  if (words.front() == "sudo") return text.find('\n') == std::string_view::npos;
  const auto code = std::count_if(words.begin(), words.end(), [](std::string_view word) {
    return word.ends_with(':') || word.find_first_of("=(;{<[") != std::string_view::npos;
  });
  return static_cast<double>(code) >= kLeastCodeInLine * static_cast<double>(words.size());
}

/// "1 History 2 Geography 2.1 Climate": numbers that go up by one, sections among them, each with a name behind it.
bool is_contents(const std::vector<std::string_view>& words) {
  std::size_t entries = 0, chapter = 0;
  bool sections = false;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const auto word = words[i];
    if (!is_ascii_digit(word.front()) || !is_ascii_digit(word.back()) || !begins_name(words[i + 1])) continue;
    const std::string_view main = word.substr(0, word.find('.'));
    const bool section = main.size() < word.size();
    if (main != std::to_string(section ? chapter : chapter + 1)) continue;
    chapter += section ? 0 : 1;
    sections |= section;
    ++entries;
  }
  return entries >= kLeastEntries && chapter > 1 && sections;
}

/// Titles with marks between them, or ways to the pages before and behind.
bool is_box(std::string_view text, const std::vector<std::string_view>& words) {
  constexpr std::string_view kMarks[] = {"•", "·", "|", "»", "▪"};
  std::size_t marks = 0;
  for (std::size_t i = 1; i + 1 < words.size(); ++i) {
    const bool mark = std::find(std::begin(kMarks), std::end(kMarks), words[i]) != std::end(kMarks);
    marks += mark && begins_name(words[i + 1]) ? 1 : 0;
  }
  return marks >= kLeastMarks ||
         (text.find("Previous: ") != std::string_view::npos && text.find("Next: ") != std::string_view::npos);
}

/// A dash and a date at the end: "I think so. — Jan 13th 2010".
bool is_dated(std::string_view text) {
  constexpr std::size_t kMostBytes = 48;
  constexpr std::string_view kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                          "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  for (const std::string_view dash : {"\u2014 ", "\u2013 ", "-- "}) {
    const std::size_t at = text.rfind(dash);
    if (at == std::string_view::npos || text.size() - at > kMostBytes || at == 0) continue;
    const auto words = text::parts_of(text.substr(at + dash.size()), " \n\t");
    if (words.size() < 3 ||
        std::find(std::begin(kMonths), std::end(kMonths), words[0].substr(0, 3)) == std::end(kMonths))
      continue;
    const bool ordinal =
        is_ascii_digit(words[1].front()) && words[1].size() > 2 && is_small(words[1][words[1].size() - 1]);
    if (ordinal && words[2].size() == 4 && std::all_of(words[2].begin(), words[2].end(), is_ascii_digit)) return true;
  }
  return text.ends_with("(talk)");
}

}  // namespace

std::optional<TextDamage> suspect_damage(std::string_view text) {
  if (const auto damage = find_damage(text)) return damage;
  const auto words = text::parts_of(text, " \n\t");
  if (has_markup(text, words)) return TextDamage::kMarkup;
  if (lacks_words(words)) return TextDamage::kLostWords;
  if (is_program(text, words)) return TextDamage::kCode;
  if (is_dated(text)) return TextDamage::kComment;
  if (!has_sentence(text) && (is_contents(words) || is_box(text, words))) return TextDamage::kLinkList;
  return std::nullopt;
}

}  // namespace touchstone::collection::health
