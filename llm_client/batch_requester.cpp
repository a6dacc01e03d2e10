#include "llm_client/batch_requester.hpp"

#include "common/digest.hpp"
#include "common/display_text.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/json_tree.hpp"
#include "common/log.hpp"
#include "common/secrets.hpp"
#include "llm_client/transport/error_body.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace touchstone::llm_client {
namespace {

using transport::text_in;
using Json = nlohmann::ordered_json;

constexpr std::size_t kMergeBatch = 1000;
constexpr int kMostRounds = 5;
constexpr std::string_view kRequestsStem = "requests", kResultsEnding = ".results.jsonl", kMergedEnding = ".merged";
constexpr const char* kAskedFile = "asked.txt";  // ids of requests whose files are gone

/// Statuses after which the same request may be answered.
bool may_heal(int status) {
  return status == 0 || status == 408 || status == 429 || status >= 500;
}

}  // namespace

BatchRequester::BatchRequester(const ServedModel& served, ReplyStore& store, Budget& budget, const StopFlag& stop)
    : served_(served),
      store_(store),
      budget_(budget),
      stop_(stop),
      settings_(served.server.batch),
      api_(served, stop) {}

BatchRequester::~BatchRequester() = default;

std::filesystem::path BatchRequester::jobs_file() const {
  return settings_.folder / "jobs.json";
}

void BatchRequester::load_jobs() {
  if (!std::filesystem::exists(jobs_file())) return;
  const auto json = parse_json_or_discard(read_file(jobs_file()));
  if (!json.is_array())
    throw FormatError(jobs_file().string() +
                      ": is damaged; look at the provider's list of jobs, put their results beside it as *" +
                      std::string(kResultsEnding) + " and remove it");
  for (const auto& entry : json) {
    const auto requests = entry.is_object() ? entry.find("requests") : entry.end();
    const bool counted = requests != entry.end() && requests->is_number_unsigned();
    jobs_.push_back({text_in(entry, "file"), counted ? requests->get<std::uint64_t>() : 0, text_in(entry, "upload"),
                     text_in(entry, "job")});
  }
}

void BatchRequester::save_jobs() const {
  Json list = Json::array();
  for (const auto& job : jobs_)
    list.push_back({{"file", job.file}, {"requests", job.requests}, {"upload", job.upload}, {"job", job.id}});
  write_file_atomically(jobs_file(), json_text(list, {.indent = 1}) + "\n");
}

void BatchRequester::resume() {
  std::error_code error;
  std::filesystem::create_directories(settings_.folder, error);
  if (error) throw StorageError("cannot make folder " + settings_.folder.string() + ": " + error.message());
  merge_results();
  load_jobs();
  if (settings_.submit) run_jobs();
}

std::optional<ServerTraits> BatchRequester::open() {
  if (!served_.server.probe) return std::nullopt;
  for (auto& request : probe_requests(served_, store_)) ask(std::move(request));
  return std::nullopt;
}

std::vector<std::filesystem::path> BatchRequester::request_files() const {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(settings_.folder)) {
    const auto name = entry.path().filename().string();
    if (name.starts_with(std::string(kRequestsStem) + "-") && !name.ends_with(kMergedEnding) &&
        !name.ends_with(kResultsEnding))
      files.push_back(entry.path());
  }
  return files;
}

std::set<std::string> BatchRequester::asked_ids() const {
  std::set<std::string> ids;
  if (const auto file = settings_.folder / kAskedFile; std::filesystem::exists(file)) {
    for_each_line(file, [&](std::string_view line, std::uint64_t) {
      ids.emplace(line);
      return true;
    });
  }
  for (const auto& file : request_files())
    providers::for_each_request_id(file, [&](std::string_view id) { ids.emplace(id); });
  return ids;
}

void BatchRequester::start_files() {
  if (++rounds_ > kMostRounds)
    throw Interrupted(
        "batch: requests came back unanswered again and again; run the same command again to try once more");
  // Earlier files hold the same requests, or were sent by the user, who may still bring their results.
  if (const auto files = request_files(); !files.empty()) {
    std::string lines;
    for (const auto& id : asked_ids()) lines.append(id).append("\n");
    write_file_atomically(settings_.folder / kAskedFile, lines);
    for (const auto& file : files) std::filesystem::remove(file);
  }
  writer_ = std::make_unique<providers::BatchFileWriter>(settings_.folder, std::string(kRequestsStem),
                                                         served_.model.protocol(), settings_.limits);
}

void BatchRequester::ask(PendingRequest request) {
  if (reserved_.contains(request.digest) || !over_budget_.empty()) return;
  const auto worst = served_.worst_case(request.size);
  if (!budget_.reserve(worst)) {
    over_budget_ = budget_.obstacle(worst);
    return;
  }
  if (!writer_) start_files();
  writer_->add(request.digest, request.body);
  reserved_.emplace(std::move(request.digest), worst);
}

void BatchRequester::finish() {
  if (writer_) {
    const auto files = writer_->finish();
    writer_.reset();
    std::uint64_t requests = 0;
    for (const auto& file : files) {
      requests += file.requests;
      jobs_.push_back({file.path.filename().string(), file.requests, {}, {}});
    }
    if (!settings_.submit) {
      jobs_.clear();
      throw Interrupted(fmt::format(
          "{} requests are in {} files in {}; send them, put the results there as *{}, and run the same command again",
          requests, files.size(), settings_.folder.string(), kResultsEnding));
    }
    save_jobs();
    kill_point("judge.batch_written");
    run_jobs();
  }
  if (!over_budget_.empty())
    throw Interrupted(over_budget_ + "; run the same command again to go on, with a budget for what is left");
}

