#pragma once

#include "collection/baseline_run.hpp"
#include "common/stop.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace touchstone::collection::validation {

inline constexpr std::size_t kMaxProblems = 100;

/// Something that is wrong with a collection.
struct Problem {
  std::string file;
  std::uint64_t line = 0;  ///< 0: the file as a whole
  std::string what;        ///< one sentence, with the offending value and what to do
};

struct ValidationReport {
  std::vector<Problem> problems;                ///< at most kMaxProblems
  std::uint64_t problem_count = 0;              ///< all of them
  std::vector<std::string> warnings;            ///< failed health checks, a sentence each; they are no problems
  std::map<std::string, std::uint64_t> counts;  ///< topics, passages, qrels, ...
  bool ok() const noexcept { return problem_count == 0; }
};
/// Checks a collection directory: files present and as in sha256sums.txt; ids safe, unique and defined; documents not
/// empty; qrels sorted, in range, without duplicates, their topics and docids defined; TREC and BEIR forms equal;
/// judgments, members and qrels consistent; every file reads back to the bytes it came from. Memory: the ids.
/// Of an automatic collection: docs/automatic.md. A collection without problems is examined by the checks of
/// `collection::health`, and those that fail are warnings.
/// Throws StorageError only when the directory cannot be read at all, and Interrupted if a stop was requested.
/// \param score  scores the baseline run, to be compared with what the collection says of it; without it, the scores
/// are not checked
ValidationReport validate_collection(const std::filesystem::path& directory, const StopFlag& stop = StopFlag(),
                                     const BaselineScorer& score = {});

}  // namespace touchstone::collection::validation
