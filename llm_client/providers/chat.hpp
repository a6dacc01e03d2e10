#pragma once

#include "common/judgment_state.hpp"
#include "llm_client/prompts/answer.hpp"
#include "llm_client/prompts/prompt_template.hpp"
#include "llm_client/prompts/token_probability.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace touchstone::llm_client::providers {

/// The two protocols: OpenAI-compatible chat completions, and Anthropic messages.
enum class Protocol : std::uint8_t { kOpenAi, kAnthropic };

/// How a server is held to the answer's schema.
enum class Structure : std::uint8_t {
  kJsonSchema,  ///< `response_format` (OpenAI, vLLM, llama.cpp, Ollama, SGLang) or `output_config` (Anthropic)
  kVllm,        ///< vLLM's `structured_outputs`
  kNone         ///< by the prompt's words alone
};

/// What a request says besides the prompt. All of it is part of a reply's digest.
struct ChatParameters {
  std::string model;
  double temperature = 0;  ///< below 0: not sent, for models that refuse it
  std::uint64_t max_reply_tokens = 256;
  bool completion_tokens_name = false;  ///< `max_completion_tokens` instead of `max_tokens`, for newer hosted models
  std::int64_t seed = -1;               ///< below 0: not sent
  bool logprobs = true;                 ///< OpenAI protocol only
  Structure structure = Structure::kJsonSchema;
  std::string extra_body = {};  ///< JSON object whose fields are added as they are; see extra_body_problem. Empty: none
};

/// Why a text cannot be `extra_body`, as the end of a sentence; empty when it can. A field that another parameter sets
/// is refused.
std::string extra_body_problem(std::string_view text);

/// What a server was found to refuse; such fields are left out. Not part of the digest: it is how a question travels.
struct ServerLimits {
  bool refuses_structure = false, refuses_logprobs = false;
};

/// Tokens as the server counted them.
struct TokenUsage {
  std::uint64_t prompt = 0;         ///< all prompt tokens, cached ones included
  std::uint64_t cached = 0;         ///< of these, read from the server's prompt cache
  std::uint64_t cache_written = 0;  ///< of these, written to it at a higher price (Anthropic)
  std::uint64_t reply = 0;
  bool reply_counted = true;  ///< false: the count of reply tokens is missing or no count, and `reply` says nothing
};

/// A server's reply, unwrapped. `state` is kJudged when there is a text to read an answer from.
struct ChatReply {
  JudgmentState state = JudgmentState::kFailed;
  std::string text;
  std::string model;                ///< that answered, by the server's word; empty: it does not say
  std::string reason;               ///< why there is no text, in words; the refusal where there is one
  std::optional<TokenUsage> usage;  ///< absent when the server gave none
  std::vector<prompts::TokenProbability> tokens;
};

/// Path behind the endpoint's base address: "/chat/completions" or "/messages".
std::string_view chat_path(Protocol protocol) noexcept;

/// Body of a request; the bytes depend on the arguments alone.
std::string chat_body(Protocol protocol, const prompts::RenderedPrompt& prompt, prompts::AnswerKind kind,
                      const ChatParameters& parameters, const ServerLimits& limits = {});

/// Reads the body of a reply with status 200. Knows errors sent with status 200, refusals, content given in parts,
/// missing usage, streamed bodies; never throws. At most `logprobs` tokens are read where wanted. Thread-safe.
ChatReply read_chat(Protocol protocol, std::string_view body, bool want_tokens);

/// Whether a reply's name of its model can be that of the model that was asked: the same but for a maker in front
/// ("openai/"), the case of letters, and one version behind ("-2024-07-18", "-latest"). Pure.
bool is_same_model(std::string_view asked, std::string_view answered);

/// Of a reply's usage alone, for bodies of any status: nothing when there is none. Thread-safe.
std::optional<TokenUsage> read_usage(Protocol protocol, std::string_view body);

}  // namespace touchstone::llm_client::providers