void BatchRequester::submit(Job& job) {
  if (!api_.uploads_files()) {
    job.id = api_.create_job_of(settings_.folder / job.file);
  } else {
    if (job.upload.empty()) {
      job.upload = api_.upload(settings_.folder / job.file);
      save_jobs();
      kill_point("judge.batch_uploaded");
    } else {
      job.id = api_.find_job(job.upload);
    }
    if (job.id.empty()) {
      job.id = api_.create_job(job.upload);
      kill_point("judge.batch_created");
    }
  }
  if (job.id.empty())
    throw Interrupted("batch: the server made no job of " + job.file + "; run the same command again to try once more");
  save_jobs();
  kill_point("judge.batch_submitted");
  log_info("batch {}: {} requests sent as job {}", job.file, job.requests, display_excerpt(job.id));
}

void BatchRequester::run_jobs() {
  for (auto& job : jobs_) {
    if (job.id.empty()) submit(job);
  }
  while (!jobs_.empty()) {
    fetch(jobs_.front());
    merge_results();
    jobs_.erase(jobs_.begin());
    save_jobs();
  }
}

/// Waits for a job and writes its results beside the requests.
void BatchRequester::fetch(const Job& job) {
  const auto outcome = api_.wait_for_job(job.id, job.file);
  if (!outcome.failure.empty())
    throw Interrupted("batch: job " + display_excerpt(job.id) + " of " + job.file + " failed as a whole (" +
                      outcome.failure + "); put the settings right, remove " + jobs_file().string() +
                      " and run the same command again");
  auto results = outcome.results;
  hide_secrets(results);  // in ids and messages too, which no reply of the store holds
  write_file_atomically(settings_.folder / (job.file + std::string(kResultsEnding)), results);
}

/// Merges results that somebody put beside the requests, or that were fetched.
void BatchRequester::merge_results() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(settings_.folder)) {
    if (entry.path().string().ends_with(kResultsEnding)) files.push_back(entry.path());
  }
  if (files.empty()) return;
  std::sort(files.begin(), files.end());
  const auto asked = asked_ids();
  for (const auto& file : files) {
    merge(file, asked);
    std::filesystem::rename(file, file.string() + std::string(kMergedEnding));
  }
}

void BatchRequester::merge(const std::filesystem::path& file, const std::set<std::string>& asked) {
  const auto for_each_result = [&](const auto& take) {
    for_each_line(file, [&](std::string_view line, std::uint64_t number) {
      if (line.empty()) return true;
      auto result = providers::parse_batch_result(served_.model.protocol(), line);
      if (!result)
        throw FormatError(file.string() + " line " + std::to_string(number) +
                          ": not a result of a batch job: " + result.error() + "; fetch the file again");
      take(*result, number);
      return true;
    });
  };
  struct Seen {
    std::uint64_t digest = 0, line = 0;
  };
  std::unordered_map<std::string, Seen> seen;
  for_each_result([&](const providers::BatchResult& result, std::uint64_t number) {
    const auto digest = xxh3_64(result.body, static_cast<std::uint64_t>(result.status));
    const auto [first, is_new] = seen.try_emplace(result.id, Seen{digest, number});
    if (!is_new && first->second.digest != digest)
      throw FormatError(
          fmt::format("{} line {}: gives another result than line {} for one request, and nobody can "
                      "tell which is right; fetch the file again, or remove the wrong line",
                      file.string(), number, first->second.line));
  });

  std::vector<ReplyStore::Entry> entries;
  std::uint64_t answered = 0, unanswered = 0, foreign = 0;
  const auto flush = [&] {
    store_.add(entries);
    entries.clear();
    kill_point("judge.batch_merged");
  };
  for_each_result([&](providers::BatchResult& result, std::uint64_t number) {
    if (seen.at(result.id).line != number) return;
    if (!asked.contains(result.id)) {
      ++foreign;
      return;
    }
    ++(settle(result, entries) ? answered : unanswered);
    if (entries.size() == kMergeBatch) flush();
  });
  flush();
  log_info("batch {}: {} answered, {} to be asked again", file.filename().string(), answered, unanswered);
  if (foreign > 0)
    log_warn("batch {}: {} results are of requests that nobody asked, and were left out", file.filename().string(),
             foreign);
}

bool BatchRequester::settle(providers::BatchResult& result, std::vector<ReplyStore::Entry>& entries) {
  Spending worst;
  if (const auto found = reserved_.find(result.id); found != reserved_.end()) {
    worst = found->second;
    reserved_.erase(found);
  }
  if (may_heal(result.status)) {
    budget_.settle(worst, {});
    return false;
  }
  auto paid = paid_reply(served_, result.status, std::move(result.body));
  if (!paid.counted && result.status == 200) {  // it was served, and nobody says for how much
    paid.spent += {std::max<PicoDollars>(0, worst.cost - paid.spent.cost), 0,
                   worst.tokens - std::min(worst.tokens, paid.spent.tokens)};
    paid.reply.cost = paid.spent.cost;
  }
  budget_.settle(worst, paid.spent);
  entries.push_back({std::move(result.id), std::move(paid.reply)});
  return true;
}

}  // namespace touchstone::llm_client
