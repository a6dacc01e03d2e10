#include "common/json_tree.hpp"
#include "tests/judge_server/routes.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>

#include <fmt/format.h>

namespace touchstone::judge_server {

namespace {

using httplib::Request;
using httplib::Response;

constexpr const char* kBatchJson = "application/json";
constexpr std::size_t kOpenAiLines = 50'000, kOpenAiBytes = 200'000'000;
constexpr std::size_t kAnthropicRequests = 100'000, kAnthropicBytes = 256'000'000;

struct Batch {
  Json input;  // file id, or the requests
  int polls = 0;
  bool cancelled = false, failed = false;
  std::string output_file, error_file;
  std::size_t total = 0, completed = 0, expired = 0, errored = 0;
};

/// Files and batches of both APIs. Results come in the reverse order of the requests. Thread-safe.
class Batches {
 public:
  Batches(Ledger& ledger, const ServerOptions& options) : ledger_(ledger), polls_(options.batch_polls) {}

  void upload(const Request& request, Response& response) {
    if (!request.has_file("file") || request.get_file_value("purpose").content != "batch") {
      return fail(response, 400, "a file with purpose \"batch\" is wanted");
    }
    const auto part = request.get_file_value("file");
    const std::lock_guard lock(mutex_);
    const auto id = add_file(part.content);
    respond(response, {{"id", id},
                       {"object", "file"},
                       {"bytes", part.content.size()},
                       {"created_at", 0},
                       {"filename", part.filename},
                       {"purpose", "batch"}});
  }

  void content(const Request& request, Response& response) {
    const std::lock_guard lock(mutex_);
    const auto file = files_.find(request.matches[2]);
    if (file == files_.end()) return fail(response, 404, "no such file");
    response.set_content(file->second, "application/jsonl");
  }

  void create(const Request& request, Response& response) {
    const auto json = parse_json_or_discard(request.body);
    const std::lock_guard lock(mutex_);
    if (!json.is_object() || files_.count(json.value("input_file_id", "")) == 0 ||
        json.value("endpoint", "") != "/v1/chat/completions" || json.value("completion_window", "") != "24h") {
      return fail(response, 400, "input_file_id, endpoint or completion_window is wrong");
    }
    const auto id = fmt::format("batch_{:06}", ++last_id_);
    Batch batch;
    batch.input = json["input_file_id"];
    const auto& text = files_.at(json["input_file_id"]);
    batch.total = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    batch.failed = batch.total > kOpenAiLines || text.size() > kOpenAiBytes;
    batches_[id] = batch;
    respond(response, openai_state(id, batches_[id]));
  }

  void poll(const Request& request, Response& response) {
    const std::lock_guard lock(mutex_);
    const auto found = batches_.find(request.matches[2]);
    if (found == batches_.end()) return fail(response, 404, "no such batch");
    auto& batch = found->second;
    if (++batch.polls == polls_ && !batch.failed) work_off(batch);
    respond(response, openai_state(found->first, batch));
  }

  /// The newest first, two a page however many are asked for, so that clients have to turn pages.
  void list(const Request& request, Response& response) {
    const std::lock_guard lock(mutex_);
    Json data = Json::array();
    bool shown = !request.has_param("after"), more = false;
    for (auto entry = batches_.rbegin(); entry != batches_.rend(); ++entry) {
      if (!entry->first.starts_with("batch_")) continue;
      more = shown && data.size() == 2;
      if (more) break;
      if (shown) data.push_back(openai_state(entry->first, entry->second));
      shown = shown || entry->first == request.get_param_value("after");
    }
    respond(response, {{"object", "list"}, {"data", data}, {"has_more", more}});
  }

  void create_messages(const Request& request, Response& response) {
    const auto json = parse_json_or_discard(request.body);
    if (!json.is_object() || !json.contains("requests") || json["requests"].empty() ||
        json["requests"].size() > kAnthropicRequests || request.body.size() > kAnthropicBytes) {
      return fail(response, 400, "the list of requests is missing or too long");
    }
    const std::lock_guard lock(mutex_);
    const auto id = fmt::format("msgbatch_{}", ++last_id_);
    Batch batch;
    batch.input = json["requests"];
    batch.total = batch.input.size();
    batches_[id] = batch;
    respond(response, anthropic_state(id, batches_[id], request));
  }

  void poll_messages(const Request& request, Response& response) {
    const std::lock_guard lock(mutex_);
    const auto found = batches_.find(request.matches[2]);
    if (found == batches_.end()) return fail(response, 404, "no such batch");
    auto& batch = found->second;
    if (++batch.polls == polls_) work_off_messages(batch);
    respond(response, anthropic_state(found->first, batch, request));
  }

  void message_results(const Request& request, Response& response) {
    const std::lock_guard lock(mutex_);
    const auto found = batches_.find(request.matches[2]);
    if (found == batches_.end() || found->second.output_file.empty()) return fail(response, 404, "no results yet");
    response.set_content(files_.at(found->second.output_file), "application/x-jsonl");
  }

  void cancel(const Request& request, Response& response) {
    const std::lock_guard lock(mutex_);
    const auto found = batches_.find(request.matches[2]);
    if (found == batches_.end()) return fail(response, 404, "no such batch");
    found->second.cancelled = true;
    respond(response, openai_state(found->first, found->second));
  }

 private:
  static void respond(Response& response, const Json& json) { response.set_content(json.dump(), kBatchJson); }
  static void fail(Response& response, int status, std::string_view message) {
    response.status = status;
    response.set_content(error_body(Api::kOpenAi, "invalid_request_error", "invalid_value", message), kBatchJson);
  }

