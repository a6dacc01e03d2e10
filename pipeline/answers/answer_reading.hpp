#pragma once

#include "analysis/measures/answer_scores.hpp"
#include "pipeline/answers/answer_file.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace touchstone::pipeline::answers {

/// What the answers of a file state about the topics of one collection.
struct AnswerReading {
  std::vector<analysis::measures::TopicAnswer> topics;  ///< by topic
  std::uint64_t topics_of_collection = 0;
  std::uint64_t missing_topics = 0;          ///< without an answer
  std::vector<const Answer*> other_answers;  ///< to topics that the collection does not have
  std::uint64_t unknown_citations = 0;       ///< of passages that the corpus does not have
  std::string first_unknown;                 ///< docid of the first of them
  std::uint64_t first_unknown_line = 0;
};

/// Finds in each answer the members of its topic and other pages of the collection. docs/answers.md has the rules.
/// \param answers   outlives the result
/// \param complete  topics without an answer count as an empty one
/// Throws as read_answer_collection().
AnswerReading read_statements(const std::filesystem::path& collection, const std::vector<Answer>& answers,
                              bool complete);

}  // namespace touchstone::pipeline::answers
