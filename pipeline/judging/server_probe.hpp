#pragma once

#include "common/stop.hpp"
#include "llm_client/budget.hpp"
#include "pipeline/judging/judge_panel.hpp"
#include "pipeline/judging/judgment_log.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace touchstone::pipeline::judging {

/// A question on its way: what the asker has to know of it.
struct Errand {
  std::string key;    ///< digest that its reply is filed under
  std::string body;   ///< as sent
  std::string topic;  ///< for warm-up requests
  llm_client::TextSize size;
  std::uint64_t shared_tokens = 0;  ///< guess of the tokens that all requests of the topic begin with
  bool again = false;               ///< there are replies to it without a grade, under other keys
};

/// What a server was found to do.
struct ServerTraits {
  llm_client::ServerLimits limits;
  bool probed = false;
  bool keeps_to_schema = false;  ///< it answered in the schema's form where the prompt asked for something else
  bool gives_logprobs = false;
  llm_client::TokenCounting counting;
};

/// Asks the server for its list of models, and puts two questions to it. The first is as long as the judge's, with all
/// that its requests hold; where that is refused, without log-probabilities, without a schema, without both. The second
/// is a few words, to see whether the server's count of tokens follows the length of prompts. The replies go into the
/// log under keys of their own (of server and judge), so that each is asked once. Throws Interrupted when the server
/// refuses every form, on a signal, and when the budget does not allow it.
ServerTraits probe_server(const Panelist& judge, const std::vector<llm_client::Endpoint>& endpoints, JudgmentLog& log,
                          llm_client::Budget& budget, const StopFlag& stop);

/// The same two questions, for a batch job to carry; without those that the log knows.
std::vector<Errand> probe_errands(const Panelist& judge, const JudgmentLog& log);

/// What an earlier probe found; `probed` is false when there was none.
ServerTraits remembered_traits(const Panelist& judge, const JudgmentLog& log);

}  // namespace touchstone::pipeline::judging
