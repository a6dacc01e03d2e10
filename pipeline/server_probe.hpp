#pragma once

#include "common/stop.hpp"
#include "llm_client/budget.hpp"
#include "pipeline/judge_panel.hpp"
#include "pipeline/judgment_log.hpp"

#include <string>

namespace touchstone::pipeline {

/// What a server was found to do.
struct ServerTraits {
  llm_client::ServerLimits limits;
  bool probed = false;
  bool keeps_to_schema = false;  ///< it answered in the schema's form where the prompt asked for something else
  bool gives_logprobs = false;
  double tokens_per_word = 0;  ///< prompt tokens for a word, as it counts them; 0: it does not say
};

/// Asks the server for its list of models, and puts one small question to it: with all that the judge's requests hold,
/// then, where that is refused, without log-probabilities, without a schema, without both. The reply goes into the log
/// under a key of its own (of server and judge), so that it is asked once. Throws Interrupted when the server refuses
/// every form, on a signal, and when the budget does not allow it.
ServerTraits probe_server(const Panelist& judge, const std::vector<llm_client::Endpoint>& endpoints, JudgmentLog& log,
                          llm_client::Budget& budget, const StopFlag& stop);

/// What an earlier probe found; `probed` is false when there was none.
ServerTraits remembered_traits(const Panelist& judge, const JudgmentLog& log);

}  // namespace touchstone::pipeline
