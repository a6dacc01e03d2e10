#include "common/json_tree.hpp"
#include "llm_client/providers/chat_protocols.hpp"

#include <nlohmann/json.hpp>

namespace touchstone::llm_client::providers::internal {
namespace {

using Json = nlohmann::ordered_json;
using simdjson::SUCCESS;

/// A text block; `cached` ends a beginning that the server is asked to keep.
Json block(std::string_view text, bool cached) {
  Json json = {{"type", "text"}, {"text", text}};
  if (cached) json["cache_control"] = {{"type", "ephemeral"}};
  return json;
}

}  // namespace

std::string anthropic_body(const prompts::RenderedPrompt& prompt, prompts::AnswerKind kind,
                           const ChatParameters& parameters, const ServerLimits& limits) {
  Json body;
  body["model"] = parameters.model;
  body["max_tokens"] = parameters.max_reply_tokens;
  if (!prompt.system.empty()) body["system"] = Json::array({block(prompt.system, true)});
  Json content = Json::array();
  const std::string_view user = prompt.user;
  const bool divided = prompt.topic_bytes > 0 && prompt.topic_bytes < user.size();
  if (divided) content.push_back(block(user.substr(0, prompt.topic_bytes), true));
  content.push_back(block(divided ? user.substr(prompt.topic_bytes) : user, false));
  body["messages"] = Json::array({{{"role", "user"}, {"content", content}}});
  if (parameters.temperature >= 0) body["temperature"] = parameters.temperature;
  if (!limits.refuses_structure && prompts::has_schema(kind) && parameters.structure == Structure::kJsonSchema)
    body["output_config"] = {{"format", {{"type", "json_schema"}, {"schema", prompts::schema_json(kind)}}}};
  add_fields(body, parameters.extra_body);
  return json_text(body);
}

std::optional<TokenUsage> anthropic_usage(simdjson::dom::object body) {
  simdjson::dom::object object;
  if (body["usage"].get_object().get(object) != SUCCESS) return std::nullopt;
  const auto fresh = tokens_of(object, "input_tokens");
  if (!fresh) return std::nullopt;
  TokenUsage usage;
  usage.cached = tokens_of(object, "cache_read_input_tokens").value_or(0);
  usage.cache_written = tokens_of(object, "cache_creation_input_tokens").value_or(0);
  usage.prompt = *fresh + usage.cached + usage.cache_written;
  if (usage.prompt == 0) return std::nullopt;
  const auto output = tokens_of(object, "output_tokens");
  usage.reply_counted = output.has_value();
  usage.reply = output.value_or(0);
  return usage;
}

void read_anthropic(simdjson::dom::object body, ChatReply& reply) {
  simdjson::dom::array content;
  const auto stop = text_of(body, "stop_reason");
  if (stop == "refusal") {
    reply.state = JudgmentState::kRefused;
    reply.reason = "the model declined to answer";
    return;
  }
  if (text_of(body, "type") != "message" || body["content"].get_array().get(content) != SUCCESS) {
    reply.reason = "the body is no message: it has no list of content";
    return;
  }
  if (!is_absent_or(body, "role", "assistant")) {
    reply.reason = "the body is no message of the model";
    return;
  }
  bool has_text = false, calls_tool = false;
  for (const auto element : content) {
    simdjson::dom::object part;
    std::string_view text;
    if (element.get_object().get(part) != SUCCESS) continue;
    if (repeats_a_field(part)) {
      reply.reason = "the body names a field twice";
      return;
    }
    calls_tool = calls_tool || text_of(part, "type") == "tool_use" || text_of(part, "type") == "server_tool_use";
    if (text_of(part, "type") == "text" && part["text"].get_string().get(text) == SUCCESS) {
      reply.text += text;
      has_text = true;
    }
  }
  if (!read_ending(anthropic_ending(stop), stop, reply)) return;
  if (!has_text || calls_tool) {
    reply.state = JudgmentState::kUnparseable;
    reply.reason = calls_tool ? "the model called a tool instead of answering" : "the reply has no text";
  }
}

}  // namespace touchstone::llm_client::providers::internal
