#pragma once

#include "collection/records.hpp"
#include "pipeline/judging/judge_panel.hpp"
#include "pipeline/judging/judge_questions.hpp"
#include "pipeline/judging/judging_summary.hpp"
#include "pipeline/judging/judgment_log.hpp"
#include "pipeline/judging/lexical/lexical_judge.hpp"
#include "pipeline/judging/online_requester.hpp"

#include <string>
#include <utility>
#include <vector>

namespace touchstone::pipeline::judging {

/// What the log holds about one question, and what is still to be asked.
struct Consideration {
  collection::JudgmentRecord record;                    ///< complete when nothing is missing
  std::vector<std::pair<std::size_t, Errand>> missing;  ///< judge of the panel, and what to ask it
  std::vector<JudgmentLog::Entry> computed;             ///< replies of the lexical judge, to be kept
  /// Per judge that was asked: its replies and its answer, for the summary.
  struct Said {
    std::size_t judge = 0;
    std::vector<LoggedReply> replies;
    llm_client::JudgeReply answer;
  };
  std::vector<Said> said;
  bool cheap_decided = false;
};

/// Reads a panel's answers out of the log. It sends nothing. Thread-safe.
class PanelReader {
 public:
  /// \param askers   as the panel's judges; null for the lexical one, or where nothing may be asked
  /// \param traits   what each judge's server does
  /// \param lexical  null when the panel has no lexical judge
  PanelReader(const JudgePanel& panel, const JudgmentLog& log, std::vector<const Asker*> askers,
              std::vector<ServerTraits> traits, const LexicalJudge* lexical);

  /// What the servers do, once it was tried. Not while others consider.
  void set_traits(std::vector<ServerTraits> traits) {
    traits_ = std::move(traits);
    ++version_;
  }
  /// Raised by set_traits: what was considered under another version has to be considered again.
  int version() const noexcept { return version_; }

  /// \param ask_again  replies without a grade count as missing: they are asked under a new key
  Consideration consider(const std::string& topic, const JudgeQuestion& question, bool ask_again) const;

 private:
  struct Sample {
    std::string key;
    LoggedReply logged;
    llm_client::JudgeReply answer;
  };
  bool read_llm(std::size_t judge, const std::string& topic, const JudgeQuestion& question, bool ask_again,
                Consideration& found, std::vector<Sample>& samples) const;
  bool sample_of(std::size_t judge, const std::string& topic, const JudgeQuestion& asked, llm_client::Question question,
                 bool ask_again, Consideration& found, Sample& sample) const;
  void read_lexical(const JudgeQuestion& question, Consideration& found, std::vector<Sample>& samples) const;
  llm_client::JudgeReply combine(const std::vector<const llm_client::JudgeReply*>& answers,
                                 bool share_is_probability) const;

  const JudgePanel& panel_;
  const JudgmentLog& log_;
  std::vector<const Asker*> askers_;
  std::vector<ServerTraits> traits_;
  int version_ = 0;
  const LexicalJudge* lexical_;
};

}  // namespace touchstone::pipeline::judging
