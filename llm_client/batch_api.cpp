#include "llm_client/batch_api.hpp"

#include "common/display_text.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/json_tree.hpp"
#include "common/log.hpp"
#include "llm_client/single_exchange.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <thread>

#include <nlohmann/json.hpp>

namespace touchstone::llm_client {
namespace {

using Json = nlohmann::ordered_json;
using providers::url_segment;

constexpr int kMostPages = 100;
constexpr std::size_t kMaxResultBytes = std::size_t{1} << 30;
constexpr std::size_t kShownErrorBytes = 300;

/// What a provider calls the states of a job, and where they stand.
struct StateWords {
  const char* field;
  std::array<std::string_view, 4> ends;
};
constexpr StateWords kOpenAiStates = {"status", {"completed", "failed", "expired", "cancelled"}};
constexpr StateWords kAnthropicStates = {"processing_status", {"ended"}};

transport::Exchange get(std::string path) {
  transport::Exchange exchange;
  exchange.path = std::move(path);
  return exchange;
}

transport::Exchange post(std::string path, std::string body) {
  auto exchange = get(std::move(path));
  exchange.body = std::move(body);
  return exchange;
}

}  // namespace

/// A reply of the API: an object.
struct BatchApi::State {
  Json json;

  std::string text(const char* name) const { return text_in(json, name); }
  static std::string text_in(const Json& object, const char* name) {
    return object.is_object() && object.contains(name) && object[name].is_string() ? object[name].get<std::string>()
                                                                                   : std::string();
  }
};

bool BatchApi::uploads_files() const {
  return served_.model.protocol() == providers::Protocol::kOpenAi;
}

std::string BatchApi::call(transport::Exchange exchange, bool once) const {
  auto options = served_.server.transport;
  options.max_reply_bytes = kMaxResultBytes;
  if (once) options.max_attempts = 1;
  auto delivery = exchange_alone(endpoints_of(served_), std::move(options), std::move(exchange), stop_);
  if (delivery.failure != transport::FailureKind::none)
    throw Interrupted("batch: " + delivery.message + "; run the same command again to go on from here");
  return std::move(delivery.body);
}

BatchApi::State BatchApi::call_json(transport::Exchange exchange, bool once) const {
  const auto path = exchange.path;
  auto json = parse_json_or_discard(call(std::move(exchange), once));
  if (!json.is_object())
    throw Interrupted("batch: " + path +
                      " answered with something that is no JSON object; run the same command again to try once more");
  return {std::move(json)};
}

std::string BatchApi::upload(const std::filesystem::path& file) const {
  auto exchange = get("/files");
  exchange.form = {{"purpose", "batch", {}, {}}, {"file", {}, file, "application/jsonl"}};
  auto id = call_json(std::move(exchange), false).text("id");
  if (id.empty())
    throw Interrupted("batch: the server took " + file.filename().string() +
                      ", but gave it no id; run the same command again to try once more");
  return id;
}

std::string BatchApi::create_job(const std::string& upload_id) const {
  const Json wish = {{"input_file_id", upload_id}, {"endpoint", "/v1/chat/completions"}, {"completion_window", "24h"}};
  return call_json(post("/batches", json_text(wish)), true).text("id");
}

std::string BatchApi::create_job_of(const std::filesystem::path& file) const {
  return call_json(post("/messages/batches", read_file(file)), true).text("id");
}

std::string BatchApi::find_job(const std::string& upload_id) const {
  std::string after;
  for (int page = 0; page < kMostPages; ++page) {
    Json list;
    try {
      list =
          call_json(get("/batches?limit=100" + (after.empty() ? after : "&after=" + url_segment(after))), false).json;
    } catch (const Interrupted&) {
      stop_.check();
      break;
    }
    if (!list.contains("data") || !list["data"].is_array() || list["data"].empty()) return {};
    for (const auto& job : list["data"]) {
      if (State::text_in(job, "input_file_id") == upload_id) return State::text_in(job, "id");
    }
    after = State::text_in(list["data"].back(), "id");
    if (!list.contains("has_more") || list["has_more"] != true || after.empty()) return {};
  }
  log_warn(
      "batch: the server does not list all its jobs; a job that was made just before the run ended may be made twice");
  return {};
}

BatchApi::State BatchApi::wait_until(const std::string& job_id, const std::string& file,
                                     const std::string& path) const {
  const auto& words = uploads_files() ? kOpenAiStates : kAnthropicStates;
  for (;;) {
    auto state = call_json(get(path), false);
    const auto word = state.text(words.field);
    if (!word.empty() && std::find(words.ends.begin(), words.ends.end(), word) != words.ends.end()) return state;
    log_info("batch {}: job {} is {}", file, display_excerpt(job_id), display_excerpt(word));
    const auto until = std::chrono::steady_clock::now() + served_.server.batch.poll_interval;
    while (std::chrono::steady_clock::now() < until) {
      stop_.check();
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
  }
}

BatchApi::Outcome BatchApi::wait_for_job(const std::string& job_id, const std::string& file) const {
  Outcome outcome;
  if (!uploads_files()) {
    const auto path = "/messages/batches/" + url_segment(job_id);
    wait_until(job_id, file, path);
    outcome.results = call(get(path + "/results"), false);
    return outcome;
  }
  const auto state = wait_until(job_id, file, "/batches/" + url_segment(job_id));
  for (const char* name : {"output_file_id", "error_file_id"}) {
    const auto id = state.text(name);
    if (id.empty()) continue;
    outcome.results += call(get("/files/" + url_segment(id) + "/content"), false);
    if (!outcome.results.empty() && outcome.results.back() != '\n') outcome.results += '\n';
  }
  if (state.text("status") == "failed" && outcome.results.empty())
    outcome.failure = display_excerpt(json_text(state.json.value("errors", Json())), kShownErrorBytes);
  return outcome;
}

}  // namespace touchstone::llm_client
