#include "pipeline/judging/lexical/list_words.hpp"

#include "pipeline/evidence/evidence_records.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace touchstone::pipeline::judging::lexical {
namespace {

struct FunctionWords {
  std::string_view stemmer, words;
};

/// Articles, prepositions and conjunctions that stand in titles and headings. English has its own in TermSplitter.
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

/// The title without the word for "list"; the second is true when that word stood at its end.
std::pair<std::string_view, bool> without_prefix(std::string_view title, const std::vector<std::string>& prefixes) {
  for (const auto& prefix : prefixes) {
    const std::string_view ending = std::string_view(prefix).substr(prefix.starts_with('*') ? 1 : 0);
    if (prefix.starts_with('*')) {
      if (title.ends_with(ending)) return {title.substr(0, title.size() - ending.size()), true};
    } else if (title.starts_with(prefix)) {
      return {title.substr(prefix.size()), false};
    }
  }
  return {title, false};
}

}  // namespace

StemSet ListWords::title() const {
  StemSet both = head;
  both.insert(scope.begin(), scope.end());
  return both;
}

ListReader::ListReader(std::string stemmer, std::vector<std::string> prefixes)
    : endings_(endings_for(stemmer)), prefixes_(std::move(prefixes)) {
  const auto known = std::find_if(kFunctionWords.begin(), kFunctionWords.end(),
                                  [&](const auto& language) { return language.stemmer == stemmer; });
  if (known == kFunctionWords.end()) return;
  corpus::TermSplitter splitter(stemmer);
  for (auto& term : splitter.split(known->words)) function_words_.insert(std::move(term.stem));
}

bool ListReader::says_nothing(const std::string& stem, const corpus::TermSplitter& splitter) const {
  return splitter.is_stop_word(stem) || function_words_.contains(stem) || is_hiragana(stem);
}

void ListReader::read_title(std::string_view title, bool head_last, corpus::TermSplitter& splitter,
                            ListWords& words) const {
  auto terms = splitter.split(title);
  if (head_last) std::reverse(terms.begin(), terms.end());
  const corpus::Term* cut = nullptr;  // the function word between head and scope
  bool any = false;
  for (const auto& term : terms) {
    const bool silent = says_nothing(term.stem, splitter);
    any |= !silent;
    if (any && silent && cut == nullptr) cut = &term;
  }
  for (auto& word : compared_words(splitter, title, endings_)) {
    const bool before = cut == nullptr || word.end <= cut->begin, behind = cut == nullptr || word.begin >= cut->end;
    if (says_nothing(word.stem, splitter) || (!before && !behind)) continue;
    ((head_last ? behind : before) ? words.head : words.scope).insert(std::move(word.stem));
  }
  for (const auto& stem : words.head) words.scope.erase(stem);
}

ListWords ListReader::read(const JudgeRequest& request, corpus::TermSplitter& splitter) const {
  ListWords words;
  const auto [title, head_last] = without_prefix(request.page, prefixes_);
  read_title(title, head_last, splitter, words);
  const auto add = [&](std::string_view part) {
    for (auto& word : compared_words(splitter, part, endings_)) {
      if (!says_nothing(word.stem, splitter) && !words.head.contains(word.stem) && !words.scope.contains(word.stem))
        words.section.insert(std::move(word.stem));
    }
  };
  for (const auto& heading : request.section_path) add(heading);
  if (request.column != evidence::kListItemColumn) add(request.column);
  return words;
}

}  // namespace touchstone::pipeline::judging::lexical
