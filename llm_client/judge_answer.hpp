#pragma once

#include "common/judgment_state.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace touchstone::llm_client {

/// What a judge answered to one question. `reply` is verbatim; the rest was read from it.
struct JudgeAnswer {
  std::string reply;
  JudgmentState state = JudgmentState::kFailed;
  std::optional<int> grade;                                    ///< only with kJudged
  std::optional<double> probability;                           ///< of evidence, 0..1
  std::string reason;                                          ///< in the judge's words, for people
  std::vector<std::pair<std::uint32_t, std::uint32_t>> spans;  ///< code points of quotes, sorted, each once
  std::uint32_t contradicted = 0;      ///< grades that the reply's own log-probabilities find less likely than not
  std::uint32_t quotes_not_found = 0;  ///< quotes that are not in the passage, and so not kept
};

}  // namespace touchstone::llm_client
