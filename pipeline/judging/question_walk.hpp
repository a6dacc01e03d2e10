#pragma once

#include "common/stop.hpp"
#include "pipeline/corpus/title_index.hpp"
#include "pipeline/corpus/wiki_options.hpp"
#include "pipeline/judging/judge_questions.hpp"
#include "pipeline/judging/panel_reading.hpp"
#include "pipeline/passages/passage_corpus.hpp"
#include "storage/store.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include <oneapi/tbb/task_arena.h>

namespace touchstone::pipeline::judging {

/// Some of a topic's questions, and what a panel has said to them.
struct ReadChunk {
  CandidateChunk chunk;
  std::vector<PanelReading> readings;  ///< in the order of the candidates
  int round = 0;                       ///< of the walk, when they were read
};

/// Goes over all questions of a work directory in order and has a panel read, many at a time. Memory is bounded by the
/// chunks of one lot, whatever a topic's size. Belongs to one thread.
class QuestionWalk {
 public:
  /// `store` and `stop` must outlive this.
  /// \param queries  by topic; only where a judge needs them
  QuestionWalk(const storage::Store& store, const corpus::TextOptions& text, passages::PassageCorpus passages,
               CandidateReader candidates, TopicQueries queries, int threads, const StopFlag& stop);

  /// Number of questions; reads the whole file of candidates.
  std::uint64_t count() const { return candidates_.count(); }
  JudgingCorpus corpus() const;

  using Wanted = std::function<bool(const evidence::Group&)>;
  /// Leaves the topics out that are not wanted.
  void choose(Wanted wanted) { wanted_ = std::move(wanted); }

  /// Calls `prepare` before each lot of chunks is read, and `use` for its chunks in order, both on this thread. Throws
  /// Interrupted on a stop request.
  void run(const JudgePanel& panel, Ungraded ungraded, const std::function<void()>& prepare,
           const std::function<void(ReadChunk&)>& use);

  /// From `use`: what was read before has changed. Chunks that were read earlier are out of date.
  void begin_round() noexcept { ++round_; }
  /// From `use`: reads a chunk again if it is out of date.
  void refresh(const JudgePanel& panel, Ungraded ungraded, ReadChunk& read) const;

 private:
  void read(const JudgePanel& panel, Ungraded ungraded, ReadChunk& read) const;

  const storage::Store& store_;
  const StopFlag& stop_;
  int threads_;
  corpus::TitleIndex titles_;
  passages::PassageCorpus passages_;
  CandidateReader candidates_;
  TopicQueries queries_;
  oneapi::tbb::task_arena arena_;
  Wanted wanted_;  ///< none: all
  int round_ = 0;
};

}  // namespace touchstone::pipeline::judging
