#include "pipeline/judging/batch_jobs.hpp"

#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/log.hpp"
#include "llm_client/batch_files.hpp"

#include <algorithm>
#include <thread>
#include <unordered_map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace touchstone::pipeline::judging {
namespace {

using Json = nlohmann::ordered_json;
using llm_client::Delivery;
using llm_client::FailureKind;
using llm_client::Protocol;

constexpr std::size_t kMergeBatch = 1000;
constexpr int kMostRounds = 5, kMostPages = 100;
constexpr std::size_t kMaxResultBytes = std::size_t{1} << 30;
constexpr std::string_view kResultsEnding = ".results.jsonl";

/// A file of requests on its way.
struct Job {
  std::string file;  ///< within the folder
  std::uint64_t requests = 0;
  std::string upload, id;  ///< the provider's names for the file and the job, when it has them
};

std::string text_at(const Json& json, const char* name) {
  return json.is_object() && json.contains(name) && json[name].is_string() ? json[name].get<std::string>()
                                                                           : std::string();
}

/// Letters that a file name and a job's list can hold.
std::string folder_name(const std::string& id) {
  std::string name = id;
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-' && c != '_') c = '_';
  }
  return name + "-" + sha256_hex(id).substr(0, 8);
}

}  // namespace

struct BatchRun::Impl {
  const Panelist& judge;
  JudgmentLog& log;
  llm_client::Budget& budget;
  const StopFlag& stop;
  llm_client::Prices prices;
  Protocol protocol;
  std::filesystem::path folder;
  std::vector<Job> jobs;  ///< sent, and not merged yet
  std::unique_ptr<llm_client::BatchFileWriter> writer;
  std::unordered_map<std::string, llm_client::Spending> reserved;
  std::string over_budget;
  int round = 0;

  bool anthropic() const { return protocol == Protocol::kAnthropic; }
  std::filesystem::path jobs_file() const { return folder / "jobs.json"; }

  void load_jobs() {
    if (!std::filesystem::exists(jobs_file())) return;
    const auto json = Json::parse(read_file(jobs_file()), nullptr, false);
    if (!json.is_array())
      throw FormatError(jobs_file().string() +
                        ": is damaged; look at the provider's list of jobs, put their results beside it as *" +
                        std::string(kResultsEnding) + " and remove it");
    for (const auto& entry : json)
      jobs.push_back({text_at(entry, "file"), entry.value("requests", std::uint64_t{0}), text_at(entry, "upload"),
                      text_at(entry, "job")});
  }

  void save_jobs() const {
    Json list = Json::array();
    for (const auto& job : jobs)
      list.push_back({{"file", job.file}, {"requests", job.requests}, {"upload", job.upload}, {"job", job.id}});
    write_file_atomically(jobs_file(), list.dump(1) + "\n");
  }

  /// One exchange with the provider. Throws Interrupted when it cannot be had.
  std::string call(std::string path, std::string body, std::string content_type = "application/json",
                   bool once = false) const {
    auto options = transport_options(judge.options);
    options.max_reply_bytes = kMaxResultBytes;
    if (once) options.max_attempts = 1;
    llm_client::Transport transport(endpoints_of(judge.options), options);
    llm_client::Exchange exchange;
    exchange.id = 1;
    exchange.path = std::move(path);
    exchange.body = std::move(body);
    exchange.content_type = std::move(content_type);
    transport.submit(std::move(exchange));
    transport.close();
    for (;;) {
      auto deliveries = transport.take(std::chrono::milliseconds(200));
      if (!deliveries.empty()) {
        auto& delivery = deliveries.front();
        if (delivery.failure != FailureKind::none)
          throw Interrupted("batch: " + delivery.message + "; run the same command again to go on from here");
        return std::move(delivery.body);
      }
      if (stop.requested()) {
        transport.cancel();
        stop.check();
      }
    }
  }

  Json call_json(const std::string& path, std::string body, std::string content_type = "application/json",
                 bool once = false) const {
    auto json = Json::parse(call(path, std::move(body), std::move(content_type), once), nullptr, false);
    if (!json.is_object())
      throw Interrupted("batch: " + path +
                        " answered with something that is no JSON object; run the same command again to try once more");
    return json;
  }

  /// Files results into the log. Returns how many requests were answered.
  std::uint64_t merge(const std::filesystem::path& file) {
    std::vector<JudgmentLog::Entry> entries;
    std::uint64_t answered = 0, unanswered = 0;
    const auto flush = [&] {
      log.add(entries, storage::Durability::kMachine);
      entries.clear();
      kill_point("judge.batch_merged");
    };
    for_each_line(file, [&](std::string_view line, std::uint64_t number) {
      if (line.empty()) return true;
      auto result = llm_client::parse_batch_result(protocol, line);
      if (!result)
        throw FormatError(file.string() + " line " + std::to_string(number) +
                          ": no result of a batch job: " + result.error() + "; fetch the file again");
      settle(*result, entries, answered, unanswered);
      if (entries.size() == kMergeBatch) flush();
      return true;
    });
    flush();
    log_info("batch {}: {} answered, {} to be asked again", file.filename().string(), answered, unanswered);
    return answered;
  }

