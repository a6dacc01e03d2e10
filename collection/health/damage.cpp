#include "collection/health/damage.hpp"

#include "collection/health/markup.hpp"
#include "collection/health/sentence_words.hpp"
#include "common/byte_set.hpp"
#include "common/unicode.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <unicode/uchar.h>

namespace touchstone::collection::health {
namespace {

constexpr double kLeastCode = 0.5;                                 // share of the words
constexpr double kMostLinked = 0.8, kLinkedWithoutSentence = 0.5;  // shares of the letters
constexpr double kLeastInCode = 0.75;                              // share of the words in lines of code
constexpr std::size_t kLeastCodeWords = 3, kLeastCodeLines = 3;

bool is_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}
bool is_blank(char c) noexcept {
  return c == ' ' || c == '\n' || c == '\t';
}
constexpr ByteSet kBlanks(" \n\t");
bool is_capital(char c) noexcept {
  return c >= 'A' && c <= 'Z';
}

/// Calls `use(word)` for each run between blanks; stops if it returns false.
template <class Use>
void for_each_word(std::string_view text, const Use& use) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(kBlanks.find_in(text, at), text.size());
    if (end > at && !use(text.substr(at, end - at))) return;
    at = end + 1;
  }
}

std::string_view first_word(std::string_view text) noexcept {
  return text.substr(0, text.find_first_of(" \n\t,."));
}

/// "( )", "(,", "（）": what was in the brackets is lost. Calls of functions such as "main()" have none in front.
bool has_empty_brackets(std::string_view text) {
  for (const auto& [open, close] : {std::pair<std::string_view, std::string_view>("(", ")"), {"（", "）"}}) {
    for (std::size_t at = text.find(open); at != std::string_view::npos; at = text.find(open, at + 1)) {
      const bool ascii = open == "(";
      if (ascii && (at == 0 || !is_blank(text[at - 1]))) continue;
      const std::size_t next = text.find_first_not_of(" \t;,", at + open.size());
      if (next != std::string_view::npos && text.substr(next).starts_with(close)) return true;
      if (ascii && next != std::string_view::npos && at + 1 < text.size() &&
          (text[at + 1] == ',' || text[at + 1] == ';'))
        return true;
    }
  }
  return false;
}

/// A pair of quotation marks around nothing, as a word of its own.
bool has_empty_quotes(std::string_view text) {
  bool found = false;
  for_each_word(text, [&](std::string_view word) {
    found = word == "\"\"" || word == "\"\"," || word == "“”" || word == "“”,";
    return !found;
  });
  return found;
}

/// "about km": a number is missing.
bool lacks_number(std::string_view text) {
  bool about = false, lacks = false;
  for_each_word(text, [&](std::string_view word) {
    while (!word.empty() && std::string_view(".,;)").find(word.back()) != std::string_view::npos) word.remove_suffix(1);
    lacks = about && is_sentence_word(SentenceWord::kUnit, word);
    about = is_sentence_word(SentenceWord::kAbout, word);
    return !lacks;
  });
  return lacks;
}

/// What a template shows is missing in front of a mark or behind a dash: "Inhabitants: .", "red, , blue", "15 July -".
bool lacks_value(std::string_view text) {
  for (const std::string_view marks : {", , ", ", ,\n", "、、"}) {
    if (text.find(marks) != std::string_view::npos) return true;
  }
  for (std::size_t colon = text.find(':'); colon != std::string_view::npos; colon = text.find(':', colon + 1)) {
    const std::size_t mark = text.find_first_not_of(' ', colon + 1);
    if (mark == std::string_view::npos || std::string_view(".,;").find(text[mark]) == std::string_view::npos) continue;
    if (mark + 1 == text.size() || is_blank(text[mark + 1])) return true;
  }
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text.ends_with(" -") || text.ends_with(" \u2013") || text.ends_with(" \u2014");
}

/// The number of an item of Wikidata as a word of the text: "near Q10957775". In brackets it only tells titles apart.
bool names_item_by_number(std::string_view text) {
  constexpr std::size_t kLeastDigits = 5;
  bool found = false;
  for_each_word(text, [&](std::string_view word) {
    if (word.front() != 'Q') return true;
    std::size_t digits = 1;
    while (digits < word.size() && is_digit(word[digits])) ++digits;
    found = digits > kLeastDigits &&
            (digits == word.size() || std::string_view(".,;:").find(word[digits]) != std::string_view::npos);
    return !found;
  });
  return found;
}

