#pragma once

#include "pipeline/corpus/previous_work.hpp"
#include "pipeline/flow/stage.hpp"
#include "pipeline/flow/work_files.hpp"
#include "pipeline/judging/judgment_log.hpp"
#include "pipeline/judging/shared_replies.hpp"

#include <memory>

namespace touchstone::pipeline::judging::stage {

/// The replies of the previous work directory; null if none is named.
inline std::shared_ptr<const JudgmentLog> previous_log(const corpus::PreviousOptions& previous) {
  if (previous.work.empty()) return nullptr;
  return std::make_shared<const JudgmentLog>(flow::WorkPaths{previous.work}.file(kReplyLogFile),
                                             JudgmentLog::Access::kRead);
}

/// The judgment log of the whole run, which all its stages that ask a model share: one process opens it once. Replies
/// that tasks of a cluster left are taken over.
inline JudgmentLog& run_log(flow::WriteContext& context) {
  return context.objects().get<JudgmentLog>([&] {
    auto log = JudgmentLog::open(context.kept(kReplyLogFile), context.store);
    take_over(*log, context.kept(kReplyLogsFolder));
    log->look_in(previous_log(context.options<corpus::PreviousOptions>()));
    return log;
  });
}

}  // namespace touchstone::pipeline::judging::stage
