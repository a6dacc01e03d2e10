#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

/// Scores of systems on topics, and the files that hold them.
namespace touchstone::analysis::statistics {

/// Scores that differ by less are equal: scores are sums of rounded fractions.
inline constexpr double kEqualScores = 1e-12;

/// Where scores come from: runs and qrels, or a file of scores. Every output names it.
struct ScoreSource {
  std::string matrix;     ///< the file of scores; empty if runs were scored
  std::string qrels;      ///< the file of judgments; empty for a matrix
  std::string measure;    ///< empty if the matrix does not say
  bool complete = false;  ///< topics that a run lacks count as 0
  /// The run files and their tags, in the order of the systems; empty for a matrix.
  std::vector<std::string> run_files, run_tags;
  std::vector<std::size_t> unanswered;  ///< topics of the judgments that each run does not answer; empty for a matrix

  /// The file of the judgments, or of the scores.
  const std::string& judgments() const { return matrix.empty() ? qrels : matrix; }
};

/// Scores of systems on topics, row-major: `values[system * topics.size() + topic]`.
struct ScoreMatrix {
  std::vector<std::string> systems, topics;
  std::vector<double> values;
  std::size_t topics_left_out = 0;  ///< topics of the qrels that a run does not answer, or that have no value
  ScoreSource source{};
  double at(std::size_t system, std::size_t topic) const { return values[system * topics.size() + topic]; }

  /// Mean over topics, for each system.
  std::vector<double> means() const;
};

/// What becomes of topics that runs do not answer, with the runs: "topics without an answer count as 0 (bm25 2)", or
/// "topics left out: 2 of 14 (not answered: bm25 2)". Empty if there are none.
std::string missing_answers(const ScoreMatrix& scores);

/// Reads a matrix, plain or gzip, in any of these forms (docs/compare.md shows them). Columns are separated by tabs, or
/// by commas if the header has no tab:
/// - a header `run` (or `system`) and topic ids, then a line for each system;
/// - a header `topic` (or `query`, `qid`) and system names, then a line for each topic;
/// - a header of system names only, quoted or not, then a line of scores for each topic;
/// - a line `TOPICS SYSTEMS` with the two counts, then a line of scores for each topic, separated by blanks;
/// - the header `run measure topic value` of `touchstone evaluate --per-topic --format tsv` with one measure.
/// Lines at the start that begin with `#` are comments. Systems and topics without names are numbered: `system1`,
/// `topic1`. Throws StorageError for an unreadable file, and FormatError with file, line and remedy for a ragged line,
/// a value that is not a finite number, a repeated name or a missing score.
ScoreMatrix read_score_matrix(const std::filesystem::path& path);

/// The scores of the systems `names`, in that order. Throws Error if one of them is missing.
ScoreMatrix select_systems(const ScoreMatrix& scores, const std::vector<std::string>& names);

/// Index of the system that a user means by `name`: a system's name, or the file of its run, with or without folder.
/// Throws ConfigError that lists the systems unless exactly one fits.
std::size_t find_system(const ScoreMatrix& scores, std::string_view name);

/// One score for each system.
struct SystemScores {
  std::vector<std::string> systems;
  std::vector<double> scores;
  std::string file{}, column{};  ///< where they come from; the column is empty unless one was named
  std::string measure{};         ///< empty unless the file is the output of `touchstone evaluate`
};

/// Reads lines of a name and a score, separated by tabs or blanks, plain or gzip. A header must start with `run`,
/// `system` or `name`. A table with more columns needs `column`, the name of the one with the scores. From the output
/// of `touchstone evaluate --format tsv` with one measure it reads the values over all topics. Throws as
/// read_score_matrix().
SystemScores read_system_scores(const std::filesystem::path& path, std::string_view column = {});

}  // namespace touchstone::analysis::statistics
