#pragma once

#include "analysis/presentation/statistics_text.hpp"
#include "analysis/significance/significance.hpp"
#include "analysis/statistics/score_matrix.hpp"
#include "common/json_writer.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace touchstone::analysis::presentation::internal {

// How this room writes numbers and JSON, on top of common/number_text.hpp.

/// Four decimals, for people. NaN is "-".
std::string short_number(double value);

/// The shortest decimal that reads back as the same number, in fixed notation from 1e-4 to 1e16. NaN is "".
std::string full_number(double value);

/// The function that a format other than JSON uses.
using NumberText = std::string (*)(double);
NumberText number_text(StatisticsFormat format);

/// A JSON document, indented by one blank a level.
JsonWriter json_document();

/// Rows of cells, printed as aligned columns or separated by tabs.
class TextTable {
 public:
  void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

  /// Columns two blanks apart, each as wide as its longest cell in bytes. The first `left_columns` columns are aligned
  /// to the left, the others to the right. Lines end without blanks.
  std::string aligned(std::size_t left_columns = 1) const;

  std::string tab_separated() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

// What an output was computed from: the program, the measure, the files, the topics. Every output begins or ends with
// it. All functions are pure and thread-safe.

/// "touchstone 0.1.0+6f62703a1b"
std::string program_and_version();

/// Facts about an output as names and values, in the order in which they are printed.
using Facts = std::vector<std::pair<std::string, std::string>>;

/// The measure, the file of the judgments or scores, the topics and the runs with their files.
Facts source_facts(const statistics::ScoreMatrix& scores);

/// Comments `# name: value` before the header of a TSV table, after one with the program. Control characters of a value
/// become blanks. \param mark  what begins a comment
std::string tsv_head(const Facts& facts, char mark = '#');

/// Lines `name: value` and one with the program, below a table.
std::string table_foot(const Facts& facts);

/// One line: "measure nDCG@10 by qrels.txt" or "scores of m.tsv".
std::string source_line(const statistics::ScoreSource& source);

/// What an axis shows: the measure, or "score" if the matrix does not name it.
std::string measure_or_score(const statistics::ScoreSource& source);

/// The fields `version`, `measure`, `qrels` or `matrix`, `complete`, `topics_left_out`, `topic_ids` and `runs` (system,
/// file and tag) of an open JSON object.
void write_source(JsonWriter& json, const statistics::ScoreMatrix& scores);

/// The field `version` of an open JSON object.
void write_version(JsonWriter& json);

// How significance tests and their results are described, whatever is tested.

/// "t-test, holm, alpha 0.05", with the permutations and the seed of a sampled test.
std::string test_words(const significance::CompareOptions& options, bool exact);

/// A p-value for people.
std::string p_value_text(double p);

/// What the intervals low and high cover.
std::string interval_note(const significance::IntervalKind& intervals, const significance::CompareOptions& options);

/// The test, its options and the kind of its intervals, for the head of a TSV table.
void add_test_facts(Facts& facts, const significance::CompareOptions& options,
                    const significance::IntervalKind& intervals, bool exact);

/// The fields `test`, `correction`, `alpha`, and of a sampled test `permutations`, `seed` and `exact`.
void write_test(JsonWriter& json, const significance::CompareOptions& options, bool exact);

/// The field `intervals`: `level`, `simultaneous`, and `fcr_level` under Benjamini-Hochberg.
void write_intervals(JsonWriter& json, const significance::IntervalKind& intervals);

}  // namespace touchstone::analysis::presentation::internal
