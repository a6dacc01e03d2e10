#pragma once

#include "analysis/studies/judged_runs.hpp"
#include "analysis/studies/study_output.hpp"
#include "common/options.hpp"
#include "common/progress.hpp"
#include "common/settings.hpp"
#include "common/stop.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

/// What a study is. Each study is a room below this one with a function that returns its row; table/ lists the rows.
namespace touchstone::analysis::studies {

/// Results of the parts of a long study, kept in a folder so that an interrupted run goes on where it stopped. A part
/// is a text that the study writes and reads. Thread-safe.
class FinishedParts {
 public:
  /// Keeps nothing: every part is computed.
  FinishedParts() = default;
  /// \param folder       made when the first part is finished
  /// \param fingerprint  of everything that the results depend on; parts of another fingerprint are not read
  FinishedParts(std::filesystem::path folder, std::string fingerprint);

  /// The text of the part: that of the folder, or else what `compute` gives, which is then written. A part that was cut
  /// short is computed again.
  /// \param name  unique within the study
  /// Throws StorageError if the folder cannot be written, and what `compute` throws.
  std::string part(std::string_view name, const std::function<std::string()>& compute);

  /// Removes the folder with all parts, once the result is written.
  void remove();

 private:
  std::filesystem::path file_of(std::string_view name) const;

  std::filesystem::path folder_;  ///< empty: nothing is kept
  std::string fingerprint_;
  std::mutex making_folder_;
};

/// Options that all studies share. The file of --config names them `study.seed`.
struct StudyOptions {
  std::string qrels;
  std::vector<std::string> runs;
  std::vector<std::string> measures;
  std::int64_t min_grade = 1;
  bool complete = true;
  double alpha = 0.05;
  std::int64_t seed = 1;
  static std::vector<Option<StudyOptions>> options();
};

/// What a study is given besides its options.
struct StudyContext {
  const Settings& settings;
  ProgressCounters& progress;  ///< the study sets `total` and counts `done`
  const StopFlag& stop;        ///< long work calls stop.check() between its parts
  FinishedParts& parts;        ///< results of parts that an interrupted run finished

  /// The shared options.
  const StudyOptions& shared() const { return settings.get<StudyOptions>(); }
};

/// The row of a study.
struct Study {
  std::string_view name;     ///< on the command line: "partial"
  std::string_view summary;  ///< one line of --help
  std::string_view unit;     ///< what its progress counts: "selections"
  const OptionGroup* options = nullptr;
  /// Runs inside of an arena with the threads of --threads; the result must not depend on their number. Throws
  /// ConfigError for options and inputs that cannot be studied, and as readers of files do.
  StudyOutput (*run)(StudyContext& context) = nullptr;
};

// What most studies begin with.

/// Reads the runs against the qrels of the shared options. Throws ConfigError that says what to give if there are fewer
/// than `least_runs` runs or no qrels, and as JudgedRuns does.
/// \param depth  ranks that the study looks at
JudgedRuns read_judged_runs(const StudyOptions& options, std::size_t least_runs,
                            std::uint32_t depth = std::numeric_limits<std::uint32_t>::max());

/// The measures of the shared options, or `standard` if there are none. Throws ConfigError as LabelScorer does.
std::vector<measures::LabelScorer> study_measures(const StudyOptions& options, const std::string& standard);

/// Judgments with at least the lowest relevant grade over all topics. Throws ConfigError if there is no such judgment.
std::uint64_t count_relevant(const JudgedRuns& runs, int min_grade);

/// Facts about these inputs, for StudyOutput::facts.
std::vector<std::pair<std::string, std::string>> input_facts(const JudgedRuns& runs, const StudyOptions& options);

// The rows of the studies. Each is defined in the room of its name, and table/ lists them.

namespace adjudication {
/// What labels that were chosen by an adjudication method would say about systems. The gold labels are the judged
/// documents in the pool of the runs.
/// Source: D. Otero, J. Parapar, N. Ferro, "How Discriminative Are Your Qrels?", CIKM 2023, sections 3 to 5.
Study adjudication_study();
}  // namespace adjudication

namespace coverage {
/// How much of the evidence pools of systems find, and how much evidence the judgments lack.
/// Source: D-MERIT, R. Rassin et al., "Evaluating D-MERIT of Partial-annotation on Information Retrieval", 2024,
/// section 2.4 and appendix E.
Study coverage_study();
}  // namespace coverage

namespace leaderboards {
/// Whether two qrels, such as automatic and manual ones, lead to the same leaderboard.
/// Source: L. Dietz, J. Dalton, "Humans optional? Automatic Large-Scale Test Collections for Entity, Passage, and
/// Entity-Passage Retrieval", sections 4.2 to 4.5.
Study leaderboards_study();
/// Whether the links of editors and an entity linker, as sources of relevant entities, lead to the same leaderboard.
/// Source: the same paper, section 4.6 (research question 4).
Study linking_study();
}  // namespace leaderboards

namespace partial {
/// How much the ranking of systems changes when only part of the evidence is labelled.
/// Source: D-MERIT, section 3, appendices D and F.
Study partial_study();
}  // namespace partial

namespace positions {
/// Where in documents relevant snippets are.
/// Source: S. Hofstaetter et al., "Fine-Grained Relevance Annotations for Multi-Task Document Ranking and Question
/// Answering" (FiRA), CIKM 2020, section 4.1.
Study positions_study();
}  // namespace positions

namespace reannotation {
/// What other assessors would change.
/// Source: "Variations in Relevance Judgments and the Shelf Life of Test Collections" (2025).
Study reannotation_study();
}  // namespace reannotation

}  // namespace touchstone::analysis::studies
