#pragma once

#include "common/progress.hpp"
#include "common/stop.hpp"
#include "llm_client/budget.hpp"
#include "llm_client/prompts/prompt_template.hpp"
#include "llm_client/reply_store.hpp"
#include "llm_client/requester.hpp"
#include "llm_client/served_model.hpp"
#include "llm_client/token_counter.hpp"
#include "pipeline/judging/judge.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace touchstone::pipeline::judging::model {

/// What judges work with. All of it outlives them.
struct JudgeServices {
  llm_client::ReplyStore& replies;
  llm_client::Budget& budget;
  const StopFlag& stop;
  ProgressCounters& progress;
  bool reads_kept = false;  ///< replies count that are kept from before an edit of the passage (kept_digest)
};

/// How requests travel to a model.
enum class RequestRoute : std::uint8_t { kOnline, kBatch };

/// Values of a prompt that say which group a question is about.
llm_client::prompts::PromptValues topic_values(const std::string& page, const std::vector<std::string>& section_path,
                                               const std::string& column);

/// All values that a prompt can name, of a question.
llm_client::prompts::PromptValues values_of(const JudgeRequest& request);

/// A language model as a judge, online or by batch jobs.
class ModelJudge : public Judge {
 public:
  ModelJudge(llm_client::ServedModel served, std::uint32_t samples, RequestRoute route, const JudgeServices& services);
  ~ModelJudge() override;

  static JudgeDescription describe(const llm_client::ServedModel& served, std::uint32_t samples);

  const JudgeDescription& description() const override { return description_; }
  void resume() override;
  JudgeReading read(const std::string& topic, const JudgeRequest& request, Ungraded ungraded) const override;
  void begin_reads() override;
  bool open() override;
  void ask(llm_client::PendingRequest request) override;
  void finish() override;
  llm_client::RequestCounts counts() const override;
  RequestEstimate estimate(const std::vector<const llm_client::PendingRequest*>& requests) override;

 private:
  /// Adds the answer to one question to `reading`, or what is pending.
  void read_sample(const llm_client::Question& question, std::uint32_t number, const std::string& topic,
                   const JudgeRequest& request, Ungraded ungraded, JudgeReading& reading) const;

  const llm_client::ServedModel served_;
  const std::uint32_t samples_;
  const RequestRoute route_;
  const JudgeDescription description_;
  llm_client::ReplyStore& replies_;
  const bool reads_kept_;
  llm_client::ServerTraits traits_;
  std::unique_ptr<llm_client::Requester> requester_;
  std::unique_ptr<llm_client::TokenCounter> token_counter_;  ///< where the server has one; looked for by `estimate`
  bool looked_for_counter_ = false;
};

}  // namespace touchstone::pipeline::judging::model
