#pragma once

#include "common/stop.hpp"
#include "llm_client/batch_api.hpp"
#include "llm_client/budget.hpp"
#include "llm_client/providers/batch_files.hpp"
#include "llm_client/reply_store.hpp"
#include "llm_client/requester.hpp"
#include "llm_client/served_model.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace touchstone::llm_client {

/// Has a model's requests answered by batch jobs. It writes them into files of the provider's form within its limits,
/// sends the files, waits for the jobs and merges their results into the store, in any order and under the digests that
/// online requests have. Requests that expired have no reply afterwards, and so are asked again.
///
/// The settings' folder holds the files and a list of the jobs, so that a run that was stopped goes on with jobs under
/// way. With `submit` false nothing is sent: the user sends the files, and puts each file of results beside them as
/// `<anything>.results.jsonl`.
class BatchRequester : public Requester {
 public:
  /// All arguments must outlive this.
  BatchRequester(const ServedModel& served, ReplyStore& store, Budget& budget, const StopFlag& stop);
  ~BatchRequester() override;

  /// Merges what earlier runs left: results that lie there, and jobs under way, which it waits for.
  void resume() override;
  /// Adds the questions of a probe to the files. What the server does shows in the results.
  std::optional<ServerTraits> open() override;
  /// Adds a request to the files. One that does not fit the budget is left out, and `finish` says so.
  void ask(PendingRequest request) override;
  /// Sends the files and merges their results. Throws Interrupted when sending is left to the user, on a signal (jobs
  /// go on at the provider), and when the budget left requests out.
  void finish() override;

 private:
  /// A file of requests on its way.
  struct Job {
    std::string file;  ///< within the folder
    std::uint64_t requests = 0;
    std::string upload, id;  ///< the provider's names for the file and the job, when it has them
  };

  std::filesystem::path jobs_file() const;
  void load_jobs();
  void save_jobs() const;
  void start_files();
  void submit(Job& job);
  void run_jobs();
  void fetch(const Job& job);
  /// Files of requests that lie in the folder.
  std::vector<std::filesystem::path> request_files() const;
  /// Ids of all requests that were written to the folder's files at any time.
  std::set<std::string> asked_ids() const;
  void merge_results();
  /// Stores a file's results for requests that were asked. Throws FormatError, and stores nothing, when a line is no
  /// result or two lines give different results for one request.
  void merge(const std::filesystem::path& file, const std::set<std::string>& asked);
  /// True when the result is a reply, which is added to `entries`.
  bool settle(providers::BatchResult& result, std::vector<ReplyStore::Entry>& entries);

  const ServedModel& served_;
  ReplyStore& store_;
  Budget& budget_;
  const StopFlag& stop_;
  const BatchSettings& settings_;
  BatchApi api_;
  std::vector<Job> jobs_;  ///< sent, and not merged yet
  std::unique_ptr<providers::BatchFileWriter> writer_;
  std::unordered_map<std::string, Spending> reserved_;  ///< by digest
  std::string over_budget_;                             ///< why requests were left out
  int rounds_ = 0;
};

}  // namespace touchstone::llm_client
