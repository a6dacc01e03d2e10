#include "common/json_tree.hpp"
#include "llm_client/providers/chat_protocols.hpp"

#include <nlohmann/json.hpp>

namespace touchstone::llm_client::providers::internal {
namespace {

using Json = nlohmann::ordered_json;
using simdjson::SUCCESS;

constexpr int kTopLogprobs = 20;  // the most that servers give
constexpr std::size_t kMaxTokens = 4096, kMaxAlternatives = 64;

/// Text of `content`: a string, or a list of parts of which the texts are joined. False when it is neither.
bool read_content(simdjson::dom::element content, ChatReply& reply) {
  std::string_view text;
  if (content.get_string().get(text) == SUCCESS) {
    reply.text = std::string(text);
    return true;
  }
  simdjson::dom::array parts;
  if (content.get_array().get(parts) != SUCCESS) return false;
  for (const auto element : parts) {
    simdjson::dom::object part;
    if (element.get_object().get(part) != SUCCESS || repeats_a_field(part)) return false;
    const auto type = text_of(part, "type");
    if (type == "refusal") {
      reply.state = JudgmentState::kRefused;
      reply.reason = std::string(text_of(part, "refusal"));
      return true;
    }
    if (type != "text" || part["text"].get_string().get(text) != SUCCESS) return false;
    reply.text += text;
  }
  return true;
}

/// A token's text by its `bytes`, where the server gives them: a code point cut in two is not text.
bool read_token(simdjson::dom::element element, std::string& token) {
  std::string_view text;
  if (element["token"].get_string().get(text) != SUCCESS) return false;
  token = std::string(text);
  simdjson::dom::array bytes;
  if (element["bytes"].get_array().get(bytes) != SUCCESS || bytes.size() == 0) return true;
  token.clear();
  for (const auto byte : bytes) {
    std::uint64_t value = 0;
    if (byte.get_uint64().get(value) != SUCCESS || value > 255) return false;
    token.push_back(static_cast<char>(value));
  }
  return true;
}

/// `logprobs.content` as it is given; nothing when any of it is missing or no number.
std::vector<prompts::TokenProbability> read_tokens(simdjson::dom::object choice) {
  std::vector<prompts::TokenProbability> tokens;
  simdjson::dom::array list;
  if (choice["logprobs"]["content"].get_array().get(list) != SUCCESS) return tokens;
  for (const auto element : list) {
    prompts::TokenProbability token;
    if (tokens.size() == kMaxTokens || !read_token(element, token.token) ||
        element["logprob"].get_double().get(token.logprob) != SUCCESS)
      return {};
    simdjson::dom::array alternatives;
    if (element["top_logprobs"].get_array().get(alternatives) == SUCCESS) {
      for (const auto alternative : alternatives) {
        std::string text;
        double logprob = 0;
        if (token.alternatives.size() == kMaxAlternatives || !read_token(alternative, text) ||
            alternative["logprob"].get_double().get(logprob) != SUCCESS)
          break;
        token.alternatives.emplace_back(std::move(text), logprob);
      }
    }
    tokens.push_back(std::move(token));
  }
  return tokens;
}

bool calls_tools(simdjson::dom::object message) {
  simdjson::dom::array calls;
  return (message["tool_calls"].get_array().get(calls) == SUCCESS && calls.size() > 0) ||
         !is_absent(message, "function_call");
}

/// Why a message has no text, in words.
std::string reason_without_text(simdjson::dom::object message) {
  if (calls_tools(message)) return "the model called a tool instead of answering";
  if (!text_of(message, "reasoning_content").empty() || !text_of(message, "reasoning").empty())
    return "the model thought, and then did not answer";
  return "the reply has no text";
}

/// The text of a message that neither a filter nor the model itself withheld.
void read_message(simdjson::dom::object message, Ending ending, std::string_view finish, ChatReply& reply) {
  simdjson::dom::element content;
  reply.state = JudgmentState::kJudged;
  const bool has_content = message["content"].get(content) == SUCCESS && read_content(content, reply);
  if (reply.state == JudgmentState::kRefused || !read_ending(ending, finish, reply)) return;
  if (!has_content || reply.text.empty() || calls_tools(message)) {
    reply.state = JudgmentState::kUnparseable;
    reply.reason = reason_without_text(message);
  }
}

}  // namespace

std::string openai_body(const prompts::RenderedPrompt& prompt, prompts::AnswerKind kind,
                        const ChatParameters& parameters, const ServerLimits& limits) {
  Json body;
  body["model"] = parameters.model;
  body["messages"] = Json::array();
  if (!prompt.system.empty()) body["messages"].push_back({{"role", "system"}, {"content", prompt.system}});
  body["messages"].push_back({{"role", "user"}, {"content", prompt.user}});
  if (parameters.temperature >= 0) body["temperature"] = parameters.temperature;
  body[parameters.completion_tokens_name ? "max_completion_tokens" : "max_tokens"] = parameters.max_reply_tokens;
  if (parameters.seed >= 0) body["seed"] = parameters.seed;
  body["stream"] = false;
  if (parameters.logprobs && !limits.refuses_logprobs && !prompts::is_query(kind)) {
    body["logprobs"] = true;
    body["top_logprobs"] = kTopLogprobs;
  }
  const bool structured = !limits.refuses_structure && prompts::has_schema(kind);
  if (structured && parameters.structure == Structure::kJsonSchema) {
    body["response_format"] = {
        {"type", "json_schema"},
        {"json_schema", {{"name", "answer"}, {"strict", true}, {"schema", prompts::schema_json(kind)}}}};
  } else if (structured && parameters.structure == Structure::kVllm) {
    body["structured_outputs"] = {{"json", prompts::schema_json(kind)}};
  }
  add_fields(body, parameters.extra_body);
  return json_text(body);
}

std::optional<TokenUsage> openai_usage(simdjson::dom::object body) {
  simdjson::dom::object object;
  if (body["usage"].get_object().get(object) != SUCCESS) return std::nullopt;
  const auto prompt = tokens_of(object, "prompt_tokens");
  if (!prompt || *prompt == 0) return std::nullopt;
  TokenUsage usage;
  usage.prompt = *prompt;
  const auto completion = tokens_of(object, "completion_tokens");
  usage.reply_counted = completion.has_value();
  // Some servers leave thoughts out of the completion, but not out of the sum.
  const auto total = tokens_of(object, "total_tokens").value_or(0);
  usage.reply = std::max(completion.value_or(0), total - std::min(total, *prompt));
  simdjson::dom::object details;
  if (object["prompt_tokens_details"].get_object().get(details) == SUCCESS) {
    usage.cached = tokens_of(details, "cached_tokens").value_or(0);
  } else if (body["timings"].get_object().get(details) == SUCCESS) {  // llama.cpp
    usage.cached = tokens_of(details, "cache_n").value_or(0);
  }
  usage.cached = std::min(usage.cached, usage.prompt);
  return usage;
}

void read_openai(simdjson::dom::object body, bool want_tokens, ChatReply& reply) {
  simdjson::dom::array choices;
  simdjson::dom::object choice, message;
  if (body["choices"].get_array().get(choices) != SUCCESS || choices.size() == 0 ||
      choices.at(0).get_object().get(choice) != SUCCESS || choice["message"].get_object().get(message) != SUCCESS) {
    reply.reason = "the body is no chat completion: it has no choice with a message";
    return;
  }
  if (repeats_a_field(choice) || repeats_a_field(message)) {
    reply.reason = "the body names a field twice";
    return;
  }
  if (choices.size() > 1) {
    reply.state = JudgmentState::kUnparseable;
    reply.reason = "the server gave several choices where one was asked for";
    return;
  }
  std::uint64_t index = 0;
  if (!is_absent(choice, "index") && (choice["index"].get_uint64().get(index) != SUCCESS || index != 0)) {
    reply.reason = "the choice is not the first one, and one was asked for";
    return;
  }
  // Older servers of TGI name their chat completions so.
  const bool is_completion =
      is_absent_or(body, "object", "chat.completion") || text_of(body, "object") == "text_completion";
  if (!is_completion || !is_absent_or(message, "role", "assistant")) {
    reply.reason = "the body is no chat completion: it says that it is something else";
    return;
  }
  if (!is_absent(choice, "error")) {
    reply.reason = "the server reports an error beside the reply";
    return;
  }
  // Some servers leave finish_reason null.
  const auto finish = is_absent(choice, "finish_reason") ? "stop" : text_of(choice, "finish_reason");
  const auto ending = openai_ending(finish);
  if (ending == Ending::kFiltered) {
    read_ending(ending, finish, reply);
    return;
  }
  simdjson::dom::element refusal;
  bool refuses = true;  // some servers say false where others leave the field out
  if (message["refusal"].get(refusal) == SUCCESS && !refusal.is_null() &&
      (refusal.get_bool().get(refuses) != SUCCESS || refuses)) {
    std::string_view text;
    const bool is_text = refusal.get_string().get(text) == SUCCESS;
    if (!is_text || !text.empty()) {
      reply.state = JudgmentState::kRefused;
      reply.reason = is_text ? std::string(text) : "the model declined to answer";
      return;
    }
  }
  read_message(message, ending, finish, reply);
  if (reply.state == JudgmentState::kJudged && want_tokens) reply.tokens = read_tokens(choice);
}

}  // namespace touchstone::llm_client::providers::internal
