#include "pipeline/judging/lexical/list_words.hpp"

#include "common/unicode.hpp"
#include "pipeline/evidence/evidence_records.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace touchstone::pipeline::judging::lexical {
namespace {

struct FunctionWords {
  std::string_view stemmer, words;
};

/// Articles, prepositions and conjunctions that are in titles and headings. English has its own in TermSplitter.
constexpr auto kFunctionWords = std::to_array<FunctionWords>(
    {{"german",
      "am an auf aus bei beim bis das dem den der des die durch ein eine einer eines für im in mit nach nicht oder "
      "seit "
      "sowie über um und unter vom von vor während zu zum zur"},
     {"french", "à au aux avec ayant dans de des du d en entre et hors l la le les ou par pour sous sur un une vers"},
     {"spanish", "a al con de del desde e el en entre hasta la las lo los o para por que se sin sobre su un una y"},
     {"portuguese",
      "a ao aos as com da das de do dos e em entre na nas no nos o os ou para pela pelas pelo pelos por sem sob um "
      "uma"},
     {"italian",
      "a ad al alla alle ai agli con d da dal dalla dei degli del della delle dello di e ed gli i il in l la le lo nei "
      "nel nella nelle o per su sul sulla tra un una"},
     {"dutch", "aan bij de den der des door een en het in met naar of om op over per te tot uit van voor"},
     {"swedish", "av de den det efter en ett för från genom i med och om på som till under ur över"},
     {"danish", "af de den det efter en et for fra i med og om på som til under ved"},
     {"norwegian", "av de den det en ei et etter for fra i med og om på som til under ved"},
     {"russian", "в во и из к на о об от по с со у для"}});

/// Words between alternatives.
constexpr auto kConjunctions = std::to_array<FunctionWords>({{"english", "and or"},
                                                             {"german", "und oder"},
                                                             {"french", "et ou"},
                                                             {"spanish", "y e o u"},
                                                             {"portuguese", "e ou"},
                                                             {"italian", "e ed o"},
                                                             {"dutch", "en of"},
                                                             {"swedish", "och eller"},
                                                             {"danish", "og eller"},
                                                             {"norwegian", "og eller"},
                                                             {"russian", "и или"}});

/// The words of the stemmer's row, stemmed.
template <std::size_t size>
StemSet stems_of(const std::array<FunctionWords, size>& table, const std::string& stemmer) {
  StemSet stems;
  const auto row =
      std::find_if(table.begin(), table.end(), [&](const auto& language) { return language.stemmer == stemmer; });
  if (row == table.end()) return stems;
  for (auto& term : text::TermSplitter(stemmer).split(row->words)) stems.insert(std::move(term.stem));
  return stems;
}

/// Languages that put a noun in front of what describes it.
constexpr auto kHeadFirst =
    std::to_array<std::string_view>({"french", "spanish", "portuguese", "italian", "romanian", "catalan"});

/// A title without the word for "list".
struct BareTitle {
  std::string_view text;
  bool was_list = false;   ///< there was such a word
  bool head_last = false;  ///< it was at the end
};

BareTitle without_prefix(std::string_view title, const std::vector<std::string>& prefixes) {
  for (const auto& prefix : prefixes) {
    if (prefix.empty() || prefix == "*") continue;  // of settings that take the lists of all pages
    const std::string_view ending = std::string_view(prefix).substr(prefix.starts_with('*') ? 1 : 0);
    if (prefix.starts_with('*')) {
      if (title.ends_with(ending)) return {title.substr(0, title.size() - ending.size()), true, true};
    } else if (title.starts_with(prefix)) {
      return {title.substr(prefix.size()), true, false};
    }
  }
  return {title, false, false};
}

/// Stop words of the splitter that are words like any other in the name of a list.
bool is_content_word(std::string_view stem) {
  return stem == "name" || stem == "names" || stem == "title";
}

/// The part of a text between two code points.
std::string_view part_of(std::string_view text, std::uint32_t begin, std::uint32_t end) {
  ByteCounter bytes(text);
  const std::size_t first = bytes.at_code_point(begin);
  return text.substr(first, bytes.at_code_point(end) - first);
}

}  // namespace

ListReader::ListReader(std::string stemmer, std::vector<std::string> prefixes)
    : endings_(endings_for(stemmer)),
      head_first_(std::find(kHeadFirst.begin(), kHeadFirst.end(), stemmer) != kHeadFirst.end()),
      prefixes_(std::move(prefixes)),
      function_words_(stems_of(kFunctionWords, stemmer)),
      conjunctions_(stems_of(kConjunctions, stemmer)) {}

bool ListReader::says_nothing(const std::string& stem, const text::TermSplitter& splitter) const {
  return (splitter.is_stop_word(stem) && !is_content_word(stem)) || function_words_.contains(stem) || is_hiragana(stem);
}

