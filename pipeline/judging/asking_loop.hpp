#pragma once

#include "pipeline/flow/shard.hpp"
#include "pipeline/flow/stage.hpp"
#include "pipeline/judging/judge_panel.hpp"
#include "pipeline/judging/judge_questions.hpp"
#include "pipeline/judging/shared_asking.hpp"
#include "pipeline/judging/shared_replies.hpp"

#include <chrono>

namespace touchstone::pipeline::judging {

/// A share of a panel's questions, asked beside other processes that have the other shares, or the same.
struct SharedQuestions {
  flow::Shard share;
  SharedAsking& asking;
  SharedReplies& replies;
  std::chrono::seconds patience;  ///< with another process that tries the server
};

/// Asks what no process has asked yet, and stores the replies. Questions about one page are in one share, and go out in
/// lots, each of which one process claims. Returns when the share has nothing left to ask that is not claimed, or when
/// somebody has closed. Throws Interrupted as the judges do; its claims are released then.
/// \param context  of a stage that reads groups, candidates and passages
/// \param queries  by topic; only where a judge needs them
void ask_share(flow::WriteContext& context, const JudgePanel& panel, const SharedQuestions& questions,
               TopicQueries queries);

}  // namespace touchstone::pipeline::judging
