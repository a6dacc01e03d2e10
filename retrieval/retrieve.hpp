#pragma once

#include "common/stop.hpp"
#include "retrieval/collection_source.hpp"
#include "retrieval/dense.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace touchstone::retrieval {

struct RetrieveOptions {
  std::filesystem::path collection;
  std::filesystem::path out;
  SourceOptions source;
  std::filesystem::path work;               ///< where indexes are kept; empty: built in a temporary folder and removed
  std::filesystem::path temporary;          ///< an existing folder for that; empty: the system's
  std::optional<std::string> stemmer;       ///< language or name, "none"; not set: that of the collection, else English
  std::filesystem::path links;              ///< IndexOptions::links
  std::vector<std::string> systems;         ///< tags; empty: all
  std::vector<std::filesystem::path> runs;  ///< of other systems, to be checked
  std::optional<DenseFiles> dense;
  std::string dense_tag = "dense";
  std::uint32_t depth = 100;
  int threads = 0;                 ///< 0: all cores
  const StopFlag* stop = nullptr;  ///< looked at before each document and each topic
};

struct SystemResult {
  std::string tag, description;
  std::filesystem::path run;
  std::size_t answered = 0;  ///< topics with a document at least; 0 only for a run of another system
};

struct LeftOutSystem {
  std::string tag, reason;
};

struct RetrieveResult {
  std::size_t documents = 0, topics = 0;
  std::string stemmer;  ///< empty: none
  bool index_was_built = false;
  double index_cpu_seconds = 0, search_cpu_seconds = 0;  ///< of the process
  std::vector<SystemResult> systems;  ///< in the order of the table; then dense; then the runs of others
  std::vector<LeftOutSystem> left_out;
};

/// Answers all topics of a collection with all systems and writes `<out>/<tag>.run` for each that finds something. The
/// same collection gives the same bytes with any number of threads. Throws ConfigError, FormatError, StorageError, and
/// Interrupted if a stop was requested.
RetrieveResult retrieve(const RetrieveOptions& options);

}  // namespace touchstone::retrieval
