#pragma once

#include "analysis/presentation/statistics_text.hpp"
#include "analysis/statistics/score_matrix.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
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
  analysis::statistics::ScoreMatrix read() const;
  /// Scores the same runs with other qrels, or reads another matrix.
  analysis::statistics::ScoreMatrix read_other(const std::string& file) const;
};

/// Adds an option whose value is one of the names in `table`. Parsing sets `target` to the value beside the name; both
/// must outlive the command.
template <class Target, class Value, std::size_t size>
CLI::Option* add_choice(CLI::App& command, const std::string& flag, Target& target,
                        const std::pair<std::string_view, Value> (&table)[size], const std::string& description) {
  std::vector<std::string> names;
  for (const auto& row : table) names.emplace_back(row.first);
  const auto set = [&target, &table](const std::string& chosen) {
    for (const auto& [name, value] : table) {
      if (name == chosen) target = value;
    }
  };
  return command.add_option_function<std::string>(flag, set, description)->check(CLI::IsMember(names));
}

/// --format table|tsv|json
CLI::Option* add_statistics_format(CLI::App& command, analysis::presentation::StatisticsFormat& format);

/// Writes to standard output. Throws Error if that fails.
void print(const std::string& text);

}  // namespace touchstone::cli
