#pragma once

#include "common/error.hpp"
#include "llm_client/reply_store.hpp"
#include "pipeline/judging/judge.hpp"
#include "pipeline/judging/judge_panel.hpp"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace touchstone::pipeline::judging {

/// A judge whose answers a test decides: a grade as text ("1"), or something that is not a grade. Like people, it may
/// be asked and not answer: then `finish` ends the run, and a later one goes on.
class ScriptedJudge : public Judge {
 public:
  using Script = std::function<std::optional<std::string>(const std::string& digest)>;

  /// \param script  the reply to a request; nothing: not answered yet
  ScriptedJudge(std::string id, llm_client::ReplyStore& replies, Script script)
      : replies_(replies), script_(std::move(script)) {
    description_.id = description_.name = std::move(id);
    description_.fingerprint = "scripted";
  }

  const JudgeDescription& description() const override { return description_; }

  JudgeReading read(const std::string& topic, const JudgeRequest& request, Ungraded ungraded) const override {
    JudgeReading reading;
    Sample sample;
    sample.digest = description_.id + "/" + topic + "/" + request.member + "/" + request.passage_title;
    sample.stored = replies_.find(sample.digest);
    if (sample.stored) sample.answer = answer_of(sample.stored->reply);
    const bool asks_again = sample.stored && !sample.answer.grade && ungraded == Ungraded::kAskAgain;
    if (asks_again) {
      sample.digest += "/again";
      sample.stored = replies_.find(sample.digest);
      if (sample.stored) sample.answer = answer_of(sample.stored->reply);
    }
    if (sample.stored) {
      reading.samples.push_back(std::move(sample));
    } else {
      reading.pending.push_back({sample.digest, {}, topic, {}, 0, asks_again});
    }
    return reading;
  }

  bool open() override {
    ++opened;
    return opening_changes_reads;
  }

  void ask(llm_client::PendingRequest request) override { asked.push_back(request.digest); }

  void finish() override {
    std::vector<llm_client::ReplyStore::Entry> replies;
    std::size_t waiting = 0;
    for (const auto& digest : asked) {
      if (auto reply = script_(digest)) {
        replies.push_back({digest, {description_.id, std::move(*reply)}});
      } else {
        ++waiting;
      }
    }
    replies_.add(replies);
    asked.clear();
    if (waiting > 0) throw Interrupted(std::to_string(waiting) + " questions wait for " + description_.id);
  }

  std::vector<std::string> asked;  ///< digests, since the last `finish`
  int opened = 0;
  bool opening_changes_reads = false;

 private:
  static llm_client::JudgeAnswer answer_of(const std::string& reply) {
    llm_client::JudgeAnswer answer;
    answer.reply = reply;
    answer.state = JudgmentState::kUnparseable;
    answer.reason = "no grade";
    if (reply.size() != 1 || reply[0] < '0' || reply[0] > '3') return answer;
    answer.grade = reply[0] - '0';
    answer.state = JudgmentState::kJudged;
    answer.reason.clear();
    return answer;
  }

  JudgeDescription description_;
  llm_client::ReplyStore& replies_;
  Script script_;
};

}  // namespace touchstone::pipeline::judging
