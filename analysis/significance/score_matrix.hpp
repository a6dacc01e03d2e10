#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::analysis {

/// Scores of systems on topics, row-major: `values[system * topics.size() + topic]`.
struct ScoreMatrix {
  std::vector<std::string> systems, topics;
  std::vector<double> values;
  std::size_t topics_left_out = 0;  ///< of the qrels, because a run lacks them
  double at(std::size_t system, std::size_t topic) const { return values[system * topics.size() + topic]; }

  /// Mean over topics, for each system.
  std::vector<double> means() const;
};

/// Reads a matrix, plain or gzip, in any of these forms (columns parted by tabs, or by commas where a header has none;
/// docs/compare.md shows them):
/// - a header `run` (or `system`) and topic ids, then one line for each system;
/// - a header `topic` (or `query`, `qid`) and system names, then one line for each topic;
/// - a header of system names only, quoted or not, then one line of scores for each topic;
/// - a line `TOPICS SYSTEMS` with the two counts, then one line of scores for each topic, parted by blanks;
/// - the header `run measure topic value` of `touchstone evaluate --per-topic --format tsv` with one measure.
/// What has no name is numbered: `system1`, `topic1`. Throws StorageError when unreadable, FormatError with file, line
/// and remedy for a ragged line, a value that is no finite number, a name that occurs twice or a score that is missing.
ScoreMatrix read_score_matrix(const std::filesystem::path& path);

/// The same scores with the systems of `names`, in that order. Throws Error when one of them is missing.
ScoreMatrix select_systems(const ScoreMatrix& scores, const std::vector<std::string>& names);

/// Scores of systems, one each.
struct SystemScores {
  std::vector<std::string> systems;
  std::vector<double> scores;
};

/// Reads lines `name<TAB>score` (or blanks), plain or gzip, with or without a header whose first word is `run`,
/// `system` or `name`. A table with more columns needs `column`, the name in its header; of what `touchstone evaluate
/// --format tsv` prints, the values over all topics are taken, of one measure. Throws as read_score_matrix().
SystemScores read_system_scores(const std::filesystem::path& path, std::string_view column = {});

}  // namespace touchstone::analysis