/// The phrases of a text, without the words that are in `said`, which it adds to.
std::vector<ListPhrase> ListReader::phrases(std::string_view text, text::TermSplitter& splitter, StemSet& said) const {
  std::vector<ListPhrase> phrases;
  std::uint32_t begin = 0, end = 0;
  bool open = false;
  StemPhrase order;
  const auto close = [&] {
    if (!open) return;
    auto& phrase = phrases.back();
    phrase.text = part_of(text, begin, end);
    if (order.size() > 2) phrase.short_form = {order[0], order[head_first_ ? 1 : order.size() - 1]};
    order.clear();
    open = false;
  };
  std::vector<std::pair<std::uint32_t, std::uint32_t>> silent;
  std::vector<bool> joins;  // whether the silent word is a conjunction
  for (const auto& term : splitter.split(text)) {
    if (!says_nothing(term.stem, splitter)) continue;
    silent.emplace_back(term.begin, term.end);
    joins.push_back(conjunctions_.contains(term.stem));
  }
  std::vector<bool> joined;  // of each phrase: nothing but a conjunction is in front of it
  std::size_t before = 0;    // silent words in front of the phrase before
  std::size_t passed = 0;
  for (auto& word : compared_words(splitter, text, endings_)) {
    for (; passed < silent.size() && silent[passed].first < word.end; ++passed) close();
    if (says_nothing(word.stem, splitter) || std::any_of(silent.begin(), silent.end(), [&](const auto& s) {
          return s.first < word.end && word.begin < s.second;
        }))
      continue;
    if (!open) {
      joined.push_back(!phrases.empty() && passed == before + 1 && joins[before]);
      before = passed;
      phrases.emplace_back();
      begin = word.begin;
      open = true;
    }
    end = word.end;
    if (!head_first_ || phrases.back().noun.empty()) phrases.back().noun = word.stem;
    order.push_back(word.stem);
    if (said.insert(word.stem).second) phrases.back().words.insert(std::move(word.stem));
  }
  close();
  // "Churches and chapels": either is said.
  for (std::size_t i = phrases.size(); i-- > 1;) {
    if (!joined[i] || phrases[i].words.size() != 1) continue;
    phrases[i - 1].synonyms.push_back({*phrases[i].words.begin()});
    phrases[i - 1].text += " " + std::exchange(phrases[i].text, {});
    phrases[i].words.clear();
  }
  std::erase_if(phrases, [](const ListPhrase& phrase) { return phrase.words.empty(); });
  return phrases;
}

/// A heading that repeats a phrase and glosses it, "Shikinaisha (式内社)": true, and the phrase has a synonym more.
bool ListReader::is_gloss(std::string_view heading, text::TermSplitter& splitter,
                          std::vector<ListPhrase>& known) const {
  const auto open = heading.rfind(" (");
  if (open == std::string_view::npos || !heading.ends_with(')')) return false;
  StemSet words;
  phrases(heading.substr(0, open), splitter, words);
  const auto phrase =
      std::find_if(known.begin(), known.end(), [&](const ListPhrase& other) { return other.words == words; });
  if (phrase == known.end()) return false;
  StemPhrase gloss;
  for (auto& word : compared_words(splitter, heading.substr(open), endings_)) gloss.push_back(std::move(word.stem));
  if (!gloss.empty()) phrase->synonyms.push_back(std::move(gloss));
  return true;
}

ListWords ListReader::read(const JudgeRequest& request, text::TermSplitter& splitter) const {
  ListWords words;
  StemSet said;
  auto title = without_prefix(request.page, prefixes_);
  title.was_list |= request.column == evidence::kWikidataColumn;
  words.list_page = title.was_list;
  auto headings = std::span(request.section_path);
  // A heading that has the word for "list" is read like a title.
  if (const auto last = headings.empty() ? BareTitle{} : without_prefix(headings.back(), prefixes_);
      last.was_list && !title.was_list) {
    title = last;
    headings = {};
  }
  words.titled_list = title.was_list;
  auto of_title = phrases(title.text, splitter, said);
  if (title.head_last) std::rotate(of_title.begin(), of_title.end() - (of_title.empty() ? 0 : 1), of_title.end());
  for (auto& phrase : of_title) (words.head.empty() ? words.head : words.scope).push_back(std::move(phrase));
  const bool one_word = words.scope.empty() && words.head.size() == 1 && words.head[0].words.size() == 1;
  if (words.titled_list && !words.list_page && one_word) {  // "Musubi", with the heading "List of deities"
    for (auto& phrase : phrases(request.page, splitter, said)) words.scope.push_back(std::move(phrase));
  }
  if (!headings.empty()) {
    const auto& heading = headings.back();
    if (!is_gloss(heading, splitter, words.head) && !is_gloss(heading, splitter, words.scope))
      words.section = phrases(heading, splitter, said);
  }
  if (title.was_list || !words.scope.empty()) return words;
  words.bare_title = !words.head.empty();
  words.header_repeats = words.bare_title && evidence::is_header(request.column) && [&] {
    StemSet none;
    const auto header = phrases(request.column, splitter, none);
    return header.size() == 1 && header[0].noun == words.head[0].noun;
  }();
  auto listed = std::exchange(words.section, {});
  words.heading_listed = !listed.empty();
  if (listed.empty() && evidence::is_header(request.column)) {
    listed = phrases(request.column, splitter, said);
    for (auto& phrase : listed) std::erase_if(phrase.words, is_content_word);  // a column of names
    std::erase_if(listed, [](const ListPhrase& phrase) { return phrase.words.empty(); });
  }
  words.subject_only = listed.empty();
  if (listed.empty()) return words;
  words.scope = std::exchange(words.head, std::move(listed));
  return words;
}

}  // namespace touchstone::pipeline::judging::lexical
