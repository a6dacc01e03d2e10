#pragma once

#include "llm_client/served_model.hpp"
#include "llm_client/transport/transport.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace touchstone::llm_client {

/// A server's own count of prompt tokens: llama.cpp's and vLLM's `/tokenize` beside `/v1`, Anthropic's `count_tokens`.
/// They cost nothing. Not thread-safe.
class TokenCounter {
 public:
  /// Nothing when the server offers none, or does not answer.
  static std::unique_ptr<TokenCounter> find(const ServedModel& served);

  /// Prompt tokens of request bodies; nothing for one that the server did not count.
  std::vector<std::optional<std::uint64_t>> count(const std::vector<std::string>& bodies);

 private:
  enum class Kind { kLlamaCpp, kVllm, kAnthropic };
  TokenCounter(const ServedModel& served, Kind kind);
  std::string question(const std::string& body) const;
  /// Bodies of the replies, in order; nothing where there was no good one.
  std::vector<std::optional<std::string>> exchange(const std::string& path, std::vector<std::string> bodies);
  std::uint64_t measure_template(const std::string& body);

  Kind kind_;
  std::uint64_t template_tokens_ = 0;  ///< of llama.cpp, whose tokenizer does not see the chat template
  transport::Transport transport_;
  std::uint64_t next_id_ = 1;
};

}  // namespace touchstone::llm_client
