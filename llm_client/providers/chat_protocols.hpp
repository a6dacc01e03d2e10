#pragma once

#include "llm_client/providers/chat.hpp"

#include <nlohmann/json_fwd.hpp>
#include <simdjson.h>

/// The two protocols behind chat.hpp.
namespace touchstone::llm_client::providers::internal {

std::string openai_body(const prompts::RenderedPrompt& prompt, prompts::AnswerKind kind,
                        const ChatParameters& parameters, const ServerLimits& limits);
std::string anthropic_body(const prompts::RenderedPrompt& prompt, prompts::AnswerKind kind,
                           const ChatParameters& parameters, const ServerLimits& limits);

inline constexpr std::string_view kFilteredReason = "the provider's filter withheld the reply";

/// How a reply ended, by the server's word for it.
enum class Ending : std::uint8_t {
  kWhole,     ///< the model said all it had to say
  kLength,    ///< cut at the limit of its tokens
  kFiltered,  ///< held back by a filter of the provider
  kTool,      ///< the model called a tool
  kOther      ///< an error, an abort, or a word that is not known: no answer can be read from it
};
/// Of `finish_reason`. Sources: OpenAI's and Gemini's API references; words of TGI, Together, Cohere and OpenRouter
/// (read 2026-11).
Ending openai_ending(std::string_view word) noexcept;
/// Of `stop_reason`. Source: Anthropic's API reference (read 2026-11).
Ending anthropic_ending(std::string_view word) noexcept;
/// Puts the ending into `reply`: the state, and the reason where there is no answer. True when there may be one.
bool read_ending(Ending ending, std::string_view word, ChatReply& reply);

/// Fill `reply` from a parsed body that is an object and holds no error.
void read_openai(simdjson::dom::object body, bool want_tokens, ChatReply& reply);
void read_anthropic(simdjson::dom::object body, ChatReply& reply);
std::optional<TokenUsage> openai_usage(simdjson::dom::object body);
std::optional<TokenUsage> anthropic_usage(simdjson::dom::object body);

/// A field's text; empty when it is absent or something else.
inline std::string_view text_of(simdjson::dom::object object, std::string_view name) {
  std::string_view text;
  return object[name].get_string().get(text) == simdjson::SUCCESS ? text : std::string_view{};
}
/// A field's count; nothing when it is absent, negative or something else.
inline std::optional<std::uint64_t> count_of(simdjson::dom::object object, std::string_view name) {
  std::uint64_t count = 0;
  if (object[name].get_uint64().get(count) != simdjson::SUCCESS) return std::nullopt;
  return count;
}

/// A count of tokens that can be one: zero is what servers send that do not count, and no context has 16 million.
inline std::optional<std::uint64_t> tokens_of(simdjson::dom::object usage, std::string_view name) {
  constexpr std::uint64_t kMostTokens = std::uint64_t{1} << 24;
  const auto count = count_of(usage, name);
  return count && *count <= kMostTokens ? count : std::nullopt;
}
/// True when a field is absent or null.
inline bool is_absent(simdjson::dom::object object, std::string_view name) {
  simdjson::dom::element value;
  return object[name].get(value) != simdjson::SUCCESS || value.is_null();
}
/// True when a field is absent, null, or this text.
inline bool is_absent_or(simdjson::dom::object object, std::string_view name, std::string_view text) {
  return is_absent(object, name) || text_of(object, name) == text;
}

/// Adds the fields of `ChatParameters::extra_body` to a request.
void add_fields(nlohmann::ordered_json& body, const std::string& extra_body);

/// True when a field occurs twice. It is then unknown which of the two counts.
bool repeats_a_field(simdjson::dom::object object);

/// True for texts that open as models do when they decline: sorts what has no answer, never makes one.
bool sounds_like_refusal(std::string_view text);

}  // namespace touchstone::llm_client::providers::internal
