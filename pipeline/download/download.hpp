#pragma once

#include "common/progress.hpp"
#include "common/stop.hpp"
#include "pipeline/download/download_plan.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace touchstone::pipeline::download {

struct DownloadOptions {
  Wanted wanted;
  std::filesystem::path folder = ".";  ///< for the files; made if it is not there
  Patience patience;
  bool dry_run = false;  ///< fetch nothing, make nothing
  ProgressMode progress = ProgressMode::kNever;
};

enum class FileState : std::uint8_t {
  kComplete,  ///< was there already
  kFetched,   ///< by this run
  kPartial,   ///< a part is there (only in a dry run)
  kMissing,   ///< (only in a dry run)
};

struct DownloadedFile {
  PlannedFile planned;
  std::filesystem::path path;
  FileState state = FileState::kMissing;
  std::uint64_t bytes_there = 0;  ///< before this run
};

struct DownloadReport {
  DownloadPlan plan;
  std::vector<DownloadedFile> files;
};

/// Fetches the files that are missing, going on from parts of them that are there, and checks their SHA-1. The file
/// `downloads.json` in the folder remembers which were checked, so that a second run need not read them. Throws Error,
/// ConfigError, and Interrupted on a stop request; partial files stay.
DownloadReport download(const DownloadOptions& options, const StopFlag& stop);

/// A line for each file, the sums, and the command that builds from them.
std::string download_text(const DownloadReport& report);
/// `{mirror, wiki, date, wikidata_date, files: [{use, name, path, url, bytes, sha1, state, bytes_there}], build:
/// [word]}`.
std::string download_json(const DownloadReport& report);

/// The words of the command that builds from the files; empty if there is no dump of pages among them.
std::vector<std::string> build_command(const DownloadReport& report);

}  // namespace touchstone::pipeline::download
