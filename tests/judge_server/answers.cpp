#include "tests/judge_server/answers.hpp"

#include "common/digest.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace touchstone::judge_server {

namespace {

void add_content(const Json& content, std::string& text) {
  if (content.is_string()) {
    text += content.get<std::string>();
  } else if (content.is_array()) {
    for (const auto& part : content) text += part.value("text", "");
  }
  text += '\n';
}

const Json* find(const Json& object, std::initializer_list<const char*> path) {
  const Json* at = &object;
  for (const char* key : path) {
    if (!at->is_object() || !at->contains(key)) return nullptr;
    at = &at->at(key);
  }
  return at;
}

const Json* schema_of(const Json& request) {
  for (const auto* schema :
       {find(request, {"response_format", "json_schema", "schema"}), find(request, {"structured_outputs", "json"}),
        find(request, {"guided_json"}), find(request, {"output_config", "format", "schema"})}) {
    if (schema != nullptr && schema->is_object()) return schema;
  }
  return nullptr;
}

/// The line behind `label`, empty when there is none.
std::string line_after(std::string_view text, std::string_view label) {
  const auto at = text.rfind(label);
  if (at == std::string_view::npos) return {};
  const auto begin = text.find_first_not_of(" \n", at + label.size());
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find('\n', begin) - begin));
}

std::string quote_of(std::string_view text) {
  auto passage = line_after(text, "<passage>\n");
  const auto end = passage.find_first_of(".;\n");
  if (end != std::string::npos) passage.resize(end);
  return passage;
}

/// The path of a list as a person would write it: "List of lights, Outer islands".
std::string as_phrase(std::string path) {
  for (auto at = path.find(" » "); at != std::string::npos; at = path.find(" » ")) path.replace(at, 4, ", ");
  return path;
}

std::string query_of(std::string_view text) {
  const auto sections = line_after(text, "Sections:");
  return line_after(text, "List:") + (sections.starts_with("Column:") ? "" : ", " + as_phrase(sections));
}

Json instance(const Json& schema, const std::string& name, std::string_view text, std::uint64_t hash) {
  if (const auto* choices = find(schema, {"enum"}); choices != nullptr && choices->is_array() && !choices->empty()) {
    const bool yes = hash % 3 == 0;
    if (std::find(choices->begin(), choices->end(), "yes") != choices->end()) return yes ? "yes" : "no";
    return choices->at(hash % choices->size());
  }
  const auto type = schema.value("type", "object");
  if (type == "boolean") return hash % 3 == 0;
  if (type == "integer" || type == "number") {
    const auto least = schema.value("minimum", std::int64_t{0});
    return least +
           static_cast<std::int64_t>(hash % static_cast<std::uint64_t>(schema.value("maximum", least + 3) - least + 1));
  }
  if (type == "string") return name == "query" ? query_of(text) : quote_of(text);
  if (type == "array") {
    const auto quote = quote_of(text);
    return hash % 3 == 0 && !quote.empty() ? Json::array({quote}) : Json::array();
  }
  Json object = Json::object();
  if (const auto* properties = find(schema, {"properties"})) {
    for (const auto& [key, value] : properties->items()) object[key] = instance(value, key, text, hash);
  }
  return object;
}

/// Schema for the form that the prompt's words show.
Json schema_in_words(std::string_view text) {
  const auto enumeration = Json{{"enum", {"yes", "no"}}};
  const auto has = [&](std::string_view key) { return text.find(key) != std::string_view::npos; };
  if (has("\"reason\"")) {
    const Json grade = {{"enum", {0, 1, 2, 3}}}, text = {{"type", "string"}};
    if (has("{\"grade\"")) return {{"properties", {{"grade", grade}, {"reason", text}}}};
    return {{"properties", {{"evidence", enumeration}, {"reason", text}}}};
  }
  if (has("{\"grade\"")) return {{"properties", {{"grade", {{"enum", {0, 1, 2, 3}}}}}}};
  if (has("\"quotes\"")) return {{"properties", {{"evidence", enumeration}, {"quotes", {{"type", "array"}}}}}};
  if (has("{\"query\"")) return {{"properties", {{"query", {{"type", "string"}}}}}};
  return {{"properties", {{"evidence", enumeration}}}};
}

/// What a prompt asks for that wants no JSON; empty for others.
std::string bare_answer(std::string_view text, std::uint64_t hash) {
  const auto has = [&](std::string_view words) { return text.find(words) != std::string_view::npos; };
  if (has("##final score")) return fmt::format("##final score: {}", hash % 4);
  if (has("Answer with \"yes\" or \"no\".")) return hash % 3 == 0 ? "Yes" : "No.";
  if (has("what you would write in the search bar")) return "names in " + as_phrase(line_after(text, "try this one:"));
  return {};
}

