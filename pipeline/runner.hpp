#pragma once

#include "common/progress.hpp"
#include "pipeline/config.hpp"
#include "pipeline/stage.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::pipeline {

/// A dump as the store remembers it.
struct DumpRecord {
  std::string path, name;  ///< as given, and the file's name
  std::uint64_t bytes = 0;
  std::int64_t modified_ns = 0;  ///< of the file, when it was read
  std::string sha256;            ///< of the raw file; empty while ingest has not read it to its end
};

/// What became of a stage, as kept in the store.
struct StageManifest {
  enum class State { kNone, kStarted, kDone };
  State state = State::kNone;
  bool cleared = false;  ///< its families were emptied for this fingerprint; a resumed run may add to them
  std::string fingerprint;
  StageReport report;
  double seconds = 0;
  std::uint64_t peak_memory = 0;
  std::map<std::string, std::uint64_t> file_bytes;
  std::string output;  ///< digest of the files it handed on
  std::string input;   ///< `output` of the stages before it, when it ran
  std::string program_version;
};

/// What a run would do with a stage.
struct StagePlan {
  const StageInfo* stage = nullptr;
  bool run = false;
  std::string why;  ///< "done", "never run", "option groups.mode changed" ...
  StageManifest manifest;
  std::string fingerprint;
};

struct RunOptions {
  std::filesystem::path work;
  std::vector<std::filesystem::path> dumps;
  int threads = 1;
  ProgressMode progress = ProgressMode::kAuto;
  bool dry_run = false;
  bool force = false;               ///< run the chosen stages even when they are done
  bool ask_unjudged_again = false;  ///< run the judge stage again, for what it has no grade for
};

/// The work directory with its store, and the one way to run stages in it.
class Runner {
 public:
  /// Opens (for `access` read-write: creates) the work directory. `config` and `options` must outlive the runner.
  Runner(const Config& config, const OptionSet& options, RunOptions run, storage::Access access);
  ~Runner();

  /// What running stages [first, last] of the table would do.
  std::vector<StagePlan> plan(std::string_view first, std::string_view last);

  /// Runs what the plan says. Throws Interrupted (status 3) after a clean stop.
  void run(std::string_view first, std::string_view last, const StopFlag& stop);

  StageManifest manifest(std::string_view stage) const;
  std::vector<DumpRecord> recorded_dumps() const;
  storage::Store& store();
  const WorkPaths& paths() const;

  /// The options that the last run in this work directory used, as TOML; empty when there was none.
  static std::string stored_config(const std::filesystem::path& work);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The options that a work directory remembers, "key = value" a line: those that outputs depend on, and addresses and
/// prices; speed and files of the moment are left out.
std::string effective_config(const OptionSet& options);

/// Keys of the meta family.
inline constexpr std::string_view kMetaConfig = "config";
inline constexpr std::string_view kMetaDumps = "dumps";
inline constexpr std::string_view kMetaSite = "site_info";
inline constexpr std::string_view kMetaNewestTimestamp = "newest_timestamp";
inline constexpr std::string_view kMetaIngestProgress = "ingest_progress";
inline constexpr std::string_view kMetaStagePrefix = "stage/";

std::vector<DumpRecord> decode_dumps(std::string_view json);
std::string encode_dumps(const std::vector<DumpRecord>& dumps);

}  // namespace touchstone::pipeline
