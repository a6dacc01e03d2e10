#pragma once

#include "common/stop.hpp"
#include "pipeline/corpus/title_index.hpp"
#include "pipeline/corpus/wiki_options.hpp"
#include "pipeline/judging/judge_questions.hpp"
#include "pipeline/judging/kept_replies.hpp"
#include "pipeline/judging/panel_reading.hpp"
#include "pipeline/passages/passage_corpus.hpp"
#include "storage/store.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include <oneapi/tbb/task_arena.h>

namespace touchstone::pipeline::judging {

/// Some of a topic's questions, and what a panel has said to them.
struct ReadChunk {
  CandidateChunk chunk;
  std::vector<PanelReading> readings;                    ///< in the order of the candidates
  int round = 0;                                         ///< of the walk, when they were read
  std::vector<llm_client::ReplyStore::Entry> kept = {};  ///< that answer what is pending, and are not stored yet
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

  using StoreKept = std::function<void(const std::vector<llm_client::ReplyStore::Entry>&)>;
  /// Answers what is pending with replies that are kept from before an edit of the passage, where there are some.
  /// \param previous  the previous work directory
  /// \param replies   where the panel's judges look, in its log too; outlives this
  /// \param store     makes them ones that the judges find, on the thread of `run`; none: what they answer is taken
  ///                  out of what is pending, and has no record
  void keep(std::filesystem::path previous, const llm_client::ReplyStore& replies, StoreKept store) {
    before_.emplace(std::move(previous));
    replies_ = &replies;
    store_kept_ = std::move(store);
  }

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
  void take_kept(const JudgePanel& panel, const std::string& topic, const JudgeQuestion& question,
                 PanelReading& reading, ReadChunk& read) const;
  void store_kept(const JudgePanel& panel, Ungraded ungraded, ReadChunk& read) const;

  const storage::Store& store_;
  const StopFlag& stop_;
  int threads_;
  corpus::TitleIndex titles_;
  passages::PassageCorpus passages_;
  CandidateReader candidates_;
  TopicQueries queries_;
  oneapi::tbb::task_arena arena_;
  Wanted wanted_;                           ///< none: all
  std::optional<PreviousPassages> before_;  ///< none: nothing is kept
  const llm_client::ReplyStore* replies_ = nullptr;
  StoreKept store_kept_;
  int round_ = 0;
};

}  // namespace touchstone::pipeline::judging