  void settle(llm_client::BatchResult& result, std::vector<JudgmentLog::Entry>& entries, std::uint64_t& answered,
              std::uint64_t& unanswered) {
    llm_client::Spending worst, actual;
    if (const auto found = reserved.find(result.id); found != reserved.end()) {
      worst = found->second;
      reserved.erase(found);
    }
    const bool may_heal = result.status == 0 || result.status == 408 || result.status == 429 || result.status >= 500;
    if (may_heal) {
      ++unanswered;
      budget.settle(worst, {});
      return;
    }
    JudgmentLog::Entry entry;
    entry.digest = result.id;
    entry.reply.judge = judge.llm->id();
    entry.reply.status = static_cast<std::uint64_t>(result.status);
    actual.calls = 1;
    if (const auto usage = llm_client::read_usage(protocol, result.body)) {
      entry.reply.prompt_tokens = usage->prompt;
      entry.reply.cached_tokens = usage->cached;
      entry.reply.reply_tokens = usage->reply;
      actual.cost = entry.reply.cost = prices.cost(*usage);
      actual.tokens = usage->prompt + usage->reply;
    }
    entry.reply.reply = std::move(result.body);
    entries.push_back(std::move(entry));
    budget.settle(worst, actual);
    ++answered;
  }

  /// Results that somebody put beside the requests, or that a killed run had fetched.
  void merge_files() {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().string().ends_with(kResultsEnding)) files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    for (const auto& file : files) {
      merge(file);
      std::filesystem::rename(file, file.string() + ".merged");
    }
  }

  void upload(Job& job) {
    const std::string content = read_file(folder / job.file);
    const std::string boundary = "touchstone-" + sha256_hex(content);
    std::string body = "--" + boundary + "\r\nContent-Disposition: form-data; name=\"purpose\"\r\n\r\nbatch\r\n--" +
                       boundary + "\r\nContent-Disposition: form-data; name=\"file\"; filename=\"" + job.file +
                       "\"\r\nContent-Type: application/jsonl\r\n\r\n";
    body += content;
    body += "\r\n--" + boundary + "--\r\n";
    job.upload = text_at(call_json("/files", std::move(body), "multipart/form-data; boundary=" + boundary), "id");
    if (job.upload.empty())
      throw Interrupted("batch: the server took " + job.file +
                        ", but gave it no id; run the same command again to try once more");
  }

  /// The job of an uploaded file, when a killed run had made it already; looks through all that the server lists.
  std::string job_of_upload(const std::string& upload_id) const {
    std::string after;
    for (int page = 0; page < kMostPages; ++page) {
      Json list;
      try {
        list =
            call_json("/batches?limit=100" + (after.empty() ? after : "&after=" + llm_client::url_segment(after)), "");
      } catch (const Interrupted&) {
        stop.check();
        break;
      }
      if (!list.contains("data") || !list["data"].is_array() || list["data"].empty()) return {};
      for (const auto& job : list["data"]) {
        if (text_at(job, "input_file_id") == upload_id) return text_at(job, "id");
      }
      after = text_at(list["data"].back(), "id");
      if (!list.contains("has_more") || list["has_more"] != true || after.empty()) return {};
    }
    log_warn(
        "batch: the server does not list all its jobs; a job that was made just before the run ended may be made "
        "twice");
    return {};
  }

  void submit(Job& job) {
    if (anthropic()) {
      job.id = text_at(call_json("/messages/batches", read_file(folder / job.file), "application/json", true), "id");
    } else {
      const bool uploaded_before = !job.upload.empty();
      if (!uploaded_before) {
        upload(job);
        save_jobs();
        kill_point("judge.batch_uploaded");
      } else {
        job.id = job_of_upload(job.upload);
      }
      if (job.id.empty()) {
        const Json wish = {
            {"input_file_id", job.upload}, {"endpoint", "/v1/chat/completions"}, {"completion_window", "24h"}};
        job.id = text_at(call_json("/batches", wish.dump(), "application/json", true), "id");
        kill_point("judge.batch_created");
      }
    }
    if (job.id.empty())
      throw Interrupted("batch: the server made no job of " + job.file +
                        "; run the same command again to try once more");
    save_jobs();
    kill_point("judge.batch_submitted");
    log_info("batch {}: {} requests sent as job {}", job.file, job.requests, job.id);
  }

  /// Waits for a job and writes its results beside the requests.
  void fetch(const Job& job) {
    std::string results;
    if (anthropic()) {
      wait_until(job, "/messages/batches/" + llm_client::url_segment(job.id), "processing_status", {"ended"});
      results = call("/messages/batches/" + llm_client::url_segment(job.id) + "/results", "");
    } else {
      const auto state = wait_until(job, "/batches/" + llm_client::url_segment(job.id), "status",
                                    {"completed", "failed", "expired", "cancelled"});
      for (const char* name : {"output_file_id", "error_file_id"}) {
        const auto file = text_at(state, name);
        if (file.empty()) continue;
        results += call("/files/" + llm_client::url_segment(file) + "/content", "");
        if (!results.empty() && results.back() != '\n') results += '\n';
      }
      if (text_at(state, "status") == "failed" && results.empty())
        throw Interrupted("batch: job " + job.id + " of " + job.file + " failed as a whole (" +
                          state.value("errors", Json()).dump().substr(0, 300) + "); put the settings right, remove " +
                          jobs_file().string() + " and run the same command again");
    }
    write_file_atomically(folder / (job.file + std::string(kResultsEnding)), results);
  }

  Json wait_until(const Job& job, const std::string& path, const char* field,
                  const std::vector<std::string>& ends) const {
    for (;;) {
      auto state = call_json(path, "");
      if (std::find(ends.begin(), ends.end(), text_at(state, field)) != ends.end()) return state;
      log_info("batch {}: job {} is {}", job.file, job.id, text_at(state, field));
      const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(judge.options.batch_poll_s);
      while (std::chrono::steady_clock::now() < until) {
        stop.check();
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
      }
    }
  }

  void run_jobs() {
    for (auto& job : jobs) {
      if (job.id.empty()) submit(job);
    }
    while (!jobs.empty()) {
      fetch(jobs.front());
      merge_files();
      jobs.erase(jobs.begin());
      save_jobs();
    }
  }
};

