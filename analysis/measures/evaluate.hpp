#pragma once

#include "analysis/measures/measure.hpp"
#include "analysis/significance/score_matrix.hpp"
#include "formats/trec/run.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <span>
#include <string>
#include <vector>

/// Scoring runs against qrels.
namespace touchstone::analysis {

struct EvaluateOptions {
  int min_grade = 1;         ///< lowest grade that is relevant (trec_eval -l)
  bool complete = false;     ///< means over all topics of the qrels; a missing one counts as 0 (-c)
  bool judged_only = false;  ///< take passages without a grade >= 0 out of the ranking (-J)
  bool lenient = false;      ///< skip and count bad lines instead of failing at the first
  std::uint32_t max_passages = std::numeric_limits<std::uint32_t>::max();  ///< ranks looked at (-M)
  std::uint64_t collection_size = 0;  ///< passages in the collection, for utility (-N)
  int threads = 0;                    ///< 0: all cores
};

/// One run's values.
struct RunScores {
  std::filesystem::path file;
  std::string tag;                             ///< of the run's last line
  std::vector<std::size_t> topics;             ///< indices into Evaluation::topics, ascending: those that were scored
  std::vector<double> values;                  ///< [topics.size()][measures], row-major
  std::vector<std::string> relevance_strings;  ///< [topics.size()], if a relstring is among the measures
  std::vector<double> means;                   ///< [measures], by each measure's Average
  std::size_t unknown_topics = 0;              ///< in the run, not in the qrels: left out
  std::string first_unknown_topic;             ///< the first of them in the file, if any,
  std::uint64_t first_unknown_line = 0;        ///< and its line number
  std::size_t missing_topics = 0;              ///< in the qrels, not in the run: 0 with `complete`, else left out
  formats::trec::LineFaults faults;                  ///< lines skipped with `lenient`, and lines with words behind the tag
  std::uint64_t first_line_with_more = 0;      ///< line number of the first of the latter

  double value(std::size_t row, std::size_t measure, std::size_t measures) const {
    return values[row * measures + measure];
  }
};

struct Evaluation {
  std::vector<std::string> topics;  ///< of the qrels, in byte order
  std::vector<Measure> measures;
  std::vector<RunScores> runs;  ///< in the order given
  formats::trec::LineFaults qrels_faults;
  bool complete = false;
  std::string measure_prefix;  ///< "Z" after to_z_scores
};

/// Scores every run with every measure. Runs and their topics are worked on in parallel; results do not depend on the
/// number of threads. Memory: the qrels, the values, and of each run in work its text (mapped, or held if compressed).
/// Equal scores are ordered as trec_eval 10 does (formats::trec::RunFile). Throws StorageError for unreadable files,
/// FormatError for the first bad line of the first bad file, and Error when a run shares no topic with the qrels.
Evaluation evaluate(const std::filesystem::path& qrels, std::span<const std::filesystem::path> runs,
                    std::vector<Measure> measures, const EvaluateOptions& options = {});

/// Scores of all runs with one measure on the topics that every run has; with `complete` on all topics of the qrels.
/// Systems are named as run_names() has them. Throws as evaluate(), and Error when no topic is common to all.
ScoreMatrix evaluate_matrix(const std::filesystem::path& qrels, std::span<const std::filesystem::path> runs,
                            const Measure& measure, const EvaluateOptions& options = {});

/// Short names: the files' names without folder and `.gz`, or the paths as they are where those would not be unique.
std::vector<std::string> run_names(std::span<const std::filesystem::path> runs);

/// Replaces each value by its distance from a reference mean in standard deviations (trec_eval -Z), read from lines
/// `topic measure mean deviation`; what the file lacks becomes -1000000. Means are taken over the new values. Throws
/// FormatError with file and line.
void to_z_scores(Evaluation& evaluation, const std::filesystem::path& file);

}  // namespace touchstone::analysis
