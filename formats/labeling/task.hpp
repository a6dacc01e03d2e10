#pragma once

#include "formats/labeling/annotation.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace touchstone::formats::labeling {

/// What the collection's judge said.
struct JudgeDecision {
  std::optional<int> grade;
  std::optional<double> probability;  ///< of evidence or relevance
  std::string reason;
  std::vector<Span> spans;
};

/// A question to people.
struct Task {
  std::string id;  ///< task_id() of the fields that are asked about
  TaskKind kind = TaskKind::kGrade;
  std::string topic, docid;
  std::string member;         ///< title; of kEvidence only
  std::string query;          ///< what a search user would type
  std::string list;           ///< of kEvidence: `article » section » column`, the group that the member may belong to
  std::string title;          ///< of the passage's page; may be empty
  std::string text;           ///< of the passage, as in the corpus
  std::string language;       ///< of query and passage, BCP 47, such as "he"; empty where it is not known
  std::string before, after;  ///< passages around it on its page, shown where the annotator asks for them; may be empty
  std::vector<Span> mentions;  ///< links to the member, or its names, in the text
  std::optional<JudgeDecision> judge;
  std::optional<int> gold;         ///< the right grade, of tasks that check annotators; never shown
  bool probe = false;              ///< every annotator gets it
  std::string stratum;             ///< that it was drawn from; may be empty
  std::uint64_t stratum_size = 0;  ///< tasks that there were in the stratum; 0 where that is not known
};

/// Lowest grade with which the judge of these tasks says yes: 1, and 2 where it has more grades than yes and no.
int judge_yes_grade(std::span<const Task> tasks);

/// Most bytes of a line that read_tasks() accepts.
inline constexpr std::size_t kMaxTaskLineBytes = std::size_t{1} << 24;

/// Names a task by its contents: the same question about the same text has the same id in every folder.
std::string task_id(const Task& task);

/// The task as a line of tasks.jsonl, with its line end; the id comes first.
std::string task_line(const Task& task);

/// Writes the tasks as JSON lines, plain or .gz. Throws StorageError.
void write_tasks(const std::filesystem::path& file, const std::vector<Task>& tasks);

/// Reads what write_tasks() wrote. Throws StorageError, and FormatError with file, line and what is wrong.
std::vector<Task> read_tasks(const std::filesystem::path& file);

}  // namespace touchstone::formats::labeling
