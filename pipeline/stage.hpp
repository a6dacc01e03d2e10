#pragma once

#include "common/progress.hpp"
#include "common/stop.hpp"
#include "llm_client/budget.hpp"
#include "pipeline/config.hpp"
#include "storage/store.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::pipeline {

/// Counts and samples of what a stage did, for its manifest, the log and `status`.
struct StageReport {
  std::map<std::string, std::uint64_t> counts;              ///< "pages", "links", ...
  std::map<std::string, std::uint64_t> rejected;            ///< reason -> count
  std::map<std::string, std::vector<std::string>> samples;  ///< reason -> first few, in input order
  std::vector<std::string> warnings;

  void reject(const std::string& reason, std::string sample, std::uint64_t count = 1);
};
inline constexpr std::size_t kSamplesPerReason = 3;

/// Where everything of one --work directory lies.
struct WorkPaths {
  std::filesystem::path root;
  std::filesystem::path store() const { return root / "store"; }
  std::filesystem::path stages() const { return root / "stages"; }
  std::filesystem::path stage_file(std::string_view name) const { return stages() / name; }
  std::filesystem::path collection() const { return root / "collection"; }
  std::filesystem::path report() const { return root / "report.html"; }
};

/// A dump as the user named it.
struct DumpInput {
  std::filesystem::path path;  ///< "-" for standard input
};

/// What a stage gets to work with. Lives as long as the run.
struct StageContext {
  const Config& config;
  const OptionSet& options;
  const WorkPaths& paths;
  storage::Store& store;
  std::span<const DumpInput> dumps;
  const StopFlag& stop;
  ProgressCounters& progress;
  int threads = 1;
  std::string fingerprint;          ///< of this stage and all it depends on
  llm_client::Budget& budget;       ///< of the whole run
  bool ask_unjudged_again = false;  ///< replies without a grade are asked for once more
};

/// One step of the flow. `run` may be killed at any moment; running it again completes it.
class Stage {
 public:
  virtual ~Stage() = default;
  /// Throws Interrupted when the stop flag is set, Error when the run cannot go on.
  virtual StageReport run(StageContext& context) = 0;
};

/// A row of the stage table.
struct StageInfo {
  std::string_view name, summary;
  int format_version;                         ///< raised when output bytes change
  std::span<const std::string_view> needs;    ///< stages whose output this one reads
  std::span<const std::string_view> options;  ///< prefixes of options that change its output
  std::span<const storage::Family> families;  ///< column families it fills
  std::span<const std::string_view> files;    ///< files it writes, relative to the work directory
  std::string_view progress_unit, progress_records;
  std::string (*extra_fingerprint)(const Config&);  ///< content of files that options name; may be null
  std::unique_ptr<Stage> (*make)();
};

/// ONE table, in order: the runner, help, docs and tests read it.
std::span<const StageInfo> stage_table();
const StageInfo* find_stage(std::string_view name);

std::unique_ptr<Stage> make_ingest_stage();
std::unique_ptr<Stage> make_link_stage();
std::unique_ptr<Stage> make_groups_stage();
std::unique_ptr<Stage> make_candidates_stage();
std::unique_ptr<Stage> make_judge_stage();
std::unique_ptr<Stage> make_phrase_stage();
std::unique_ptr<Stage> make_export_stage();
std::unique_ptr<Stage> make_report_stage();

}  // namespace touchstone::pipeline
