#include "tests/judge_server/twists.hpp"

#include "common/json_tree.hpp"
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
  } else if (deed == "usage_dear") {
    // Fifty times of what the texts can come to.
    for (const char* name : {"prompt_tokens", "completion_tokens", "total_tokens"})
      body["usage"][name] = 50 * (body["usage"][name].get<std::uint64_t>() + 4096);
  } else if (deed == "contradicts") {
    // The chosen token becomes the less likely one.
    for (auto& token : choice["logprobs"]["content"]) {
      auto& top = token["top_logprobs"];
      if (top.size() < 2) continue;
      std::swap(top[0]["logprob"], top[1]["logprob"]);
      token["logprob"] = top[0]["logprob"];
    }
  } else if (deed.starts_with("finish_")) {
    const auto word = std::string(deed.substr(7));
    choice["finish_reason"] = word == "null" ? Json(nullptr) : word == "number" ? Json(1) : Json(word);
  } else if (deed == "gemini_blocked") {
    body["choices"] = Json::array();
    body["promptFeedback"] = {{"blockReason", "SAFETY"}};
  } else if (deed == "gemini_recitation") {
    choice["finish_reason"] = "content_filter: RECITATION";
  } else if (deed == "wrong_index") {
    choice["index"] = 1;
  } else if (deed == "wrong_object") {
    body["object"] = "chat.completion.chunk";
  } else if (deed == "wrong_role") {
    message["role"] = "user";
  } else if (deed == "other_model") {
    body["model"] = "a-smaller-model";
  } else if (deed == "refusal_object") {
    message["refusal"] = {{"why", "no"}};
  } else if (deed == "choice_error") {
    choice["error"] = {{"message", "the provider failed"}};
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
  if (deed == "cut_json") {
    body.resize(body.size() - 1);
    return;
  }
  if (deed == "two_bodies") {
    body += body;
    return;
  }
  if (deed == "garbage_behind") {
    body += "<!-- gateway -->";
    return;
  }
  auto json = parse_json_or_discard(body);
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
