#pragma once

#include "analysis/studies/finished_parts.hpp"
#include "analysis/studies/judged_runs.hpp"
#include "analysis/studies/study_output.hpp"
#include "common/options.hpp"
#include "common/progress.hpp"
#include "common/settings.hpp"
#include "common/stop.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// What a study is. Each study is a room below this one with a function that returns its row; table/ lists the rows.
namespace touchstone::analysis::studies {

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

}  // namespace touchstone::analysis::studies
