#include "llm_client/batch_api.hpp"

#include "common/display_text.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/json_tree.hpp"
#include "common/log.hpp"
#include "llm_client/transport/error_body.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <thread>

#include <nlohmann/json.hpp>

namespace touchstone::llm_client {
namespace {

using Json = nlohmann::ordered_json;
using providers::url_segment;
using transport::text_in;

constexpr int kMostPages = 100;
constexpr std::size_t kMaxResultBytes = std::size_t{1} << 30;
constexpr std::size_t kShownErrorBytes = 300;

/// What a provider calls the states of a job, and where they are.
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

bool BatchApi::uploads_files() const {
  return served_.model.protocol() == providers::Protocol::kOpenAi;
}

std::string BatchApi::call(transport::Exchange exchange, bool once) const {
  auto options = served_.server.transport;
  options.max_reply_bytes = kMaxResultBytes;
  if (once) options.max_attempts = 1;
  auto delivery = transport::exchange_alone(endpoints_of(served_), std::move(options), std::move(exchange), stop_);
  if (delivery.failure != transport::FailureKind::none)
    throw Interrupted("batch: " + delivery.message + "; run the same command again to go on from here");
  return std::move(delivery.body);
}

Json BatchApi::call_json(transport::Exchange exchange, bool once) const {
  const auto path = exchange.path;
  auto json = parse_json_or_discard(call(std::move(exchange), once));
  if (!json.is_object())
    throw Interrupted("batch: " + path +
                      " answered with something that is no JSON object; run the same command again to try once more");
  return json;
}

std::string BatchApi::upload(const std::filesystem::path& file) const {
  auto exchange = get("/files");
  exchange.form = {{"purpose", "batch", {}, {}}, {"file", {}, file, "application/jsonl"}};
  auto id = text_in(call_json(std::move(exchange), false), "id");
  if (id.empty())
    throw Interrupted("batch: the server took " + file.filename().string() +
                      ", but gave it no id; run the same command again to try once more");
  return id;
}

std::string BatchApi::create_job(const std::string& upload_id) const {
  const Json wish = {{"input_file_id", upload_id}, {"endpoint", "/v1/chat/completions"}, {"completion_window", "24h"}};
  return text_in(call_json(post("/batches", json_text(wish)), true), "id");
}

std::string BatchApi::create_job_of(const std::filesystem::path& file) const {
  return text_in(call_json(post("/messages/batches", read_file(file)), true), "id");
}

std::string BatchApi::find_job(const std::string& upload_id) const {
  std::string after;
  for (int page = 0; page < kMostPages; ++page) {
    Json list;
    try {
      list = call_json(get("/batches?limit=100" + (after.empty() ? after : "&after=" + url_segment(after))), false);
    } catch (const Interrupted&) {
      stop_.check();
      break;
    }
    if (!list.contains("data") || !list["data"].is_array() || list["data"].empty()) return {};
    for (const auto& job : list["data"]) {
      if (text_in(job, "input_file_id") == upload_id) return text_in(job, "id");
    }
    after = text_in(list["data"].back(), "id");
    if (!list.contains("has_more") || list["has_more"] != true || after.empty()) return {};
  }
  log_warn(
      "batch: the server does not list all its jobs; a job that was made just before the run ended may be made twice");
  return {};
}

Json BatchApi::wait_until(const std::string& job_id, const std::string& file, const std::string& path) const {
  const auto& words = uploads_files() ? kOpenAiStates : kAnthropicStates;
  for (;;) {
    auto state = call_json(get(path), false);
    const auto word = text_in(state, words.field);
    if (!word.empty() && std::ranges::find(words.ends, word) != words.ends.end()) return state;
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
    const auto id = text_in(state, name);
    if (id.empty()) continue;
    outcome.results += call(get("/files/" + url_segment(id) + "/content"), false);
    if (!outcome.results.empty() && outcome.results.back() != '\n') outcome.results += '\n';
  }
  if (text_in(state, "status") == "failed" && outcome.results.empty())
    outcome.failure = display_excerpt(json_text(state.value("errors", Json())), kShownErrorBytes);
  return outcome;
}

}  // namespace touchstone::llm_client