/// "the of", "in ,": a name is missing in the middle of a sentence.
bool lacks_name(std::string_view text) {
  static constexpr ByteSet kMarks(".,;");
  std::string_view last;
  bool lacks = false;
  for_each_word(text, [&](std::string_view word) {
    const bool both = !last.empty() && (word == "," || !kMarks.is_in(word));
    lacks =
        both && begins_gap(last) && is_sentence_word(SentenceWord::kGap, std::string(last) + " " + std::string(word));
    last = word;
    return !lacks;
  });
  return lacks;
}

bool lost_words(std::string_view text) {
  if (text.empty()) return false;
  constexpr std::string_view kNeverFirst[] = {",", ";", ")", "、", "，", "。", "）"};
  const bool odd = text.starts_with(". ") || std::any_of(std::begin(kNeverFirst), std::end(kNeverFirst),
                                                         [&](std::string_view mark) { return text.starts_with(mark); });
  return odd || is_sentence_word(SentenceWord::kVerb, first_word(text)) || begins_with_unspaced_verb(text) ||
         has_empty_brackets(text) || has_empty_quotes(text) || lacks_number(text) || lacks_value(text) ||
         lacks_name(text) || names_item_by_number(text);
}

bool ends_in_colon(std::string_view text) noexcept {
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text.ends_with(':') || text.ends_with("：");
}

/// The signs of code, one of which each word has that is_code_word takes, unless it begins with "0x".
constexpr ByteSet kCodeSigns("(){}<>=&|:;+!\\_$/#@~-*");

/// True for what sentences do not hold: operators, options, paths, names with underscores, calls.
bool is_code_word(std::string_view word) noexcept {
  if (word.size() == 1) return std::string_view("{}=<>|&\\$#+*;~").find(word.front()) != std::string_view::npos;
  if (!kCodeSigns.is_in(word)) return word.starts_with("0x");
  if (word.find("://") != std::string_view::npos) return false;
  constexpr std::string_view kMarks[] = {"()", "::", "->", "=>", "==", "&&", "||", "/>",  "</", "${", "$(",
                                         ");", "};", "+=", "!=", ":=", "<<", ">>", "\\n", "_",  "="};
  if (std::any_of(std::begin(kMarks), std::end(kMarks),
                  [&](std::string_view mark) { return word.find(mark) != std::string_view::npos; }))
    return true;
  const char first = word.front(), last = word.back();
  if (last == ';' || last == '{' || last == '}' || last == '\\') return true;
  if (first == '$' || first == '/' || first == '<' || first == '{' || first == '#' || first == '@') return true;
  if (word.starts_with("--") || word.starts_with("./") || word.starts_with("~/") || word.starts_with("0x")) return true;
  return first == '-' && word.size() == 2 && last >= 'a' && last <= 'z';
}

/// The prompt of a shell in front of a command: "root@neo:~#", "$OMDIR/oe$".
bool is_prompt(std::string_view word) noexcept {
  return word.size() > 2 && (word.back() == '#' || word.back() == '$' || word.back() == '>') &&
         word.find_first_of("/~@") != std::string_view::npos;
}

/// Commands behind prompts of one character: "$ make $ scp foo host: $ ls". Sums of money have digits behind.
bool is_session(std::string_view text) {
  constexpr std::size_t kLeastPrompts = 3;
  std::size_t prompts = 0;
  for (std::size_t at = text.starts_with("$ ") ? 0 : text.npos; at != text.npos; at = text.find(" $ ", at + 1)) {
    const std::size_t next = text.find_first_not_of("$ ", at);
    prompts += next != text.npos && !is_digit(text[next]) ? 1 : 0;
  }
  return prompts >= kLeastPrompts;
}

/// What the words of a line or text are.
struct CodeWords {
  std::size_t all = 0, code = 0;
  bool are_code(double share) const noexcept { return static_cast<double>(code) >= share * static_cast<double>(all); }
};

CodeWords count_code(std::string_view text) {
  CodeWords words;
  for_each_word(text, [&](std::string_view word) {
    ++words.all;
    words.code += is_code_word(word) ? 1 : 0;
    return true;
  });
  return words;
}

