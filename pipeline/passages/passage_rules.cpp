#include "pipeline/passages/passage_rules.hpp"

#include "common/unicode.hpp"
#include "text/words.hpp"

#include <algorithm>

#include <unicode/uchar.h>

namespace touchstone::pipeline::passages {
using collection::health::find_damage;
using collection::health::TextDamage;
namespace {

/// What the letters and digits of a text are.
struct LetterCounts {
  std::size_t all = 0, digits = 0, linked = 0;
};

LetterCounts count_letters(std::string_view text, const std::vector<std::pair<std::uint32_t, std::uint32_t>>& links) {
  LetterCounts counts;
  std::uint32_t index = 0;
  auto link = links.begin();
  for (std::size_t at = 0; at < text.size(); ++index) {
    const auto c = static_cast<UChar32>(next_code_point(text, at));
    if (!u_isalnum(c)) continue;
    while (link != links.end() && link->second <= index) ++link;
    ++counts.all;
    counts.digits += u_isdigit(c) ? 1 : 0;
    counts.linked += link != links.end() && link->first <= index ? 1 : 0;
  }
  return counts;
}

bool is_ascii_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}

/// True for the number of an item or property of Wikidata at the start of `word`: "P3831:", "Q100144401|P6262".
bool begins_with_identifier(std::string_view word, char letter) noexcept {
  std::size_t digits = 1;
  if (word.empty() || word[0] != letter) return false;
  while (digits < word.size() && is_ascii_digit(word[digits])) ++digits;
  if (digits < 2) return false;
  return digits == word.size() || std::string_view(":|,.;)").find(word[digits]) != std::string_view::npos;
}

/// True for what data and markup consist of, and sentences do not.
bool is_data(std::string_view word) noexcept {
  if (begins_with_identifier(word, 'P') || begins_with_identifier(word, 'Q')) return true;
  if (word.find_first_of("{}|[]=\"':</_") == std::string_view::npos) return false;
  constexpr std::string_view kMarks[] = {"{", "}", "|", "[[", "]]", "=\"", "':", "\":", "',", "</", "://"};
  const bool marked = std::any_of(std::begin(kMarks), std::end(kMarks),
                                  [&](std::string_view mark) { return word.find(mark) != std::string_view::npos; });
  const bool pair = word.find('=') != std::string_view::npos && word.size() > 1;
  const bool name = word.find('_') != std::string_view::npos;
  return marked || pair || name;
}

/// Share of the words that are data: identifiers, names of properties, and what is in brackets of markup.
double data_share(std::string_view text) {
  std::size_t words = 0, data = 0;
  bool inside = false;
  for (const auto word : text::parts_of(text)) {
    const auto opens = std::max({word.rfind("[[") + 1, word.rfind("{{") + 1, word.rfind("|\"") + 1});
    auto closes = std::max(word.rfind("]]") + 1, word.rfind("}}") + 1);
    if (word.back() == '"' && !word.ends_with("|\"")) closes = std::max(closes, word.size());
    ++words;
    data += inside || is_data(word) ? 1 : 0;
    if (opens != closes) inside = opens > closes;
  }
  return words == 0 ? 0 : static_cast<double>(data) / static_cast<double>(words);
}

double share(std::size_t part, std::size_t whole) noexcept {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

PassageReject reject_of(TextDamage damage) noexcept {
  constexpr PassageReject kRejects[collection::health::kTextDamages] = {
      PassageReject::kLeftoverMarkup, PassageReject::kLostWords, PassageReject::kCutBeforeList,
      PassageReject::kCode,           PassageReject::kLinkList,  PassageReject::kComment};
  return kRejects[static_cast<std::size_t>(damage)];
}

const RejectReason& describe(PassageReject reason) {
  static constexpr RejectReason kReasons[] = {
      {"text with too few words to be a passage"},
      {"text that is mostly links"},
      {"text that is mostly numbers"},
      {"text that is mostly property names or markup"},
      {"text with wikitext or HTML that was not read"},
      {"text or sentence that lacks words, which a template may show"},
      {"text that announces a list that does not follow"},
      {"text that is only code"},
      {"text that is a list of links"},
      {"signed comment"},
      {"text of the main page, which shows pieces of other pages"},
      {"list in a section that is no part of the text, such as \"See also\""},
      {"sentence that recurs on many pages"},
      {"passage that repeats another one exactly", RejectSeverity::kSuperseded},
      {"passage that is nearly the same as another one", RejectSeverity::kSuperseded},
  };
  return kReasons[static_cast<std::size_t>(reason)];
}

bool names_property(std::string_view heading) noexcept {
  const std::size_t open = heading.rfind(" (");
  if (open == std::string_view::npos || !heading.ends_with(')')) return false;
  const auto name = heading.substr(open + 2, heading.size() - open - 3);
  return begins_with_identifier(name, 'P') && name.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

std::optional<PassageReject> broken_rule(const PassagesOptions& options, std::string_view text,
                                         const std::vector<std::pair<std::uint32_t, std::uint32_t>>& links) {
  if (text::count_words(text) < static_cast<std::size_t>(options.min_words)) return PassageReject::kTooShort;
  if (options.max_property_share < 1) {
    // A statement of Wikidata as text: "P3831: Kokugakuin University".
    const std::string_view first = text.substr(0, text.find(' '));
    if (begins_with_identifier(first, 'P') && first.back() == ':') return PassageReject::kMostlyProperties;
    if (data_share(text) > options.max_property_share) return PassageReject::kMostlyProperties;
  }
  if (!options.keep_markup) {
    if (const auto damage = find_damage(text, links)) return reject_of(*damage);
  }
  if (options.max_number_share >= 1 && options.max_link_share >= 1) return std::nullopt;
  const LetterCounts letters = count_letters(text, links);
  if (share(letters.digits, letters.all) > options.max_number_share) return PassageReject::kMostlyNumbers;
  if (share(letters.linked, letters.all) > options.max_link_share) return PassageReject::kMostlyLinks;
  return std::nullopt;
}

}  // namespace touchstone::pipeline::passages
