#include "pipeline/judging/lexical/lexical_judge.hpp"

#include "common/error.hpp"
#include "pipeline/corpus/wiki_language.hpp"

#include <set>
#include <utility>

#include <oneapi/tbb/task_arena.h>

namespace touchstone::pipeline::judging::lexical {

LexicalJudge::LexicalJudge(LexicalSettings settings, JudgeDescription description,
                           const llm_client::ReplyStore& replies)
    : settings_(std::move(settings)), description_(std::move(description)), replies_(replies) {}

void LexicalJudge::prepare(const JudgingCorpus& corpus) {
  const auto& language = corpus.titles.site().language;
  const std::string stemmer(corpus::stemmer_name(language));
  auto prefixes = corpus::list_prefixes(language);
  if (prefixes.empty())
    prefixes = settings_.prefixes;  // elsewhere they may be words of the title: "Openmoko developer"
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
    list.section_tells = sections.at(group.page_id).size() > 1;
    for (const auto* part : {&list.head, &list.scope, &list.section}) {
      for (const auto& phrase : *part) phrases.insert(phrase.text);
    }
  }
  const auto synonyms = find_synonyms(corpus.store, corpus.titles, phrases, stemmer, corpus.stop);
  CorpusStatistics watched;
  for (const auto& [topic, list] : lists_) LexicalScorer::watch(list, synonyms, watched);
  oneapi::tbb::task_arena arena(corpus.threads);
  arena.execute(
      [&] { scorer_->set_statistics(count_corpus(corpus.store, corpus.composer, stemmer, watched, corpus.stop)); });
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
