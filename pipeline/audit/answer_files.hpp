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
  /// What is wrong with an answer that does not fit, a sentence each, with file and line. Where there is one, nothing
  /// should be counted, so that no answer is lost unseen.
  std::vector<std::string> problems;
};

/// Reads the answers and compares each with the collection: topic, member, docid and task are known, the passage is the
/// one that was shown, spans are within its text, grades are yes or no, annotators are pseudonyms.
/// Throws StorageError if a file cannot be read, and ConfigError if the tasks are of other strata.
CheckedAnswers read_answers(const JudgedCollection& collection, const AnswerFiles& files, const StopFlag& stop);

}  // namespace touchstone::pipeline::audit
