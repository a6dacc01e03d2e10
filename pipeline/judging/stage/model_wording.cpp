#include "pipeline/judging/stage/model_wording.hpp"

#include "common/unicode.hpp"
#include "pipeline/corpus/wiki_language.hpp"
#include "pipeline/evidence/list_titles.hpp"
#include "pipeline/evidence/query_template.hpp"
#include "pipeline/evidence/wording/function_words.hpp"
#include "pipeline/headings/index_heading.hpp"
#include "text/words.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <iterator>

namespace touchstone::pipeline::judging::stage {
namespace {

using evidence::Group;
namespace wording = evidence::wording;

constexpr std::size_t kMostNewWords = 3;

/// How models begin when they talk about a query instead of writing it.
constexpr std::string_view kLeadIns[] = {"here is",    "here's",    "here are", "sure",         "certainly",
                                         "of course",  "the query", "a query",  "search query", "search for",
                                         "query",      "answer",    "i would",  "you could",    "find all",
                                         "find every", "show me",   "list all", "hier ist",     "voici"};
/// Questions that ask what the things of a list are like, and not for them.
constexpr std::string_view kOtherQuestions[] = {"how",   "why",     "when",     "where", "wie", "warum", "wann",
                                                "wo",    "comment", "pourquoi", "quand", "où",  "cómo",  "cuándo",
                                                "dónde", "как",     "почему",   "когда", "где"};
constexpr std::string_view kQuotes[] = {"\"", "“", "”", "„", "«", "»", "‘", "「", "」"};

/// Words in lower case, without signs.
std::vector<std::string> plain_words(std::string_view text) {
  const auto lower = lower_case(text);
  std::vector<std::string> words;
  text::for_each_word(
      std::string_view(lower), [](char32_t c) { return c >= 0x80 || c == '\'' ? text::Role::kPart : text::Role::kGap; },
      [&](const text::Word& word) { words.emplace_back(word.of(std::string_view(lower))); });
  return words;
}

bool holds(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Whether two words may be forms of one, or one derived from the other: "ostrand" and "ostrandic".
bool is_akin(const std::string& word, const std::string& other) {
  if (word == other) return true;
  constexpr std::size_t kLeastShared = 4;
  const auto shared = static_cast<std::size_t>(
      std::mismatch(word.begin(), word.end(), other.begin(), other.end()).first - word.begin());
  return shared >= kLeastShared && 2 * shared >= std::max(word.size(), other.size());
}

bool is_akin_to_one(const std::string& word, const std::vector<std::string>& words) {
  return std::any_of(words.begin(), words.end(), [&](const auto& other) { return is_akin(word, other); });
}

std::size_t count_kept(const std::vector<std::string>& words, const std::vector<std::string>& query) {
  return static_cast<std::size_t>(
      std::count_if(words.begin(), words.end(), [&](const auto& word) { return is_akin_to_one(word, query); }));
}

bool is_number(const std::string& word) {
  return std::all_of(word.begin(), word.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

/// Whether the query says something about itself.
std::string why_no_bare_query(const std::string& structured, const std::string& query) {
  if (query.find_first_of("\n\r\t") != std::string::npos) return "it has more than one line";
  if (std::any_of(std::begin(kQuotes), std::end(kQuotes),
                  [&](auto sign) { return query.find(sign) != std::string::npos; }))
    return "it is in quotation marks";
  const auto lower = lower_case(query);
  for (const auto lead : kLeadIns) {
    const bool whole = lower.starts_with(lead) && lower.size() > lead.size() &&
                       std::isalnum(static_cast<unsigned char>(lower[lead.size()])) == 0;
    if (whole && structured.find(lead) == std::string::npos) return "it talks about the query";
  }
  const auto colon = lower.find(": ");
  if (colon != std::string::npos && structured.find(lower.substr(0, colon)) == std::string::npos)
    return "it talks about the query";
  return {};
}

/// A member that the query names, unless the list's own title names it too. Null if the query names no member.
const evidence::GroupMember* named_member(const Group& group, const std::string& structured, const std::string& query) {
  const auto said = plain_words(query);
  for (const auto& member : group.members) {
    const auto title = member.title.substr(0, member.title.find(" ("));
    const auto name = plain_words(title);
    const bool named = !name.empty() && std::search(said.begin(), said.end(), name.begin(), name.end()) != said.end();
    const auto lower = lower_case(title);
    const bool joined = !lower.empty() && static_cast<unsigned char>(lower.front()) >= 0x80 && !name.empty() &&
                        lower_case(query).find(lower) != std::string::npos;  // scripts without blanks
    if ((named || joined) && structured.find(lower) == std::string::npos) return &member;
  }
  return nullptr;
}

}  // namespace

ModelWording::ModelWording(std::string_view language)
    : language_(language),
      headings_(headings::wiki_heading_words(language)),
      splitter_(corpus::stemmer_name(language)) {}

std::string ModelWording::why_not(const Group& group, const std::string& query) {
  if (auto why = evidence::why_no_query(query, language_); !why.empty()) return why;
  const auto structured = lower_case(group.structured);
  if (auto why = why_no_bare_query(structured, query); !why.empty()) return why;
  if (auto why = why_other_language(structured, query); !why.empty()) return why;
  if (const auto* member = named_member(group, structured, query))
    return "it names the member \"" + member->title + "\"";
  return why_not_this_list(group, query);
}

std::string ModelWording::why_other_language(std::string_view structured, std::string_view query) const {
  constexpr std::string_view kLanguages[] = {"en", "de", "fr", "es", "it", "pt", "nl", "sv", "pl", "ru"};
  constexpr std::size_t kShort = 2;  // letters; such words are in names too, and only two of them tell a language
  const auto known = plain_words(structured);
  const auto words = plain_words(query);
  const bool english = language_ == "simple" || language_.starts_with("en");
  const bool has_words = wording::has_function_words(language_);
  for (const auto other : kLanguages) {
    if (language_.starts_with(other) || (english && other == "en")) continue;
    if (!has_words && other != "en") continue;  // they may be its own
    std::size_t weight = 0;
    for (const auto& word : words) {
      const bool foreign = word.size() >= kShort && wording::is_function_word(other, word) &&
                           !wording::is_function_word(language_, word) && !holds(known, word);
      if (foreign) weight += word.size() > kShort || other == "en" ? 2 : 1;
    }
    if (weight >= 2) return "it is not in the wiki's language";
  }
  return {};
}

std::string ModelWording::why_not_this_list(const Group& group, const std::string& query) {
  const auto words = plain_words(query);
  const bool asks_other = !words.empty() && std::find(std::begin(kOtherQuestions), std::end(kOtherQuestions),
                                                      words.front()) != std::end(kOtherQuestions);
  if (asks_other && lower_case(group.structured).find(words.front()) == std::string::npos)
    return "it asks for something else than the list has";
  const auto listed = evidence::without_list_words(group.page, corpus::list_prefixes(language_));
  const auto said = words_of(query);
  auto essential = words_of(listed.empty() ? std::string_view(group.page) : listed);
  if (!essential.empty() && 2 * count_kept(essential, said) < essential.size())
    return "it has too few words of the list's title";
  for (const auto& heading : group.section_path) {
    const bool silent = headings_.miscellaneous.matches(heading) || headings_.ordering.matches(heading) ||
                        headings_.prose.matches(heading) || headings_.forbidden.matches(heading) ||
                        headings::is_index_heading(heading);
    auto narrowing = words_of(heading);
    std::erase_if(narrowing, [&](const auto& word) { return is_akin_to_one(word, essential); });
    if (!silent && !narrowing.empty() && count_kept(narrowing, said) == 0)
      return "it leaves out the heading \"" + heading + "\"";
  }
  const auto known = words_of(group.structured);
  const auto fresh =
      std::count_if(said.begin(), said.end(), [&](const auto& word) { return !is_akin_to_one(word, known); });
  const bool numbers =
      std::any_of(said.begin(), said.end(), [&](const auto& word) { return is_number(word) && !holds(known, word); });
  if (numbers || static_cast<std::size_t>(fresh) > kMostNewWords)
    return "it says more than the list's title and headings";
  return {};
}

std::vector<std::string> ModelWording::words_of(std::string_view text) {
  std::vector<std::string> words;
  ByteCounter positions(text);
  for (auto& term : splitter_.split(text)) {
    const auto begin = positions.at_code_point(term.begin);
    const auto word = text.substr(begin, positions.at_code_point(term.end) - begin);
    if (!splitter_.is_stop_word(term.stem) && !wording::is_function_word(language_, word))
      words.push_back(std::move(term.stem));
  }
  return words;
}

}  // namespace touchstone::pipeline::judging::stage
