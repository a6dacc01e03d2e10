#pragma once

#include "pipeline/flow/stage.hpp"
#include "pipeline/flow/work_files.hpp"
#include "pipeline/judging/judgment_log.hpp"

namespace touchstone::pipeline::judging::stage {

/// The judgment log of the whole run, which all its stages that ask a model share: one process opens it once.
inline JudgmentLog& run_log(flow::WriteContext& context) {
  return context.objects().get<JudgmentLog>(
      [&] { return JudgmentLog::open(context.kept(kReplyLogFile), context.store); });
}

}  // namespace touchstone::pipeline::judging::stage
