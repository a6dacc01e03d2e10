#pragma once

#include "llm_client/reply_store.hpp"
#include "pipeline/judging/judge.hpp"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

namespace touchstone::pipeline::judging::human {

/// Files of the folder where people judge; `touchstone annotate --work` serves it.
inline constexpr std::string_view kTasksFile = "tasks.jsonl", kAnswersFile = "annotations.jsonl";

/// People as a judge. Questions without answers become tasks in a folder, and the run ends; once people have answered
/// them, the next run takes the answers over into the judgment log, as the replies of any other judge.
///
/// The first `people` answers to a question count, by time; answers that were skipped do not. Answers that are in the
/// log stay there.
class HumanJudge : public Judge {
 public:
  /// \param folder   of kTasksFile and kAnswersFile
  /// \param people   how many answer each question
  /// \param replies  outlives this
  HumanJudge(std::filesystem::path folder, std::uint32_t people, llm_client::ReplyStore& replies);

  static JudgeDescription describe(std::uint32_t people);

  const JudgeDescription& description() const override { return description_; }
  /// Tasks name the wiki's language from then on.
  void prepare(const JudgingCorpus& corpus) override;
  /// Takes over what people have answered. Throws FormatError for answers that cannot be.
  void resume() override;
  JudgeReading read(const std::string& topic, const JudgeRequest& request, Ungraded ungraded) const override;
  void ask(llm_client::PendingRequest request) override;
  /// Throws Interrupted if something was asked: people take longer than a run.
  void finish() override;
  llm_client::RequestCounts counts() const override;

 private:
  const std::filesystem::path folder_;
  const std::uint32_t people_;
  const JudgeDescription description_;
  llm_client::ReplyStore& replies_;
  std::string language_;                      ///< BCP 47; empty where it is not known
  std::map<std::string, std::string> asked_;  ///< lines of tasks by their ids
  std::atomic<std::uint64_t> asked_answers_{0}, taken_{0};
};

}  // namespace touchstone::pipeline::judging::human
