#include "pipeline/judging/lexical/lexical_judge.hpp"

#include "common/error.hpp"
#include "pipeline/corpus/wiki_language.hpp"
#include "pipeline/evidence/list_titles.hpp"
#include "pipeline/judging/lexical/compared_words.hpp"
#include "pipeline/judging/lexical/member_leads.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <oneapi/tbb/task_arena.h>

namespace touchstone::pipeline::judging::lexical {
namespace {

/// Adds the words that the article which a head names is defined by, and that its members' leads share: "Shikinaisha
/// are shrines in the Engishiki". Lists with the same head are taken together.
void add_defining_words(const JudgingCorpus& corpus, const MemberLeads& leads,
                        const std::map<std::string, ListWords>& lists, const std::string& stemmer,
                        std::map<std::string, Synonyms>& synonyms) {
  std::map<std::string, std::set<PageId>> members;
  for (const auto& [topic, list] : lists) {
    if (list.head.size() != 1) continue;
    for (const auto& member : corpus.groups.at(topic).members) members[list.head[0].text].insert(member.page);
  }
  for (const auto& [topic, list] : lists) {
    if (list.head.size() != 1) continue;
    const auto found = synonyms.find(list.head[0].text);
    const auto own = members.find(list.head[0].text);
    if (found == synonyms.end() || own == members.end()) continue;
    const auto shared = leads.shared_words(list, own->second);
    members.erase(own);
    if (shared.empty()) continue;
    for (const auto article : found->second.articles) {
      for (auto& phrase : MemberLeads::definition(corpus.passages, article, stemmer)) {
        const bool is_shared =
            std::all_of(phrase.begin(), phrase.end(), [&](const auto& word) { return shared.contains(word); });
        if (!phrase.empty() && is_shared) found->second.defining.push_back(std::move(phrase));
      }
    }
  }
}

/// Without those that say something about the members: settings that take "Vuktyl district" and others for lists name
/// "* district", which no lead would hold if it were the word for "list".
std::vector<std::string> words_for_list(std::vector<std::string> affixes, const JudgingCorpus& corpus,
                                        const MemberLeads& leads, const std::string& stemmer) {
  text::TermSplitter splitter(stemmer);
  std::erase_if(affixes, [&](const std::string& affix) {
    std::set<PageId> members;
    for (const auto& [topic, group] : corpus.groups) {
      if (!evidence::is_list_title(group.page, affix)) continue;
      for (const auto& member : group.members) members.insert(member.page);
    }
    const auto text = affix.starts_with('*') ? affix.substr(1) : affix;
    return leads.hold(compared_words(splitter, text, endings_for(stemmer)), members);
  });
  return affixes;
}

}  // namespace

LexicalJudge::LexicalJudge(LexicalSettings settings, JudgeDescription description,
                           const llm_client::ReplyStore& replies)
    : settings_(std::move(settings)), description_(std::move(description)), replies_(replies) {}

void LexicalJudge::prepare(const JudgingCorpus& corpus) {
  const auto& language = corpus.titles.site().language;
  const std::string stemmer(corpus::stemmer_name(language));
  oneapi::tbb::task_arena arena(corpus.threads);
  const auto leads = arena.execute([&] { return MemberLeads(corpus, stemmer); });
  auto prefixes = corpus::list_prefixes(language);
  if (prefixes.empty()) prefixes = words_for_list(settings_.prefixes, corpus, leads, stemmer);
  scorer_.emplace(stemmer, std::move(prefixes), settings_.threshold);
  std::map<PageId, std::set<std::vector<std::string>>> sections;
  for (const auto& [topic, group] : corpus.groups) sections[group.page_id].insert(group.section_path);
  std::set<std::string> phrases;
  lists_.clear();
  for (const auto& [topic, group] : corpus.groups) {
    JudgeRequest request;
    request.page = group.page;
    request.section_path = group.section_path;
    request.column = group.column;
    auto& list = lists_.emplace(topic, scorer_->list(request)).first->second;
    list.section_tells = sections.at(group.page_id).size() > 1 || group.section_path.size() > 1;
    leads.settle(list, group.members);
    for (const auto* part : {&list.head, &list.scope, &list.section}) {
      for (const auto& phrase : *part) phrases.insert(phrase.text);
    }
  }
  auto synonyms = find_synonyms(corpus.store, corpus.titles, phrases, stemmer, corpus.stop);
  add_defining_words(corpus, leads, lists_, stemmer, synonyms);
  CorpusStatistics watched;
  for (const auto& [topic, list] : lists_) LexicalScorer::watch(list, synonyms, watched);
  arena.execute(
      [&] { scorer_->set_statistics(count_corpus(corpus.passages, stemmer, watched, corpus.words, corpus.stop)); });
  for (auto& [topic, list] : lists_) scorer_->refine(list, synonyms);
}

JudgeReading LexicalJudge::read(const std::string& topic, const JudgeRequest& request, Ungraded) const {
  TS_CHECK(scorer_.has_value(), "the lexical judge is prepared");
  const auto& list = lists_.at(topic);
  JudgeReading reading;
  Sample sample;
  sample.digest = scorer_->digest(list, request);
  sample.stored = replies_.find(sample.digest);
  if (!sample.stored) {
    sample.stored.emplace();
    sample.stored->judge = description_.id;
    sample.stored->reply = scorer_->score(list, request);
    reading.computed.push_back({sample.digest, *sample.stored});
  }
  sample.answer = LexicalScorer::read(std::exchange(sample.stored->reply, {}));
  reading.samples.push_back(std::move(sample));
  return reading;
}

}  // namespace touchstone::pipeline::judging::lexical
