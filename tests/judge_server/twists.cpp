#include "tests/judge_server/twists.hpp"

#include "tests/judge_server/answers.hpp"

namespace touchstone::judge_server {

namespace {

/// Changes in the terms of JSON. Returns false for any other deed.
bool twist_json(std::string_view deed, Json& body) {
  auto& choice = body["choices"][0];
  auto& message = choice["message"];
  const std::string content = message["content"].is_string() ? message["content"] : "";
  if (deed == "reasoning_only") {
    message["content"] = nullptr;
    message["reasoning_content"] = "So the answer is " + content;
  } else if (deed == "thinks_first") {
    message["content"] = "<think>\nIt could be {\"evidence\":\"no\"}, or grade 3.\n</think>\n\n" + content;
  } else if (deed == "thinks_on") {
    message["content"] = "<think>\nIt could be " + content;
  } else if (deed == "fenced_prose") {
    message["content"] = "Here is my answer:\n```json\n" + content + "\n```";
  } else if (deed == "wrong_value") {
    message["content"] = "{\"evidence\": \"Yes\", \"grade\": \"2\"}";
  } else if (deed == "several_choices") {
    body["choices"].push_back(choice);
  } else if (deed == "no_choices") {
    body["choices"] = Json::array();
  } else if (deed == "tool_calls") {
    message["content"] = nullptr;
    message["tool_calls"] =
        Json::array({{{"id", "c1"}, {"type", "function"}, {"function", {{"name", "judge"}, {"arguments", content}}}}});
    choice["finish_reason"] = "tool_calls";
  } else if (deed == "usage_zero") {
    body["usage"] = {{"prompt_tokens", 0}, {"completion_tokens", 0}, {"total_tokens", 0}};
  } else if (deed == "usage_negative") {
    body["usage"] = {{"prompt_tokens", -5}, {"completion_tokens", -1}, {"total_tokens", -6}};
  } else if (deed == "usage_huge") {
    body["usage"] = {{"prompt_tokens", 18446744073709551615U}, {"completion_tokens", 9223372036854775807}};
  } else if (deed == "usage_constant") {
    body["usage"] = {{"prompt_tokens", 12}, {"completion_tokens", 3}, {"total_tokens", 15}};
  } else if (deed == "logprobs_foreign") {
    for (auto& token : choice["logprobs"]["content"]) token["token"] = "other";
  } else if (deed == "logprobs_positive") {
    for (auto& token : choice["logprobs"]["content"]) {
      for (auto& alternative : token["top_logprobs"]) alternative["logprob"] = 0.5;
    }
  } else if (deed == "nul_in_answer") {
    message["content"] = content + std::string(1, '\0');
  } else {
    return false;
  }
  return true;
}

}  // namespace

void twist(std::string_view deed, std::string& body) {
  if (deed == "html") {
    body = "<!DOCTYPE html><html><body><h1>502 Bad Gateway</h1>{\"evidence\":\"yes\"}</body></html>";
    return;
  }
  if (deed == "deep_nesting") {
    body = std::string(100'000, '[') + std::string(100'000, ']');
    return;
  }
  auto json = Json::parse(body, nullptr, false);
  if (!json.is_object() || !json.contains("choices")) return;
  if (twist_json(deed, json)) {
    body = json.dump();
    return;
  }
  const auto content = body.find("\"content\":\"");
  if (content == std::string::npos) return;
  if (deed == "bad_utf8") {
    body.insert(content + 11, "\xFF\xC0");
  } else if (deed == "repeated_field") {
    body.insert(content, "\"content\":\"{\\\"evidence\\\":\\\"yes\\\"}\",");
  } else if (deed == "logprobs_nan") {
    const auto at = body.find("\"logprob\":");
    if (at != std::string::npos) body.replace(at, body.find_first_of(",}", at) - at, "\"logprob\":NaN");
  }
}

}  // namespace touchstone::judge_server
