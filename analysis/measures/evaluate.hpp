#pragma once

#include "analysis/measures/measure.hpp"
#include "analysis/statistics/score_matrix.hpp"
#include "formats/trec/qrels_table.hpp"
#include "formats/trec/run.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <span>
#include <string>
#include <vector>

/// Scores runs against judgments.
namespace touchstone::analysis::measures {

struct EvaluateOptions {
  int min_grade = 1;         ///< lowest relevant grade (trec_eval -l)
  bool complete = false;     ///< means over all topics of the qrels; missing topics count as 0 (-c)
  bool judged_only = false;  ///< remove passages without a grade >= 0 from the ranking (-J)
  bool lenient = false;      ///< skip and count bad lines instead of failing
  std::uint32_t max_passages = std::numeric_limits<std::uint32_t>::max();  ///< ranks that count (-M)
  std::uint64_t collection_size = 0;  ///< passages in the collection, for utility (-N)
  int threads = 0;                    ///< 0: all cores
  std::string bad_line_advice{};      ///< added to the message about a bad line of a run: what else the caller offers
};

/// The values of one run.
struct RunScores {
  std::filesystem::path file;
  std::string tag;                             ///< of the run's last line
  std::string name;                            ///< in all outputs: run_names()
  std::vector<std::size_t> topics;             ///< scored topics: indices into Evaluation::topics, ascending
  std::vector<double> values;                  ///< [topics.size()][measures], row-major
  std::vector<std::string> relevance_strings;  ///< [topics.size()] if relstring is a measure
  std::vector<double> means;                   ///< [measures], by the Average of the measure
  std::size_t unknown_topics = 0;              ///< topics of the run that the qrels lack; they are left out
  std::string first_unknown_topic;             ///< the first of them in the file
  std::uint64_t first_unknown_line = 0;        ///< line number of its first line
  std::size_t missing_topics = 0;              ///< topics of the qrels that the run lacks
  formats::trec::LineFaults faults;            ///< lines that `lenient` skipped, and lines with words behind the tag
  std::uint64_t first_line_with_more = 0;      ///< line number of the first line with words behind the tag

  double value(std::size_t row, std::size_t measure, std::size_t measures) const {
    return values[row * measures + measure];
  }
};

struct Evaluation {
  std::filesystem::path qrels;
  EvaluateOptions options;
  std::vector<std::string> topics;      ///< of the qrels, in byte order
  std::uint64_t grades_above_zero = 0;  ///< judgments with grade 1 or more, whatever the lowest relevant grade
  int highest_grade = -1;               ///< of the qrels; -1 if all are below 0
  std::vector<Measure> measures;
  std::vector<RunScores> runs;  ///< in the order of the arguments
  formats::trec::LineFaults qrels_faults;
  std::string measure_prefix;  ///< "Z" after to_z_scores
  std::string z_scores;        ///< the file of to_z_scores()
};

/// Scores every run with every measure. Works on runs and topics in parallel; results do not depend on the number of
/// threads. Orders equal scores as trec_eval 10 does: by descending docid (formats::trec::RunFile). Memory: the
/// judgments, the values, and the text of each run that is being scored (mapped; in memory if compressed). Throws
/// StorageError for unreadable files, FormatError for the first bad line of the first bad file, ConfigError if a
/// measure cannot take the grades, and Error if a run shares no topic with the judgments. The means of a run without a
/// line are 0.
Evaluation evaluate(const std::filesystem::path& qrels, std::span<const std::filesystem::path> runs,
                    std::vector<Measure> measures, const EvaluateOptions& options = {});

/// Why the measure is 0 for every run: its level is above the highest grade of the qrels. Empty if it is not.
std::string why_always_zero(const Measure& measure, const Evaluation& evaluation);

/// Scores of all runs on the topics that all runs have, or with `complete` on all topics of the qrels: a matrix for
/// each measure. The topics may differ if a measure has no value for some of them. Names systems by run_names(). Throws
/// as evaluate(); ConfigError for a measure of texts, for one that is always 0 (why_always_zero()), and for a repeated
/// run; Error if no topic is common to all runs.
std::vector<statistics::ScoreMatrix> evaluate_matrices(const std::filesystem::path& qrels,
                                                       std::span<const std::filesystem::path> runs,
                                                       const std::vector<Measure>& measures,
                                                       const EvaluateOptions& options = {});

/// Throws Error: the run and the qrels share no topic.
[[noreturn]] void refuse_different_topics(const formats::trec::RunFile& run, const formats::trec::QrelsTable& qrels);

/// Throws ConfigError if a run is given twice.
void refuse_repeated(std::span<const std::filesystem::path> runs);

/// Names of runs: their tags. Runs whose tags are equal are named by their files, without folder and `.gz`, and if
/// these names are taken too, by the paths. A tag with control characters or bytes that are not UTF-8 is not a name. A
/// run without a tag is named by its file without `.run`. \pre runs.size() == tags.size()
std::vector<std::string> run_names(std::span<const std::filesystem::path> runs, std::span<const std::string> tags);

/// Replaces each value by its distance from a reference mean in standard deviations (trec_eval -Z), and takes means
/// over the new values. The lines of `file` are `topic measure mean deviation`; values without a reference become
/// -1000000. Throws FormatError with file and line.
void to_z_scores(Evaluation& evaluation, const std::filesystem::path& file);

}  // namespace touchstone::analysis::measures
