#pragma once

#include "pipeline/flow/stage.hpp"
#include "pipeline/flow/work_files.hpp"
#include "pipeline/judging/judgment_log.hpp"
#include "pipeline/judging/shared_replies.hpp"

namespace touchstone::pipeline::judging::stage {

/// The judgment log of the whole run, which all its stages that ask a model share: one process opens it once. Replies
/// that tasks of a cluster left are taken over.
inline JudgmentLog& run_log(flow::WriteContext& context) {
  return context.objects().get<JudgmentLog>([&] {
    auto log = JudgmentLog::open(context.kept(kReplyLogFile), context.store);
    take_over(*log, context.kept(kReplyLogsFolder));
    return log;
  });
}

}  // namespace touchstone::pipeline::judging::stage
