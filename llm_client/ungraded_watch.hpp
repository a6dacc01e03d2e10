#pragma once

#include "llm_client/judge_answer.hpp"
#include "llm_client/prompted_model.hpp"
#include "llm_client/reply_store.hpp"
#include "llm_client/server_probe.hpp"

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>

namespace touchstone::llm_client {

/// Notices when the first replies of a run hold no grade at all: the prompt, the model or its settings are wrong then,
/// and every further request would be paid for in vain. Replies that earlier runs stored for the same prompt, model and
/// settings count too, but a few new ones are always waited for, since the server may have been corrected. Questions
/// that are asked again, since they had no grade, do not count. Thread-safe.
class UngradedWatch {
 public:
  /// \param limit  replies without any grade that are enough; 0: never enough. `model` must outlive this.
  UngradedWatch(const PromptedModel& model, std::uint64_t limit) : model_(model), limit_(limit) {}

  /// Looks at a reply to a question of that size.
  void take(const std::string& digest, const StoredReply& reply, const prompts::TextSize& size,
            const ServerTraits* traits, bool asks_again);
  /// Looks at an answer that was found in the store. One that `take` has seen counts once.
  void take_stored(const std::string& digest, const JudgeAnswer& answer);
  /// Why the run should stop: the commonest reason, and a sample. Nothing while it should go on.
  std::optional<std::string> verdict() const;
  /// No reply of this run has held a grade so far, so that every further request may be paid for in vain.
  bool undecided() const;

 private:
  struct Reason {
    std::uint64_t count = 0;
    std::string reason, sample;  ///< of the first
  };

  bool enough() const;
  void count(const JudgeAnswer& answer);

  const PromptedModel& model_;
  const std::uint64_t limit_;
  mutable std::mutex mutex_;
  bool has_grade_ = false;
  std::atomic<bool> stored_have_grade_ = false;
  std::set<std::string> ungraded_, stored_ungraded_;  // digests, at most `limit_` each
  std::map<JudgmentState, Reason> reasons_;
};

}  // namespace touchstone::llm_client
