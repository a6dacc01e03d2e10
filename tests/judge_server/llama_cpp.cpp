#include "tests/judge_server/llama_cpp.hpp"

#include "common/digest.hpp"
#include "common/json_tree.hpp"

#include <chrono>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace touchstone::judge_server {

namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kLlamaJson = "application/json; charset=utf-8";

void fail(httplib::Response& response, int status, std::string_view type, std::string_view message,
          const Json& more = Json::object()) {
  Json error = {{"code", status}, {"message", message}, {"type", type}};
  error.update(more);
  response.status = status;
  response.set_content(Json{{"error", error}}.dump(), kLlamaJson);
}

bool is_loading(const ServerOptions& options) {
  static const auto kStarted = Clock::now();
  return Clock::now() - kStarted < options.loading;
}

/// The prompt as ChatML has it.
std::string templated(const Json& request) {
  std::string prompt;
  for (const auto& message : request["messages"])
    prompt += fmt::format("<|im_start|>{}\n{}<|im_end|>\n", message.value("role", ""), message.value("content", ""));
  return prompt + "<|im_start|>assistant\n";
}

Json bytes_of(std::string_view text) {
  Json bytes = Json::array();
  for (const char c : text) bytes.push_back(static_cast<unsigned char>(c));
  return bytes;
}

