#pragma once

#include "analysis/measures/answer_scores.hpp"
#include "analysis/presentation/evaluation_text.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// Scores of answers as text. All functions are pure.
namespace touchstone::analysis::presentation {

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
