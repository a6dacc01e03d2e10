#pragma once

#include "collection/evidence/records.hpp"
#include "pipeline/judging/judge_panel.hpp"
#include "pipeline/judging/judge_questions.hpp"

#include <string>
#include <vector>

namespace touchstone::pipeline::judging {

/// What a panel has said to one question so far.
struct PanelReading {
  collection::evidence::JudgmentRecord record;  ///< complete when nothing is pending

  struct Pending {
    std::size_t judge;  ///< of the panel
    llm_client::PendingRequest request;
  };
  std::vector<Pending> pending;
  std::vector<llm_client::ReplyStore::Entry> computed;  ///< replies that were made just now, to be stored

  /// What one judge that was asked added, for the summary.
  struct Contribution {
    std::size_t judge;
    std::vector<llm_client::StoredReply> replies;  ///< without their texts
    llm_client::JudgeAnswer answer;
  };
  std::vector<Contribution> contributions;
  bool decided_by_first = false;  ///< a cascade ended with its first judge
};

/// Reads a panel's answers to a question, and makes one judgment of them. Sends nothing. Thread-safe.
PanelReading read_panel(const JudgePanel& panel, const std::string& topic, const JudgeQuestion& question,
                        Ungraded ungraded);

}  // namespace touchstone::pipeline::judging