BatchRun::BatchRun(const Panelist& judge, JudgmentLog& log, const std::filesystem::path& folder,
                   llm_client::Budget& budget, const StopFlag& stop)
    : impl_(new Impl{judge,
                     log,
                     budget,
                     stop,
                     judge.prices(),
                     judge.llm->protocol(),
                     folder / folder_name(judge.llm->id()),
                     {},
                     nullptr,
                     {},
                     {},
                     0}) {}

BatchRun::~BatchRun() = default;

void BatchRun::resume() {
  std::error_code error;
  std::filesystem::create_directories(impl_->folder, error);
  if (error) throw StorageError("cannot make folder " + impl_->folder.string() + ": " + error.message());
  impl_->merge_files();
  impl_->load_jobs();
  if (impl_->judge.options.batch_submit) impl_->run_jobs();
}

void BatchRun::add(Errand errand) {
  if (impl_->reserved.contains(errand.key) || !impl_->over_budget.empty()) return;
  const auto most = llm_client::most_tokens(errand.size);
  const auto reply_tokens = impl_->judge.llm->parameters().max_reply_tokens;
  const llm_client::Spending worst = {impl_->prices.highest_cost(most, reply_tokens), 1, most + reply_tokens};
  if (!impl_->budget.reserve(worst)) {
    impl_->over_budget = impl_->budget.obstacle(worst);
    return;
  }
  if (!impl_->writer) {
    if (++impl_->round > kMostRounds)
      throw Interrupted(
          "batch: requests came back unanswered again and again; run the same command again to try once more");
    // Earlier files that nobody sent hold the same requests.
    for (const auto& entry : std::filesystem::directory_iterator(impl_->folder)) {
      const auto name = entry.path().filename().string();
      if (name.starts_with("requests-") && !name.ends_with(".merged") && !name.ends_with(kResultsEnding))
        std::filesystem::remove(entry.path());
    }
    impl_->writer = std::make_unique<llm_client::BatchFileWriter>(
        impl_->folder, "requests", impl_->protocol,
        llm_client::BatchLimits{static_cast<std::uint64_t>(impl_->judge.options.batch_requests),
                                static_cast<std::uint64_t>(impl_->judge.options.batch_bytes)});
  }
  impl_->writer->add(errand.key, errand.body);
  impl_->reserved.emplace(std::move(errand.key), worst);
}

void BatchRun::finish() {
  Impl& self = *impl_;
  if (self.writer) {
    const auto files = self.writer->finish();
    self.writer.reset();
    std::uint64_t requests = 0;
    for (const auto& file : files) {
      requests += file.requests;
      self.jobs.push_back({file.path.filename().string(), file.requests, {}, {}});
    }
    if (!self.judge.options.batch_submit) {
      self.jobs.clear();
      throw Interrupted(fmt::format(
          "{} requests are in {} files in {}; send them, put the results there as *{}, and run the same command again",
          requests, files.size(), self.folder.string(), kResultsEnding));
    }
    self.save_jobs();
    kill_point("judge.batch_written");
    self.run_jobs();
  }
  if (!self.over_budget.empty())
    throw Interrupted(self.over_budget + "; run the same command again to go on, with a budget for what is left");
}

}  // namespace touchstone::pipeline::judging
