#pragma once

#include "common/stop.hpp"
#include "formats/labeling/task.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace touchstone::annotation {

/// Which tasks people are given.
struct TaskSelection {
  std::optional<formats::labeling::TaskKind> kind;  ///< nothing: evidence where the collection has it, else grades
  std::filesystem::path pairs;  ///< (topic, docid) pairs to judge: qrels, a TREC run, or FiRA's judgement-pairs.tsv
  std::size_t sample = 0;       ///< so many of all, as draw_tasks() draws them; 0: all
  std::uint64_t seed = 1;       ///< of the draw
};

/// Makes tasks of a directory with topics, texts, and pairs to judge: an evidence collection (each judgment of a topic,
/// member and passage), a BEIR directory, or a folder with FiRA's `documents.tsv`, `queries.tsv` and
/// `judgement-pairs.tsv`. The grades of qrels, 0 to 3, are what the judge said. Passages before and behind on the same
/// page, or snippets of the same document, are context.
/// The tasks are in the order of topic, docid and member. Memory: the tasks with their texts.
/// Throws StorageError and FormatError for files that cannot be read, and ConfigError where the directory and the
/// selection give no task, or more than a campaign takes.
std::vector<formats::labeling::Task> tasks_of_collection(const std::filesystem::path& directory,
                                                         const TaskSelection& selection, const StopFlag& stop);

/// Sets the right answers of tasks, which check annotators and are never shown. `file` is annotations.jsonl, where
/// the pseudonyms do not matter, or qrels for tasks with grades. Throws FormatError, and ConfigError if no task has
/// one.
void add_gold(std::vector<formats::labeling::Task>& tasks, const std::filesystem::path& file);

}  // namespace touchstone::annotation
