#pragma once

#include "llm_client/budget.hpp"
#include "pipeline/flow/stage.hpp"
#include "pipeline/flow/work_files.hpp"
#include "pipeline/judging/shared_asking.hpp"
#include "pipeline/judging/stage/judge_options.hpp"

#include <memory>
#include <string>

namespace touchstone::pipeline::judging::stage {

inline llm_client::BudgetLimits budget_limits(const JudgeOptions& judge) {
  return {judge.max_cost, static_cast<std::uint64_t>(judge.max_calls),
          static_cast<std::uint64_t>(judge.max_total_tokens)};
}

/// What this process tells the others that ask the judges of this build.
inline std::shared_ptr<SharedAsking> shared_asking(flow::WriteContext& context, const std::string& writer) {
  return std::make_shared<SharedAsking>(context.kept(kAskingFolder), writer,
                                        budget_limits(context.options<JudgeOptions>()));
}

/// The caps of the whole run, which all its stages that ask a model share: judge.max_cost, judge.max_calls and
/// judge.max_total_tokens. On a cluster all jobs of the build share them.
inline llm_client::Budget& run_budget(flow::WriteContext& context) {
  return context.objects().get<llm_client::Budget>([&] {
    return std::make_shared<llm_client::Budget>(
        budget_limits(context.options<JudgeOptions>()),
        context.is_shared ? shared_asking(context, flow::attempt_name()) : nullptr);
  });
}

}  // namespace touchstone::pipeline::judging::stage
