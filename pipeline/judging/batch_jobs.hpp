#pragma once

#include "common/stop.hpp"
#include "llm_client/budget.hpp"
#include "pipeline/judging/judge_panel.hpp"
#include "pipeline/judging/judgment_log.hpp"
#include "pipeline/judging/online_requester.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace touchstone::pipeline::judging {

/// Has one judge's questions answered by batch jobs: writes them into files of the provider's form within its limits,
/// sends the files, waits for the jobs and merges their results into the log, in any order and under the digests that
/// online requests have. Requests that expired are missing afterwards, and so asked again.
///
/// A folder holds the files and a list of the jobs, so that a run that was stopped goes on with jobs under way.
/// With judge.batch_submit = false nothing is sent: the user does, and puts each file of results beside the requests as
/// `<anything>.results.jsonl`.
class BatchRun {
 public:
  /// \param folder  of all judges' batches; each judge has one of its own in it
  BatchRun(const Panelist& judge, JudgmentLog& log, const std::filesystem::path& folder, llm_client::Budget& budget,
           const StopFlag& stop);
  ~BatchRun();

  /// Merges what earlier runs left: results that lie there, and jobs under way, which are waited for.
  void resume();
  /// Adds a question to the files. One that does not fit the budget is left out, and `finish` says so.
  void add(Errand errand);
  /// Sends the files and merges their results. Throws Interrupted when that is left to the user, on a signal (jobs go
  /// on at the provider), and when the budget left questions out.
  void finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace touchstone::pipeline::judging
