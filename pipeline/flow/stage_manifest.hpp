#pragma once

#include "pipeline/flow/stage_report.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace touchstone::pipeline::flow {

/// What became of a stage, as kept in the store.
struct StageManifest {
  enum class State { kNone, kStarted, kDone };
  State state = State::kNone;
  bool cleared = false;   ///< its families were emptied for this fingerprint; a resumed run may add to them
  bool prepared = false;  ///< likewise, what its `prepare` fills is there, for others who map
  std::string fingerprint;
  StageReport report;
  double seconds = 0;
  double cpu_seconds = 0;         ///< of this process and the programs it ran; tasks on other nodes are not in it
  std::uint64_t peak_memory = 0;  ///< of the process, in bytes, while the stage ran
  std::uint64_t part_bytes = 0;   ///< of what `map` wrote for the merge
  std::map<std::string, std::uint64_t> file_bytes;  ///< of the files it wrote
  /// SHA-256 of the same files; empty in the records of versions that noted sizes only.
  std::map<std::string, std::string> file_digests;
  /// When the inodes of the same files changed last, in ns since 1970: a file with another time may have been edited.
  std::map<std::string, std::int64_t> file_times;
  std::string output;  ///< digest of the files it handed on
  std::string input;   ///< `output` of the stages before it, when it ran
  std::string program_version;
};

/// Logs what a stage did, with its warnings.
void log_result(std::string_view stage, const StageManifest& manifest);

std::string encode_manifest(const StageManifest& manifest);
/// Throws StorageError for a text that `encode_manifest` does not write.
StageManifest decode_manifest(const std::string& text);

}  // namespace touchstone::pipeline::flow
