#pragma once

#include "analysis/measures/answer_scores.hpp"
#include "analysis/measures/evaluate.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Evaluations as text. All functions are pure.
namespace touchstone::analysis::presentation {

enum class TextFormat : std::uint8_t {
  kTable,     ///< aligned columns, values with four decimals
  kTsv,       ///< comments `# name: value`, header `run measure topic value`; values with all digits
  kJson,      ///< an object with files, options, topics and `values`, an array of {run, measure, topic, value}
  kTrecEval,  ///< the text of trec_eval 10, one run after another
};
inline constexpr std::pair<std::string_view, TextFormat> kTextFormats[] = {{"table", TextFormat::kTable},
                                                                           {"tsv", TextFormat::kTsv},
                                                                           {"json", TextFormat::kJson},
                                                                           {"trec_eval", TextFormat::kTrecEval}};

struct TextOptions {
  TextFormat format = TextFormat::kTable;
  bool per_topic = false;  ///< print the values of each topic, before those over all topics
  bool summary = true;     ///< print the values over all topics, as topic `all`
};

/// Each form but kTrecEval names the program's version, the qrels and the options that change values. Runs keep their
/// order, topics are in byte order, measures are in the evaluation's order (kTrecEval: in trec_eval's). Measures
/// without values for single topics (num_q, gm_map, ...) occur only in the summary, relstring only with topics. The
/// same evaluation gives the same bytes.
std::string evaluation_text(const measures::Evaluation& evaluation, const TextOptions& options);

// Scores of answers as text. All functions are pure.

/// The scores of the answers to the topics of one collection.
struct CollectionAnswers {
  std::string collection;  ///< its directory
  std::vector<measures::TopicAnswer> answers;
  measures::AnswerScores scores;
  std::uint64_t topics = 0;  ///< of the collection
};

struct AnswerEvaluation {
  std::string file;  ///< with the answers
  measures::AnswerOptions options;
  bool complete = false;  ///< topics without an answer count as an empty one
  std::vector<CollectionAnswers> collections;
};

/// docs/answers.md describes the forms. \pre options.format is not TextFormat::kTrecEval
std::string answer_text(const AnswerEvaluation& evaluation, const TextOptions& options);

}  // namespace touchstone::analysis::presentation
