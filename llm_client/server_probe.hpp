#pragma once

#include "common/stop.hpp"
#include "llm_client/budget.hpp"
#include "llm_client/reply_store.hpp"
#include "llm_client/served_model.hpp"

#include <string>
#include <vector>

namespace touchstone::llm_client {

/// What a server was found to do.
struct ServerTraits {
  providers::ServerLimits limits;
  bool probed = false;
  bool keeps_to_schema = false;  ///< it answered in the schema's form where the prompt asked for something else
  bool gives_logprobs = false;
  std::string answers_as;  ///< name of the model in its reply; empty: it named none
  prompts::TokenCounting counting;
};

/// What reading a reply needs of a question and its server.
/// \param traits  null: nothing is known of the server
inline PromptedModel::Asked asked_of(std::string_view passage_text, const prompts::TextSize& size,
                                     const ServerTraits* traits) {
  if (traits == nullptr) return {passage_text, size, {}, {}};
  return {passage_text, size, traits->counting, traits->answers_as};
}

/// Asks the server for its list of models, and puts two questions to it. The first is as long as the model's, with all
/// that its requests hold; where that is refused, it is asked again without log-probabilities, without a schema, and
/// without both. The second is a few words; it shows whether the server's count of tokens follows the length of
/// prompts. The replies go into the store under digests of their own (of server and model), so that each is asked once.
/// Throws Interrupted when the server refuses every form, on a signal, and when the budget does not allow it.
ServerTraits probe_server(const ServedModel& served, const std::vector<transport::Endpoint>& endpoints,
                          ReplyStore& store, Budget& budget, const StopFlag& stop);

/// The same two questions, for a batch job to carry; without those that the store has replies to.
std::vector<PendingRequest> probe_requests(const ServedModel& served, const ReplyStore& store);

/// A request that the server is known to take, whatever it thinks of the questions.
PendingRequest control_request(const ServedModel& served, const providers::ServerLimits& limits);

/// What an earlier probe found; `probed` is false when there was none.
ServerTraits remembered_traits(const ServedModel& served, const ReplyStore& store);

}  // namespace touchstone::llm_client
