#pragma once

#include "analysis/statistics/score_matrix.hpp"
#include "common/json_writer.hpp"

#include <span>
#include <string>
#include <utility>
#include <vector>

/// What an output was computed from: the program, the measure, the files, the topics. Every output begins or ends with
/// it. All functions are pure and thread-safe.
namespace touchstone::analysis::presentation::internal {

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

}  // namespace touchstone::analysis::presentation::internal