Json logprobs(const Json& request, std::string_view answer, std::uint64_t hash) {
  const auto wanted = request.value("top_logprobs", 0);
  const double probability = 0.55 + 0.44 * static_cast<double>(hash >> 8 & 0xFFFF) / 0xFFFF;
  Json content = Json::array();
  for (const auto& token : tokens_of(answer)) {
    const bool decides = token == "yes" || token == "no" || token == "Yes" || token == "No" ||
                         (token.size() == 1 && token[0] >= '0' && token[0] <= '3');
    Json entry = {{"token", token}, {"logprob", decides ? std::log(probability) : -1e-4}, {"bytes", nullptr}};
    Json top = Json::array();
    if (wanted > 0) top.push_back({{"token", token}, {"logprob", entry["logprob"]}, {"bytes", nullptr}});
    if (wanted > 1 && decides) {
      const std::string other = token == "yes"   ? "no"
                                : token == "no"  ? "yes"
                                : token == "Yes" ? "No"
                                : token == "No"  ? "Yes"
                                : token == "0"   ? "1"
                                                 : "0";
      top.push_back({{"token", other}, {"logprob", std::log(1 - probability)}, {"bytes", nullptr}});
    }
    entry["top_logprobs"] = top;
    content.push_back(entry);
  }
  return {{"content", content}};
}

}  // namespace

std::string prompt_text(const Json& request) {
  std::string text;
  if (const auto* system = find(request, {"system"})) add_content(*system, text);
  if (const auto* messages = find(request, {"messages"}); messages != nullptr && messages->is_array()) {
    for (const auto& message : *messages) {
      if (const auto* content = find(message, {"content"})) add_content(*content, text);
    }
  }
  return text;
}

std::vector<std::string> tokens_of(std::string_view text) {
  std::vector<std::string> tokens;
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || (c & 0x80) != 0; };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (tokens.empty() || is_word(text[i]) != is_word(text[i - 1])) tokens.emplace_back();
    tokens.back() += text[i];
  }
  return tokens;
}

std::uint64_t count_tokens(std::string_view text) {
  return (text.size() + 3) / 4;
}

Json token_numbers(const std::string& text) {
  Json tokens = Json::array();
  for (std::uint64_t i = 0; i < count_tokens(text); ++i) tokens.push_back(xxh3_64(text.substr(i * 4, 4)) % 32'000);
  return tokens;
}

std::string right_answer(const Json& request) {
  const auto text = prompt_text(request);
  const auto* schema = schema_of(request);
  if (schema == nullptr) {
    if (auto bare = bare_answer(text, xxh3_64(text)); !bare.empty()) return bare;
  }
  return instance(schema != nullptr ? *schema : schema_in_words(text), "", text, xxh3_64(text)).dump();
}

std::string reply_body(Api api, const Json& request, const Flaws& flaws) {
  const auto text = prompt_text(request);
  const auto hash = xxh3_64(text);
  auto answer = right_answer(request);
  if (!flaws.answer.empty()) answer = flaws.answer;
  if (flaws.ignore_schema) answer = "I would say 3 out of 10, so yes and no: see rule 1, or grade 2.";
  if (flaws.fenced) answer = "```json\n" + answer + "\n```";
  if (flaws.length_limited) answer.resize(answer.size() / 2);
  if (flaws.refuse) answer = "I cannot help with that.";
  auto prompt_tokens = count_tokens(text);
  if (flaws.context_tokens > 0) prompt_tokens = std::min(prompt_tokens, flaws.context_tokens);
  const auto reply_tokens = count_tokens(answer);
  const auto id = fmt::format("{:016x}", hash);
  const auto model = request.value("model", "");
  Json body;
  if (api == Api::kAnthropic) {
    const char* stop = flaws.refuse || flaws.content_filter ? "refusal"
                       : flaws.length_limited               ? "max_tokens"
                                                            : "end_turn";
    Json content = Json::array();
    if (!flaws.empty && !flaws.content_filter) content.push_back({{"type", "text"}, {"text", answer}});
    body = {{"id", "msg_" + id},  {"type", "message"},   {"role", "assistant"},     {"model", model},
            {"content", content}, {"stop_reason", stop}, {"stop_sequence", nullptr}};
    if (!flaws.no_usage) body["usage"] = {{"input_tokens", prompt_tokens}, {"output_tokens", reply_tokens}};
    return body.dump();
  }
  Json message = {{"role", "assistant"}, {"content", answer}, {"refusal", nullptr}};
  if (flaws.refuse) {
    message["content"] = nullptr;
    message["refusal"] = answer;
  }
  if (flaws.empty || flaws.content_filter) message["content"] = nullptr;
  Json choice = {{"index", 0}, {"message", message}, {"logprobs", nullptr}};
  if (request.value("logprobs", false) && !flaws.no_logprobs) choice["logprobs"] = logprobs(request, answer, hash);
  choice["finish_reason"] = flaws.content_filter ? "content_filter" : flaws.length_limited ? "length" : "stop";
  body = {{"id", "chatcmpl-" + id},
          {"object", "chat.completion"},
          {"created", 0},
          {"model", model},
          {"choices", Json::array({choice})}};
  if (!flaws.no_usage) {
    body["usage"] = {{"prompt_tokens", prompt_tokens},
                     {"completion_tokens", reply_tokens},
                     {"total_tokens", prompt_tokens + reply_tokens}};
  }
  return body.dump();
}

std::string error_body(Api api, std::string_view type, std::string_view code, std::string_view message) {
  if (api == Api::kAnthropic) return Json{{"type", "error"}, {"error", {{"type", type}, {"message", message}}}}.dump();
  return Json{{"error", {{"message", message}, {"type", type}, {"param", nullptr}, {"code", code}}}}.dump();
}

}  // namespace touchstone::judge_server