/// A sentence, in a text of several lines. Those of programs begin with small letters or marks.
bool is_prose_line(std::string_view line, const CodeWords& words) noexcept {
  constexpr std::size_t kLeastWords = 4;
  const bool begins = is_capital(line.front()) || (static_cast<unsigned char>(line.front()) & 0x80U) != 0;
  return begins && words.all >= kLeastWords && 10 * words.code <= words.all &&
         std::string_view(".!?:").find(line.back()) != std::string_view::npos;
}

/// Code alone: half of the words are, or nearly all words are in lines of code. A text with a line of prose is more.
bool is_code(std::string_view text) {
  const CodeWords words = count_code(text);
  if (words.all < kLeastCodeWords) return false;
  std::size_t lines = 0, in_code = 0;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    const CodeWords of_line = count_code(line);
    if (of_line.all == 0) continue;
    ++lines;
    if (is_prose_line(line, of_line)) return false;
    if (of_line.code > 0 || std::string_view(";{}:,)").find(line.back()) != std::string_view::npos)
      in_code += of_line.all;
  }
  if (words.are_code(kLeastCode) || (is_prompt(first_word(text)) && !has_sentence(text))) return true;
  if (is_session(text)) return true;
  return lines >= kLeastCodeLines && static_cast<double>(in_code) >= kLeastInCode * static_cast<double>(words.all);
}

/// A time with a date or a time zone behind it, as signatures have: "12:30, 3 May 2009", "3 mai 2009 à 12:30 (CEST)".
bool is_signature(std::string_view text, std::size_t colon) {
  const auto digit = [&](std::size_t at) { return at < text.size() && is_digit(text[at]); };
  if (colon < 2 || !digit(colon - 1) || !digit(colon - 2) || !digit(colon + 1) || !digit(colon + 2) || digit(colon + 3))
    return false;
  std::string_view rest = text.substr(colon + 3, 40);
  const std::size_t open = rest.find('(');
  const std::size_t zone_end = open == std::string_view::npos ? open : rest.find(')', open);
  if (zone_end != std::string_view::npos && zone_end - open >= 4 && zone_end - open <= 6) {
    const std::string_view zone = rest.substr(open + 1, zone_end - open - 1);
    if (std::all_of(zone.begin(), zone.end(), is_capital)) return true;
  }
  if (!rest.starts_with(", ")) return false;
  rest.remove_prefix(2);
  std::size_t at = 0;
  while (at < rest.size() && is_digit(rest[at])) ++at;
  if (at == 0 || at > 2) return false;
  const std::size_t year = rest.find_first_of("0123456789", at);
  return year != std::string_view::npos && year - at > 3 && year + 4 <= rest.size() &&
         std::all_of(rest.begin() + static_cast<std::ptrdiff_t>(year),
                     rest.begin() + static_cast<std::ptrdiff_t>(year) + 4, is_digit);
}

/// Finds signatures: "I agree. -- Ada" and "Do you agree?-Ada".
/// \return where the name begins; 0 without a signature
std::size_t signed_name(std::string_view text) {
  const std::size_t hyphen = text.rfind('-');
  if (hyphen == std::string_view::npos || hyphen == 0) return 0;
  const char before = text[hyphen - 1];
  if (before == '-') return hyphen > 1 && is_blank(text[hyphen - 2]) ? hyphen + 1 : 0;
  const bool ends_sentence = before == '.' || before == '!' || before == '?';
  return ends_sentence && hyphen + 1 < text.size() && is_capital(text[hyphen + 1]) ? hyphen + 1 : 0;
}

/// One to three words with capitals behind the hyphens of a signature, at the end of a text.
bool ends_in_name(std::string_view text) {
  const std::size_t begin = signed_name(text);
  if (begin == 0) return false;
  std::size_t words = 0;
  bool name = true;
  for_each_word(text.substr(begin), [&](std::string_view word) {
    name = is_capital(word.front()) && word.find_first_of(".:;=") == std::string_view::npos;
    return name && ++words <= 3;
  });
  return name && words > 0 && words <= 3;
}

bool is_comment(std::string_view text) {
  if (ends_in_name(text)) return true;
  for (std::size_t at = text.find(':'); at != std::string_view::npos; at = text.find(':', at + 1)) {
    if (is_signature(text, at)) return true;
  }
  return false;
}

