#include "pipeline/judging/question_walk.hpp"

#include <iterator>
#include <utility>

#include <oneapi/tbb/parallel_for.h>

namespace touchstone::pipeline::judging {
namespace {

constexpr std::size_t kChunkQuestions = 256;
constexpr std::size_t kChunksPerThread = 2;

}  // namespace

QuestionWalk::QuestionWalk(const storage::Store& store, const corpus::TextOptions& text,
                           passages::PassageCorpus passages, CandidateReader candidates, TopicQueries queries,
                           int threads, const StopFlag& stop)
    : store_(store),
      stop_(stop),
      threads_(threads),
      titles_(store, text),
      passages_(std::move(passages)),
      candidates_(std::move(candidates)),
      queries_(std::move(queries)),
      arena_(threads) {}

JudgingCorpus QuestionWalk::corpus() const {
  return {store_, titles_, passages_, candidates_.groups(), threads_, stop_};
}

void QuestionWalk::run(const JudgePanel& panel, Ungraded ungraded, const std::function<void()>& prepare,
                       const std::function<void(ReadChunk&)>& use) {
  const auto lot = kChunksPerThread * static_cast<std::size_t>(threads_);
  std::vector<ReadChunk> chunks;
  const auto flush = [&] {
    stop_.check();
    prepare();
    arena_.execute([&] {
      oneapi::tbb::parallel_for(std::size_t{0}, chunks.size(),
                                [&](std::size_t i) { read(panel, ungraded, chunks[i]); });
    });
    for (auto& chunk : chunks) {
      store_kept(panel, ungraded, chunk);
      use(chunk);
    }
    chunks.clear();
  };
  candidates_.for_each_chunk(kChunkQuestions, [&](CandidateChunk chunk) {
    if (wanted_ && !wanted_(*chunk.group)) return;
    chunks.push_back({std::move(chunk), {}});
    if (chunks.size() == lot) flush();
  });
  flush();
}

void QuestionWalk::refresh(const JudgePanel& panel, Ungraded ungraded, ReadChunk& chunk) const {
  if (chunk.round == round_) return;
  read(panel, ungraded, chunk);
  store_kept(panel, ungraded, chunk);
}

void QuestionWalk::store_kept(const JudgePanel& panel, Ungraded ungraded, ReadChunk& chunk) const {
  // Once for all judges, or in a cascade once for each.
  for (std::size_t i = 0; i < panel.size() && !chunk.kept.empty(); ++i) {
    store_kept_(chunk.kept);
    read(panel, ungraded, chunk);
  }
}

/// Where replies are kept for a question, notes them, or marks the question as answered where nobody stores them.
void QuestionWalk::take_kept(const JudgePanel& panel, const std::string& topic, const JudgeQuestion& question,
                             PanelReading& reading, ReadChunk& read) const {
  if (!before_ || reading.pending.empty()) return;
  auto kept = kept_replies(panel, topic, question, reading, before_->article(question.page), *replies_);
  if (kept.empty()) return;
  if (!store_kept_) {
    reading.pending.clear();
    return;
  }
  std::move(kept.begin(), kept.end(), std::back_inserter(read.kept));
}

void QuestionWalk::read(const JudgePanel& panel, Ungraded ungraded, ReadChunk& read) const {
  const auto query = queries_.find(read.chunk.candidates.topic);
  const auto questions = compose_questions(titles_, passages_, *read.chunk.group, read.chunk.candidates,
                                           query == queries_.end() ? std::string() : query->second);
  read.round = round_;
  read.readings.clear();
  read.kept.clear();
  read.readings.reserve(questions.size());
  for (const auto& question : questions) {
    read.readings.push_back(read_panel(panel, read.chunk.candidates.topic, question, ungraded));
    take_kept(panel, read.chunk.candidates.topic, question, read.readings.back(), read);
  }
}

}  // namespace touchstone::pipeline::judging
