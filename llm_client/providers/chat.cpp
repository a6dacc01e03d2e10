#include "llm_client/providers/chat.hpp"

#include "common/ascii.hpp"
#include "common/display_text.hpp"
#include "common/json_tree.hpp"
#include "llm_client/providers/chat_protocols.hpp"
#include "llm_client/transport/error_body.hpp"

#include <algorithm>
#include <array>
#include <regex>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace touchstone::llm_client::providers {
namespace {

constexpr std::size_t kReasonBytes = 300;

std::string_view without_byte_order_mark(std::string_view body) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  if (body.starts_with(kMark)) body.remove_prefix(kMark.size());
  return body;
}

bool parse_object(std::string_view body, simdjson::dom::object& object) {
  thread_local simdjson::dom::parser parser;
  body = without_byte_order_mark(body);
  return parser.parse(body.data(), body.size()).get_object().get(object) == simdjson::SUCCESS;
}

/// True when there is something to read an answer from, in the form of either protocol.
bool has_answer(simdjson::dom::object body) {
  simdjson::dom::array list;
  return (body["choices"].get_array().get(list) == simdjson::SUCCESS && list.size() > 0) ||
         (body["content"].get_array().get(list) == simdjson::SUCCESS && list.size() > 0);
}

/// What a server says went wrong: `error` may be an object with a message, or a text.
std::string error_text(simdjson::dom::element error) {
  std::string_view text;
  simdjson::dom::object object;
  if (error.get_object().get(object) == simdjson::SUCCESS) text = internal::text_of(object, "message");
  if (text.empty() && error.get_string().get(text) != simdjson::SUCCESS) text = "without a message";
  return display_excerpt(text, kReasonBytes);
}

}  // namespace

std::string_view chat_path(Protocol protocol) noexcept {
  return protocol == Protocol::kOpenAi ? "/chat/completions" : "/messages";
}

std::string chat_body(Protocol protocol, const prompts::RenderedPrompt& prompt, prompts::AnswerKind kind,
                      const ChatParameters& parameters, const ServerLimits& limits) {
  return protocol == Protocol::kOpenAi ? internal::openai_body(prompt, kind, parameters, limits)
                                       : internal::anthropic_body(prompt, kind, parameters, limits);
}

std::string extra_body_problem(std::string_view text) {
  constexpr auto kOwn = std::to_array<std::string_view>(
      {"model", "messages", "system", "stream", "n", "max_tokens", "max_completion_tokens", "temperature", "seed",
       "logprobs", "top_logprobs", "response_format", "structured_outputs", "output_config"});
  const auto fields = parse_json_or_discard(text);
  if (!fields.is_object()) return "is not a JSON object such as {\"reasoning_effort\": \"low\"}";
  for (const auto name : kOwn) {
    if (fields.contains(name)) return fmt::format("holds \"{}\", which the program sets itself", name);
  }
  if (text.find("@user@") != std::string_view::npos) return "holds \"@user@\", where the program puts the question";
  return {};
}

ChatReply read_chat(Protocol protocol, std::string_view body, bool want_tokens) {
  ChatReply reply;
  simdjson::dom::object object;
  if (!parse_object(body, object)) {
    const auto start = without_byte_order_mark(body).substr(0, 6);
    reply.reason = start.starts_with("data:") || start.starts_with("event:")
                       ? "the server streamed its reply although it was asked not to"
                       : "the body is not a JSON object";
    if (transport::names_content_filter(body)) {
      reply.state = JudgmentState::kFiltered;
      reply.reason = internal::kFilteredReason;
    }
    return reply;
  }
  if (internal::repeats_a_field(object)) {
    reply.reason = "the body names a field twice";
    return reply;
  }
  simdjson::dom::element error;
  const bool is_error = object["error"].get(error) == simdjson::SUCCESS && !error.is_null();
  if (is_error) reply.reason = "the server reports an error: " + error_text(error);
  if ((is_error || !has_answer(object)) && transport::names_content_filter(body)) {
    reply.state = JudgmentState::kFiltered;
    if (reply.reason.empty()) reply.reason = internal::kFilteredReason;
  }
  if (is_error || reply.state == JudgmentState::kFiltered) return reply;
  reply.model = internal::text_of(object, "model");
  if (protocol == Protocol::kOpenAi) {
    reply.usage = internal::openai_usage(object);
    internal::read_openai(object, want_tokens, reply);
  } else {
    reply.usage = internal::anthropic_usage(object);
    internal::read_anthropic(object, reply);
  }
  return reply;
}

namespace {

/// A model's name without its maker and one version behind it, in small letters.
std::string bare_name(std::string_view name) {
  if (const auto maker = name.rfind('/'); maker != std::string_view::npos) name.remove_prefix(maker + 1);
  static const std::regex version("[-@:](latest|preview|0|[0-9]{4,8}|[0-9]{4}-[0-9]{2}-[0-9]{2})$");
  return std::regex_replace(ascii_lower(name), version, "");
}

}  // namespace

bool is_same_model(std::string_view asked, std::string_view answered) {
  return asked == answered || bare_name(asked) == bare_name(answered);  // mostly the first
}

std::optional<TokenUsage> read_usage(Protocol protocol, std::string_view body) {
  simdjson::dom::object object;
  if (!parse_object(body, object)) return std::nullopt;
  return protocol == Protocol::kOpenAi ? internal::openai_usage(object) : internal::anthropic_usage(object);
}

namespace internal {

void add_fields(nlohmann::ordered_json& body, const std::string& extra_body) {
  if (extra_body.empty()) return;
  body.update(parse_json(extra_body));
}

bool repeats_a_field(simdjson::dom::object object) {
  std::vector<std::string_view> names;
  for (const auto& [name, value] : object) names.push_back(name);
  std::sort(names.begin(), names.end());
  return std::adjacent_find(names.begin(), names.end()) != names.end();
}

bool sounds_like_refusal(std::string_view text) {
  constexpr std::array<std::string_view, 8> kOpenings = {"I'm sorry", "I’m sorry", "I am sorry", "Sorry,",
                                                         "I can't",   "I can’t",   "I cannot",   "I'm unable"};
  while (!text.empty() && (text.front() == ' ' || text.front() == '\n')) text.remove_prefix(1);
  for (const auto opening : kOpenings) {
    if (text.starts_with(opening)) return true;
  }
  return false;
}

}  // namespace internal
}  // namespace touchstone::llm_client::providers
