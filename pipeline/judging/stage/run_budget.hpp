#pragma once

#include "llm_client/budget.hpp"
#include "pipeline/flow/stage.hpp"
#include "pipeline/judging/stage/judge_options.hpp"

namespace touchstone::pipeline::judging::stage {

/// The caps of the whole run, which all its stages that ask a model share: judge.max_cost, judge.max_calls and
/// judge.max_total_tokens.
inline llm_client::Budget& run_budget(flow::WriteContext& context) {
  return context.objects().get<llm_client::Budget>([&] {
    const auto& judge = context.options<JudgeOptions>();
    return std::make_shared<llm_client::Budget>(
        llm_client::BudgetLimits{judge.max_cost, static_cast<std::uint64_t>(judge.max_calls),
                                 static_cast<std::uint64_t>(judge.max_total_tokens)});
  });
}

}  // namespace touchstone::pipeline::judging::stage
