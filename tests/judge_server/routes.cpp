#include "tests/judge_server/routes.hpp"

#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/json_tree.hpp"
#include "tests/judge_server/echoes.hpp"
#include "tests/judge_server/llama_cpp.hpp"
#include "tests/judge_server/mischief.hpp"
#include "tests/judge_server/twists.hpp"

#include <algorithm>
#include <condition_variable>
#include <ctime>
#include <mutex>
#include <thread>

#include <fmt/chrono.h>
#include <fmt/format.h>

namespace touchstone::judge_server {

namespace {

using httplib::Request;
using httplib::Response;

constexpr const char* kJson = "application/json";

/// "{http-date+N}" becomes the date in N seconds.
std::string header_value(const std::string& value) {
  constexpr std::string_view kMark = "{http-date+";
  if (!value.starts_with(kMark)) return value;
  const std::time_t time = std::time(nullptr) + std::atol(value.c_str() + kMark.size());
  return fmt::format("{:%a, %d %b %Y %H:%M:%S} GMT", fmt::gmtime(time));
}

/// Lets so many in at once.
class Slots {
 public:
  explicit Slots(std::size_t count) : free_(count), bounded_(count > 0) {}
  void enter() {
    if (!bounded_) return;
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return free_ > 0; });
    --free_;
  }
  void leave() {
    if (!bounded_) return;
    const std::lock_guard lock(mutex_);
    ++free_;
    changed_.notify_one();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t free_;
  bool bounded_;
};

/// A limit of requests a minute that refills steadily, and the headers that tell it.
class RateLimit {
 public:
  RateLimit(std::uint64_t per_minute, std::uint64_t burst)
      : limit_(static_cast<double>(burst > 0 ? burst : per_minute)),
        per_second_(static_cast<double>(per_minute) / 60),
        level_(limit_),
        updated_(std::chrono::steady_clock::now()) {}
  bool take(Response& response) {
    if (per_second_ == 0) return true;
    const std::lock_guard lock(mutex_);
    const auto now = std::chrono::steady_clock::now();
    level_ = std::min(limit_, level_ + std::chrono::duration<double>(now - updated_).count() * per_second_);
    updated_ = now;
    const bool allowed = level_ >= 1;
    if (allowed) level_ -= 1;
    response.set_header("x-ratelimit-limit-requests", fmt::format("{:.0f}", limit_));
    response.set_header("x-ratelimit-remaining-requests", fmt::format("{:.0f}", std::floor(level_)));
    response.set_header("x-ratelimit-reset-requests", fmt::format("{:.0f}ms", (limit_ - level_) / per_second_ * 1'000));
    return allowed;
  }

 private:
  std::mutex mutex_;
  double limit_, per_second_, level_;
  std::chrono::steady_clock::time_point updated_;
};

class Chat {
 public:
  Chat(Ledger& ledger, const ServerOptions& options)
      : ledger_(ledger), options_(options), slots_(options.slots), rate_(options.requests_per_minute, options.burst) {}

  void handle(Api api, const Request& request, Response& response) {
    const Rule rule = ledger_.arrived(request.path, request.body);
    slots_.enter();
    const auto hash = xxh3_64(request.body, 7);
    const auto jitter = options_.jitter.count() > 0
                            ? std::chrono::milliseconds(hash % static_cast<std::uint64_t>(options_.jitter.count()))
                            : std::chrono::milliseconds(0);
    std::this_thread::sleep_for(options_.latency + jitter + rule.wait);
    slots_.leave();
    act(api, rule, request, response);
    ledger_.left();
  }

 private:
  void act(Api api, const Rule& rule, const Request& request, Response& response) {
    for (const auto& [name, value] : rule.headers) response.set_header(name, header_value(value));
    if (options_.llama_cpp && rule.deed == "answer" && refuse_as_llama_cpp(request, response, options_)) return;
    const auto fail = [&](int status, std::string_view type, std::string_view code, std::string_view message) {
      response.status = status;
      response.set_content(error_body(api, type, code, message), kJson);
    };
    const auto authorization = request.get_header_value("Authorization");
    if (options_.azure && !request.has_param("api-version"))
      return fail(404, "invalid_request_error", "404", "Resource not found");
    const bool has_key = options_.azure ? request.get_header_value("api-key") == options_.key
                                        : authorization == "Bearer " + options_.key ||
                                              request.get_header_value("x-api-key") == options_.key;
    if (!options_.key.empty() && !has_key) {
      return fail(
          401, "invalid_request_error", "invalid_api_key",
          "Incorrect API key provided: " + authorization.substr(std::min<std::size_t>(7, authorization.size())));
    }
    if (!rate_.take(response)) {
      return fail(429, "requests", "rate_limit_exceeded", "Rate limit reached for requests");
    }
    const auto json = parse_json_or_discard(request.body);
    if (!json.is_object() || prompt_text(json).empty()) {
      return fail(400, "invalid_request_error", "invalid_json", "the request has no messages");
    }
    if (!options_.model.empty() && json.value("model", "") != options_.model && rule.deed == "answer") {
      return fail(404, "invalid_request_error", "model_not_found", "The model does not exist");
    }
    const auto& deed = rule.deed;
    const auto key = authorization.empty() ? request.get_header_value("x-api-key")
                                           : authorization.substr(std::min<std::size_t>(7, authorization.size()));
    if (deed == "echo_key_in_error") {
      response.status = rule.status;
      response.set_content(R"({"error":{"message":"bad key )" + echoed(key, rule.code) + R"("}})", kJson);
      return;
    }
    if (deed == "status" || deed == "redirect") {
      const bool redirects = deed == "redirect" && (rule.status < 300 || rule.status > 399);
      response.status = redirects ? 302 : rule.status;
      response.set_content(
          rule.body.empty() ? error_body(api, "server_error", rule.code, "scripted failure") : rule.body, kJson);
    } else if (deed == "error_200") {
      fail(200, "server_error", rule.code, "scripted failure");
    } else if (deed == "wrong_json") {
      response.set_content(R"({"answers":[1,2,3],"ok":true})", kJson);
    } else if (deed == "empty_body") {
      response.set_content("", kJson);
    } else if (deed == "garbage_body") {
      response.set_content(std::string("\0\xFF\xFE<html>{\"choices\":[", 20), kJson);
    } else {
      auto reply = options_.llama_cpp ? llama_cpp_reply(json, flaws_of(rule), options_) : reply_of(api, json, rule);
      ledger_.served(count_tokens(prompt_text(json)), count_tokens(right_answer(json)));
      if (deed == "echo_key") echo_beside(key, rule.code, reply);
      if (deed == "echo_key_as_answer") echo_as_answer(key, rule.code, reply);
      if (deed != "answer") twist(deed, reply);
      if (misbehave(deed, reply)) {
        if (is_right(deed) && client_stays()) ledger_.answered(request.body);
        return;
      }
      send_reply(std::move(reply), request, response);
      ledger_.answered(request.body);
    }
  }

  static std::string reply_of(Api api, const Json& json, const Rule& rule) {
    return reply_body(api, json, flaws_of(rule));
  }

  void send_reply(std::string body, const Request& request, Response& response) const {
    if (options_.gzip && request.get_header_value("Accept-Encoding").find("gzip") != std::string::npos) {
      body = gzipped(body);
      response.set_header("Content-Encoding", "gzip");
    }
    response.set_content(body, kJson);
  }

  Ledger& ledger_;
  ServerOptions options_;
  Slots slots_;
  RateLimit rate_;
};

void add_control_routes(httplib::Server& server, Ledger& ledger) {
  server.Get("/counts",
             [&ledger](const Request&, Response& response) { response.set_content(ledger.counts().dump(), kJson); });
  server.Post("/reset", [&ledger](const Request&, Response& response) {
    ledger.reset();
    response.set_content("{}", kJson);
  });
  server.Post("/rules", [&ledger](const Request& request, Response& response) {
    try {
      ledger.set_rules(read_rules(request.body));
      response.set_content("{}", kJson);
    } catch (const Error& error) {
      response.status = 400;
      response.set_content(error.what(), "text/plain");
    }
  });
}

}  // namespace

Flaws flaws_of(const Rule& rule) {
  Flaws flaws;
  flaws.ignore_schema = rule.deed == "ignore_schema";
  flaws.no_logprobs = rule.deed == "no_logprobs";
  flaws.no_usage = rule.deed == "no_usage";
  flaws.refuse = rule.deed == "refuse";
  flaws.content_filter = rule.deed == "content_filter";
  flaws.length_limited = rule.deed == "length";
  flaws.fenced = rule.deed == "fenced";
  flaws.empty = rule.deed == "no_content";
  if (rule.deed == "say") flaws.answer = rule.body;
  if (rule.deed == "truncate_prompt") flaws.context_tokens = rule.tokens;
  return flaws;
}

BatchAnswer batch_answer(Api api, Ledger& ledger, const std::string& path, const Json& request) {
  const auto body = request.dump();
  const Rule rule = ledger.arrived(path, body);
  ledger.left();
  if (rule.deed == "hang") return {0, {}};
  if (rule.deed == "status") return {rule.status, error_body(api, "server_error", rule.code, "scripted failure")};
  ledger.answered(body);
  return {200, reply_body(api, request, flaws_of(rule))};
}

void add_routes(httplib::Server& server, Ledger& ledger, const ServerOptions& options) {
  if (options.llama_cpp) add_llama_cpp_routes(server, ledger, options);
  const auto chat = std::make_shared<Chat>(ledger, options);
  server.Post("(/v1)?/chat/completions",
              [chat](const Request& request, Response& response) { chat->handle(Api::kOpenAi, request, response); });
  server.Post("(/v1)?/messages",
              [chat](const Request& request, Response& response) { chat->handle(Api::kAnthropic, request, response); });
  server.Get("(/v1)?/models", [&ledger, options](const Request& request, Response& response) {
    const Rule rule = ledger.arrived(request.path, {});
    ledger.left();
    if (rule.deed == "status") {
      response.status = rule.status;
      response.set_content(error_body(Api::kOpenAi, "server_error", rule.code, "scripted failure"), kJson);
      return;
    }
    const Json model = {{"id", options.model}, {"object", "model"},  {"type", "model"},
                        {"created", 0},        {"owned_by", "test"}, {"max_model_len", options.context_tokens}};
    response.set_content(Json{{"object", "list"}, {"data", Json::array({model})}}.dump(), kJson);
  });
  // llama.cpp asks with "content" and tells the tokens; vLLM with "prompt" or "messages", and tells their number too.
  server.Post("/tokenize", [options](const Request& request, Response& response) {
    const auto json = parse_json_or_discard(request.body);
    if (json.is_object() && json.contains("content")) {
      response.set_content(Json{{"tokens", token_numbers(json["content"])}}.dump(), kJson);
    } else if (json.is_object() && (json.contains("prompt") || json.contains("messages"))) {
      const auto text = json.contains("prompt") ? json["prompt"].get<std::string>() : prompt_text(json);
      response.set_content(
          Json{
              {"count", count_tokens(text)}, {"max_model_len", options.context_tokens}, {"tokens", token_numbers(text)}}
              .dump(),
          kJson);
    } else {
      response.status = 400;
    }
  });
  server.Post("(/v1)?/messages/count_tokens", [](const Request& request, Response& response) {
    const auto json = parse_json_or_discard(request.body);
    response.set_content(Json{{"input_tokens", count_tokens(prompt_text(json))}}.dump(), kJson);
  });
  add_batch_routes(server, ledger, options);
  add_control_routes(server, ledger);
}

}  // namespace touchstone::judge_server
