#pragma once

#include "formats/labeling/annotation.hpp"
#include "pipeline/audit/collection_decisions.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace touchstone::pipeline::audit {

/// Where answers are, and whose.
struct AnswerFiles {
  std::vector<std::filesystem::path> files;  ///< annotations.jsonl, plain or .gz
  std::filesystem::path tasks;               ///< the tasks that people were given; empty: not compared
  std::set<std::string> annotators;          ///< whose answers are expected; empty: anybody's
};

/// Answers that fit the collection.
struct CheckedAnswers {
  std::map<LabelKey, std::vector<formats::labeling::Annotation>> answers;
  std::uint64_t count = 0;
  std::uint64_t repeated = 0;  ///< the same answer a second time, which does not count
};

/// Reads the answers and compares each with the collection: topic, member, docid and task are known, the passage is the
/// one that was shown, spans are within its text, grades are yes or no, annotators are pseudonyms.
/// Throws FormatError with a sentence for each answer that does not fit, with file and line, at most kMostProblems of
/// them; then nothing counts, so that no answer is lost unseen. Throws ConfigError if the tasks are of other strata.
CheckedAnswers read_answers(const JudgedCollection& collection, const AnswerFiles& files, const StopFlag& stop);

/// Most answers that do not fit which one message names.
inline constexpr std::size_t kMostProblems = 20;

}  // namespace touchstone::pipeline::audit