  std::string add_file(std::string text) {
    const auto id = fmt::format("file-{}", ++last_id_);
    files_[id] = std::move(text);
    return id;
  }

  void work_off(Batch& batch) {
    std::istringstream lines(files_.at(batch.input));
    std::string output, errors;
    for (std::string line; std::getline(lines, line);) {
      const auto json = parse_json_or_discard(line);
      if (!json.is_object() || !json.contains("custom_id") || !json.contains("body")) {
        batch.failed = true;
        return;
      }
      const auto answer = batch_answer(Api::kOpenAi, ledger_, json.value("url", ""), json["body"]);
      Json result = {{"id", fmt::format("batch_req_{}", ++last_id_)},
                     {"custom_id", json["custom_id"]},
                     {"response", nullptr},
                     {"error", nullptr}};
      if (answer.status == 0) {
        result["error"] = {{"code", "batch_expired"}, {"message", "the request did not finish in time"}};
        ++batch.expired;
      } else {
        result["response"] = {{"status_code", answer.status},
                              {"request_id", fmt::format("req_{}", last_id_)},
                              {"body", parse_json(answer.body)}};
        ++(answer.status == 200 ? batch.completed : batch.errored);
      }
      auto& file = answer.status == 200 ? output : errors;
      file.insert(0, result.dump() + "\n");
    }
    if (!output.empty()) batch.output_file = add_file(output);
    if (!errors.empty()) batch.error_file = add_file(errors);
  }

  Json openai_state(const std::string& id, const Batch& batch) const {
    const char* status = batch.polls == 0 ? "validating" : "in_progress";
    if (batch.polls >= polls_) status = batch.expired > 0 ? "expired" : "completed";
    if (batch.failed) status = "failed";
    if (batch.cancelled) status = "cancelled";
    const auto file = [](const std::string& name) { return name.empty() ? Json(nullptr) : Json(name); };
    return {{"id", id},
            {"object", "batch"},
            {"endpoint", "/v1/chat/completions"},
            {"errors",
             batch.failed
                 ? Json{{"data", Json::array({{{"code", "invalid_file"}, {"message", "the file breaks a limit"}}})}}
                 : Json(nullptr)},
            {"input_file_id", batch.input},
            {"completion_window", "24h"},
            {"status", status},
            {"output_file_id", file(batch.output_file)},
            {"error_file_id", file(batch.error_file)},
            {"request_counts",
             {{"total", batch.total}, {"completed", batch.completed}, {"failed", batch.errored + batch.expired}}}};
  }

  void work_off_messages(Batch& batch) {
    std::string output;
    for (const auto& request : batch.input) {
      const auto answer = batch_answer(Api::kAnthropic, ledger_, "/v1/messages", request.at("params"));
      Json result;
      if (answer.status == 0) {
        result = {{"type", "expired"}};
        ++batch.expired;
      } else if (answer.status == 200) {
        result = {{"type", "succeeded"}, {"message", parse_json(answer.body)}};
        ++batch.completed;
      } else {
        result = {{"type", "errored"}, {"error", parse_json(answer.body)}};
        ++batch.errored;
      }
      output.insert(0, Json{{"custom_id", request.at("custom_id")}, {"result", result}}.dump() + "\n");
    }
    batch.output_file = add_file(output);
  }

  Json anthropic_state(const std::string& id, const Batch& batch, const Request& request) const {
    const bool ended = batch.polls >= polls_;
    return {{"id", id},
            {"type", "message_batch"},
            {"processing_status", ended ? "ended" : "in_progress"},
            {"request_counts",
             {{"processing", ended ? 0 : batch.total},
              {"succeeded", batch.completed},
              {"errored", batch.errored},
              {"canceled", 0},
              {"expired", batch.expired}}},
            {"results_url",
             ended ? Json(fmt::format("http://{}/v1/messages/batches/{}/results", request.get_header_value("Host"), id))
                   : Json(nullptr)}};
  }

  Ledger& ledger_;
  const int polls_;
  std::mutex mutex_;
  std::map<std::string, std::string> files_;
  std::map<std::string, Batch> batches_;
  std::uint64_t last_id_ = 0;
};

}  // namespace

void add_batch_routes(httplib::Server& server, Ledger& ledger, const ServerOptions& options) {
  const auto batches = std::make_shared<Batches>(ledger, options);
  const auto bind = [batches](void (Batches::*handle)(const Request&, Response&)) {
    return [batches, handle](const Request& request, Response& response) { ((*batches).*handle)(request, response); };
  };
  server.Post("(/v1)?/files", bind(&Batches::upload));
  server.Get("(/v1)?/files/([^/]+)/content", bind(&Batches::content));
  server.Post("(/v1)?/batches", bind(&Batches::create));
  server.Get("(/v1)?/batches", bind(&Batches::list));
  server.Get("(/v1)?/batches/([^/]+)", bind(&Batches::poll));
  server.Post("(/v1)?/batches/([^/]+)/cancel", bind(&Batches::cancel));
  server.Post("(/v1)?/messages/batches", bind(&Batches::create_messages));
  server.Get("(/v1)?/messages/batches/([^/]+)", bind(&Batches::poll_messages));
  server.Get("(/v1)?/messages/batches/([^/]+)/results", bind(&Batches::message_results));
}

}  // namespace touchstone::judge_server
