#pragma once

#include "pipeline/flow/stage.hpp"
#include "pipeline/judging/judge_panel.hpp"
#include "pipeline/judging/judge_questions.hpp"
#include "pipeline/judging/judgment_log.hpp"

namespace touchstone::pipeline::judging {

/// Judges all questions of a work directory. Asks for the replies that are not stored, then writes
/// `stages/judgments.records`, `stages/unjudged.jsonl` and `stages/judging.json` from stored replies alone, so that
/// their bytes do not depend on when and in which order replies came. Where every judge answers at once this takes one
/// pass over the questions. Throws Interrupted as judges do. \param context  of a stage that declares the judge stage's
/// artifacts and option groups \param log      where the judges look for replies \param queries  by topic; only where a
/// judge needs them
flow::StageReport judge_all(flow::WriteContext& context, const JudgePanel& panel, JudgmentLog& log,
                            TopicQueries queries = {});

}  // namespace touchstone::pipeline::judging