/// An address, or a title on another wiki as it is written: "commons:Category:Lighthouses".
bool is_address(std::string_view word) {
  if (word.find("://") != std::string_view::npos) return true;
  const std::size_t colon = word.find(':');
  if (colon == std::string_view::npos || colon < 2 || word.find(':', colon + 2) == std::string_view::npos) return false;
  return std::all_of(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(colon),
                     [](char c) { return (c >= 'a' && c <= 'z') || c == '-'; }) &&
         is_capital(word[colon + 1]);
}

/// What a search of a wiki lists below each page that it found: "12 KB (1,420 words)".
bool lists_found_pages(std::string_view text) {
  for (std::size_t at = text.find("B ("); at != std::string_view::npos; at = text.find("B (", at + 1)) {
    const std::size_t end = text.find_first_not_of("0123456789,. ", at + 3);
    const std::size_t size = text.find_last_not_of("KM ", at == 0 ? 0 : at - 1);
    if (end != std::string_view::npos && end > at + 3 && text.substr(end).starts_with("words)") &&
        size != std::string_view::npos && is_digit(text[size]))
      return true;
  }
  return false;
}

/// Whether the letters are mostly those of anchor texts and addresses.
bool is_link_list(std::string_view text, std::span<const std::pair<std::uint32_t, std::uint32_t>> links) {
  if (links.empty() && text.find(':') == std::string_view::npos) return false;
  std::size_t all = 0, linked = 0, address_end = 0;
  std::uint32_t index = 0;
  auto link = links.begin();
  for (std::size_t at = 0; at < text.size(); ++index) {
    if (at >= address_end && (at == 0 || is_blank(text[at - 1]))) {
      const std::string_view word = text.substr(at, kBlanks.find_in(text, at) - at);
      if (is_address(word)) address_end = at + word.size();
    }
    const bool in_address = at < address_end;
    const auto c = static_cast<UChar32>(next_code_point(text, at));
    if (!u_isalnum(c)) continue;
    while (link != links.end() && link->second <= index) ++link;
    ++all;
    linked += in_address || (link != links.end() && link->first <= index) ? 1 : 0;
  }
  const double share = all == 0 ? 0 : static_cast<double>(linked) / static_cast<double>(all);
  return share > kMostLinked || (share > kLinkedWithoutSentence && !has_sentence(text));
}

}  // namespace

bool has_sentence(std::string_view text) {
  for (const std::string_view mark : {"。", "！", "？", "।"}) {
    if (text.find(mark) != std::string_view::npos) return true;
  }
  static constexpr ByteSet kEnds(".!?");
  for (std::size_t at = kEnds.find_in(text); at != std::string_view::npos; at = kEnds.find_in(text, at + 1)) {
    const bool behind = at > 0 && !is_blank(text[at - 1]) && !is_digit(text[at - 1]);
    if (behind && (at + 1 == text.size() || is_blank(text[at + 1]))) return true;
  }
  return false;
}

bool has_prose(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const std::size_t first = line.find_first_not_of(" \t");
    if (first == std::string_view::npos || std::string_view("#/;%$>|*").find(line[first]) != std::string_view::npos)
      continue;
    // Scripts without blanks make one word of a line.
    const auto foreign =
        std::count_if(line.begin(), line.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
    const CodeWords words = count_code(line);
    const bool is_text = 10 * words.code <= words.all || 2 * static_cast<std::size_t>(foreign) >= line.size();
    if (is_text && has_sentence(line)) return true;
  }
  return false;
}

std::string_view to_string(TextDamage damage) noexcept {
  constexpr std::string_view kNames[kTextDamages] = {"markup", "lost words", "cut before a list",
                                                     "code",   "link list",  "signed comment"};
  return kNames[static_cast<std::size_t>(damage)];
}

std::optional<TextDamage> find_damage(std::string_view text,
                                      std::span<const std::pair<std::uint32_t, std::uint32_t>> links) {
  if (leftover_markup(text)) return TextDamage::kMarkup;
  if (lost_words(text)) return TextDamage::kLostWords;
  if (ends_in_colon(text)) return TextDamage::kCutBeforeList;
  if (is_code(text)) return TextDamage::kCode;
  if (is_comment(text)) return TextDamage::kComment;
  if (may_be_link_list(text, links)) return TextDamage::kLinkList;
  return std::nullopt;
}

bool may_be_link_list(std::string_view text, std::span<const std::pair<std::uint32_t, std::uint32_t>> links) {
  return lists_found_pages(text) || is_link_list(text, links);
}

}  // namespace touchstone::collection::health
