#pragma once

#include "llm_client/prompts/token_estimate.hpp"

#include <cstdint>
#include <string>

namespace touchstone::llm_client {

/// A request that has no reply yet.
struct PendingRequest {
  std::string digest;  ///< that its reply will be filed under
  std::string body;    ///< as it is sent
  std::string topic;   ///< requests of one topic begin alike
  prompts::TextSize size;
  std::uint64_t shared_tokens = 0;  ///< guess of the tokens that all requests of the topic begin with
  bool asks_again = false;          ///< there are replies to its question without a grade, under other digests
};

}  // namespace touchstone::llm_client