Json token(std::string_view text, double logprob) {
  return {{"id", xxh3_64(text) % 32'000}, {"token", text}, {"bytes", bytes_of(text)}, {"logprob", logprob}};
}

/// The model without the grammar would rather have begun a sentence for every second prompt; then the answer's token is
/// not among its likeliest.
Json unconstrained(std::string_view text, int wanted, bool talks) {
  const bool decides = text == "yes" || text == "no";
  auto entry = token(text, decides && talks ? std::numeric_limits<float>::lowest() : std::log(decides ? 0.8 : 0.999));
  Json top = Json::array();
  if (decides && talks) {
    top.push_back(token("The", std::log(0.7)));
    top.push_back(token("I", std::log(0.2)));
  } else {
    top.push_back(token(text, entry["logprob"]));
    if (decides) top.push_back(token(text == "yes" ? "no" : "yes", std::log(0.15)));
  }
  while (static_cast<int>(top.size()) < wanted)
    top.push_back(token(fmt::format("t{}", top.size()), std::numeric_limits<float>::lowest()));
  entry["top_logprobs"] = top;
  return entry;
}

Json logprobs(const Json& request, const std::string& answer, bool talks) {
  const int wanted = request.value("top_logprobs", 20);
  Json content = Json::array();
  for (const auto& text : tokens_of(answer)) content.push_back(unconstrained(text, wanted, talks));
  content.push_back(unconstrained("", wanted, false));  // the end of the turn
  return {{"content", content}};
}

}  // namespace

bool refuse_as_llama_cpp(const httplib::Request& request, httplib::Response& response, const ServerOptions& options) {
  if (!options.key.empty() && request.get_header_value("Authorization") != "Bearer " + options.key) {
    fail(response, 401, "authentication_error", "Invalid API Key");
  } else if (is_loading(options)) {
    fail(response, 503, "unavailable_error", "Loading model");
  } else {
    const auto json = parse_json_or_discard(request.body);
    if (!json.is_object()) {
      fail(response, 500, "server_error", "[json.exception.parse_error.101] parse error at line 1, column 1");
    } else if (!json.contains("messages")) {
      fail(response, 400, "invalid_request_error", "'messages' is required");
    } else if (const auto tokens = count_tokens(templated(json)); tokens >= options.context_tokens) {
      fail(response, 400, "exceed_context_size_error",
           fmt::format("request ({} tokens) exceeds the available context size ({} tokens), try increasing it", tokens,
                       options.context_tokens),
           {{"n_prompt_tokens", tokens}, {"n_ctx", options.context_tokens}});
    } else {
      return false;
    }
  }
  return true;
}

std::string llama_cpp_reply(const Json& request, const Flaws& flaws, const ServerOptions& options) {
  const auto text = prompt_text(request);
  const auto hash = xxh3_64(text);
  auto answer = flaws.ignore_schema ? std::string("Yes, 3 of 10.") : right_answer(request);
  if (flaws.length_limited) answer.resize(answer.size() / 2);
  auto prompt_tokens = count_tokens(templated(request));
  if (flaws.context_tokens > 0) prompt_tokens = std::min(prompt_tokens, flaws.context_tokens);
  const auto cached = std::min<std::uint64_t>(prompt_tokens / 2, 64), reply_tokens = tokens_of(answer).size() + 1;
  Json choice = {{"finish_reason", flaws.length_limited ? "length" : "stop"},
                 {"index", 0},
                 {"message", {{"role", "assistant"}, {"content", answer}}}};
  if (request.value("logprobs", false) && !flaws.no_logprobs)
    choice["logprobs"] = logprobs(request, answer, hash % 2 == 0);
  return Json{{"choices", Json::array({choice})},
              {"created", 1'760'000'000},
              {"model", options.model},
              {"system_fingerprint", "b6700-0123abcd"},
              {"object", "chat.completion"},
              {"usage",
               {{"completion_tokens", reply_tokens},
                {"prompt_tokens", prompt_tokens},
                {"total_tokens", reply_tokens + prompt_tokens}}},
              {"id", fmt::format("chatcmpl-{:032x}", hash)},
              {"timings",
               {{"cache_n", cached},
                {"prompt_n", prompt_tokens - cached},
                {"prompt_ms", 31.4},
                {"prompt_per_token_ms", 0.5},
                {"prompt_per_second", 2000.0},
                {"predicted_n", reply_tokens},
                {"predicted_ms", 90.1},
                {"predicted_per_token_ms", 9.0},
                {"predicted_per_second", 110.9}}}}
      .dump();
}

void add_llama_cpp_routes(httplib::Server& server, Ledger& ledger, const ServerOptions& options) {
  is_loading(options);  // the time runs from now on
  const auto serve = [&server, &ledger, options](const char* path, bool post, auto answer) {
    const auto handler = [&ledger, options, answer](const httplib::Request& request, httplib::Response& response) {
      ledger.arrived(request.path, {});
      ledger.left();
      const bool lists_models = request.path.ends_with("/models");  // which it does while it loads, too
      if (!lists_models && is_loading(options)) return fail(response, 503, "unavailable_error", "Loading model");
      const auto json = parse_json_or_discard(request.body.empty() ? "{}" : request.body);
      response.set_content(answer(json).dump(), kLlamaJson);
    };
    if (post) {
      server.Post(path, handler);
    } else {
      server.Get(path, handler);
    }
  };
  serve("/health", false, [](const Json&) { return Json{{"status", "ok"}}; });
  serve("/props", false, [options](const Json&) {
    return Json{{"default_generation_settings", {{"n_ctx", options.context_tokens}}},
                {"total_slots", 4},
                {"model_path", options.model}};
  });
  serve("(/v1)?/models", false, [options](const Json&) {
    const Json model = {{"id", options.model},
                        {"object", "model"},
                        {"created", 1'760'000'000},
                        {"owned_by", "llamacpp"},
                        {"meta", {{"vocab_type", 2}, {"n_vocab", 32'000}, {"n_ctx_train", 8'192}}}};
    return Json{{"models", Json::array({{{"name", options.model}, {"model", options.model}}})},
                {"object", "list"},
                {"data", Json::array({model})}};
  });
  serve("/tokenize", true, [](const Json& request) {
    return Json{{"tokens", token_numbers(request.value("content", ""))}};
  });
  serve("/apply-template", true, [](const Json& request) { return Json{{"prompt", templated(request)}}; });
  server.set_error_handler([](const httplib::Request&, httplib::Response& response) {
    if (response.status == 404 && response.body.empty()) fail(response, 404, "not_found_error", "File Not Found");
  });
}

}  // namespace touchstone::judge_server
