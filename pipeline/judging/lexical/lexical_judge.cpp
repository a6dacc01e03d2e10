#include "pipeline/judging/lexical/lexical_judge.hpp"

#include "common/error.hpp"
#include "pipeline/corpus/wiki_language.hpp"

#include <utility>

#include <oneapi/tbb/task_arena.h>

namespace touchstone::pipeline::judging::lexical {

LexicalJudge::LexicalJudge(LexicalSettings settings, JudgeDescription description,
                           const llm_client::ReplyStore& replies)
    : settings_(std::move(settings)), description_(std::move(description)), replies_(replies) {}

void LexicalJudge::prepare(const JudgingCorpus& corpus) {
  const auto& language = corpus.titles.site().language;
  const std::string stemmer(corpus::stemmer_name(language));
  scorer_.emplace(stemmer, settings_.prefixes.empty() ? corpus::list_prefixes(language) : settings_.prefixes,
                  settings_.threshold);
  CorpusStatistics watched;
  for (const auto& [topic, group] : corpus.groups) {
    JudgeRequest request;
    request.page = group.page;
    request.section_path = group.section_path;
    request.column = group.column;
    scorer_->watch(request, watched);
  }
  oneapi::tbb::task_arena arena(corpus.threads);
  arena.execute(
      [&] { scorer_->set_statistics(count_corpus(corpus.store, corpus.composer, stemmer, watched, corpus.stop)); });
}

JudgeReading LexicalJudge::read(const std::string&, const JudgeRequest& request, Ungraded) const {
  TS_CHECK(scorer_.has_value(), "the lexical judge is prepared");
  JudgeReading reading;
  Sample sample;
  sample.digest = scorer_->digest(request);
  sample.stored = replies_.find(sample.digest);
  if (!sample.stored) {
    sample.stored.emplace();
    sample.stored->judge = description_.id;
    sample.stored->reply = scorer_->score(request);
    reading.computed.push_back({sample.digest, *sample.stored});
  }
  sample.answer = LexicalScorer::read(std::exchange(sample.stored->reply, {}));
  reading.samples.push_back(std::move(sample));
  return reading;
}

}  // namespace touchstone::pipeline::judging::lexical
