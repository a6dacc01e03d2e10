#pragma once

#include "analysis/presentation/statistics_text.hpp"
#include "analysis/statistics/score_matrix.hpp"
#include "analysis/studies/study_output.hpp"
#include "cli/command_line.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace touchstone::cli {

/// The source of the scores of systems on topics: a matrix, or runs scored against qrels.
struct ScoreFlags {
  std::string matrix, qrels;
  std::vector<std::string> measures, runs;
  bool complete = false, answered_only = false;
  int threads = 0;

  void add_to(CLI::App* command);
  /// Takes the runs out of `measures`. Throws ConfigError if neither a matrix nor qrels, a measure and runs are given,
  /// or both, or if a measure is unknown; StorageError if a file does not exist.
  void check();
  /// A matrix for each measure, or the one of the file. \pre check() was called
  std::vector<analysis::statistics::ScoreMatrix> read_all() const;
  /// As read_all(), with the same runs and other qrels, or from another matrix.
  std::vector<analysis::statistics::ScoreMatrix> read_others(const std::string& file) const;
  /// The only matrix. Throws ConfigError if there are several measures. \pre check() was called
  analysis::statistics::ScoreMatrix read() const;
};

/// Adds an option whose value is one of the names in `table`. Parsing sets `target` to the value beside the name; both
/// must outlive the command.
template <class Target, class Value, std::size_t size>
CLI::Option* add_choice(CLI::App* command, const std::string& flag, Target& target,
                        const std::pair<std::string_view, Value> (&table)[size], const std::string& description) {
  std::vector<std::string> names;
  for (const auto& row : table) names.emplace_back(row.first);
  const auto set = [&target, &table](const std::string& chosen) {
    for (const auto& [name, value] : table) {
      if (name == chosen) target = value;
    }
  };
  return command->add_option_function<std::string>(flag, set, description)->check(one_of(names));
}

/// `-m` takes all words up to the next option, including runs named after it. Moves the words that are not measures,
/// but name an existing file or look like a path, to `runs`. Throws ConfigError for other words that are not measures.
void separate_runs(std::vector<std::string>& measures, std::vector<std::string>& runs);

/// Throws StorageError for the first file that does not exist, so that nothing is read in vain. `-` is standard input.
void require_files(const std::vector<std::string>& files);

/// --format table|tsv|json
CLI::Option* add_statistics_format(CLI::App* command, analysis::presentation::StatisticsFormat& format);

/// Writes the files of a study (presentation::write_study()) and logs what could not be drawn. Throws StorageError.
void write_study_folder(const analysis::studies::StudyOutput& output, const std::string& folder);

/// Where a study goes: --out, --report and --format.
struct StudyPlaces {
  std::string folder, report;
  analysis::presentation::StatisticsFormat format{};

  /// Declares the flags. The object must outlive the command.
  void add_to(CLI::App* command);
  /// Writes the files that are asked for. Throws StorageError.
  void write_files(const analysis::studies::StudyOutput& output) const;
  /// Prints the study.
  void print_text(const analysis::studies::StudyOutput& output) const;
};

/// Writes to standard output. Throws Error if that fails.
void print(const std::string& text);

}  // namespace touchstone::cli
