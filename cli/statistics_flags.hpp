#pragma once

#include "analysis/presentation/statistics_text.hpp"

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace touchstone::cli {

/// The source of the scores of systems on topics: a matrix, or runs scored against qrels.
struct ScoreFlags {
  std::string matrix, qrels, measure;
  std::vector<std::string> runs;
  bool complete = false;
  int threads = 0;

  void add_to(CLI::App& command);
  /// Throws ConfigError if neither or both are given.
  analysis::ScoreMatrix read() const;
  /// Scores of the same runs against other judgments, or of another matrix.
  analysis::ScoreMatrix read_other(const std::string& file) const;
};

/// --format table|tsv|json
void add_statistics_format(CLI::App& command, std::string& format);
analysis::StatisticsFormat statistics_format(const std::string& format);

/// Writes data to standard output. Throws Error if that fails.
void print(const std::string& text);

}  // namespace touchstone::cli
