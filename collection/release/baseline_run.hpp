#pragma once

#include "collection/release/files.hpp"
#include "common/files.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

/// The run of a baseline system that a release has beside its qrels, so that readers have something to compare with and
/// can check their scorer.
namespace touchstone::collection::release {

inline constexpr std::string_view kBaselineRunFile = "runs/bm25.run.gz";
inline constexpr std::string_view kBaselineScoresFile = "runs/bm25.scores.tsv";

/// Names of measures with their values, in the order in which they are shown.
using BaselineScores = std::vector<std::pair<std::string, double>>;

/// What the release says about the run.
struct BaselineRun {
  std::string system;       ///< what ranked: model, parameters, fields
  std::uint32_t depth = 0;  ///< passages for each topic at most
  std::string qrels;        ///< the file of the release that scores it
  BaselineScores scores;    ///< means over all topics of the qrels; values have kBaselineDigits digits
};

inline constexpr int kBaselineDigits = 4;

/// Scores the run of a directory that is being written, or of a finished one. Throws FormatError if the file is not a
/// run or names a topic or docid that the collection does not have.
using BaselineScorer = std::function<BaselineScores(const std::filesystem::path& directory)>;

/// Makes the run. Both functions are called when all data files but those of the run are complete.
struct BaselineSystem {
  BaselineRun about;  ///< without scores
  /// Writes the lines of the run. Returns false if nothing was found for any topic with
  /// qrels; then the release has no run.
  std::function<bool(const std::filesystem::path& directory, TextWriter& run)> retrieve;
  BaselineScorer score;
};

/// Writes the two files of the run into the directory of a release. Returns nothing if there is no run.
std::optional<BaselineRun> write_baseline_run(const std::filesystem::path& directory, const BaselineSystem& system,
                                              const WriteOptions& options = {});

/// The lines of kBaselineScoresFile: `measure<TAB>value`, after a header line.
std::string baseline_scores_tsv(const BaselineScores& scores);

/// As manifest.json has it.
nlohmann::ordered_json baseline_json(const BaselineRun& run);
/// Reads it back. Throws the exceptions of the JSON library if it is something else.
BaselineRun baseline_from(const nlohmann::ordered_json& json);

}  // namespace touchstone::collection::release
