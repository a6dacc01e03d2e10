#pragma once

#include "pipeline/flow/stage.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::pipeline::flow {

/// A name for what `build --to` can make: the results of some stages. Each stage's name is a target as well.
struct Target {
  std::string_view name, summary;
  std::vector<std::string_view> stages;
};

/// All stages and targets of a program. Which stage needs which follows from what they read and write, so a further
/// path through the graph is added by rows alone.
class StageGraph {
 public:
  /// TS_CHECKs that the rows make a graph: a stage is behind all it needs, each input is some stage's output, no
  /// two stages write the same, names are unique, and every option that a stage reads is in its fingerprint. \param
  /// first_options  groups to list before those of the stages, such as options that many stages read
  StageGraph(std::vector<StageInfo> stages, std::vector<Target> targets,
             std::vector<const OptionGroup*> first_options = {});

  /// In an order in which they can run.
  std::span<const StageInfo> stages() const noexcept { return stages_; }
  std::span<const Target> targets() const noexcept { return targets_; }
  /// The same, as the runner takes them.
  std::vector<const StageInfo*> all() const;
  /// Null when there is none.
  const StageInfo* find(std::string_view name) const;

  /// The stages that write what this one reads, in order. Stages that another of them needs anyway are left out.
  const std::vector<const StageInfo*>& needs(const StageInfo& stage) const;
  /// These stages and all that they need, in order.
  std::vector<const StageInfo*> closure(std::span<const StageInfo* const> stages) const;
  /// Throws ConfigError, with the reason, if no settings make a stage find a topic and all results of the chosen stages
  /// are about its topics: of a stage that no other chosen one needs, and that is behind it.
  /// \param report  of the stage
  void check_topics(const StageInfo& stage, const StageReport& report, std::span<const StageInfo* const> chosen) const;

  /// The stages to run for a target. Throws ConfigError for names that there are not, and when the target does not need
  /// the stage `from`.
  /// \param from  the first stage to run; those before it in the order are left out. Empty: all
  std::vector<const StageInfo*> stages_for(std::string_view target, std::string_view from = {}) const;

  /// Names of all targets, then of all stages.
  std::vector<std::string> target_names() const;

  /// All options of all stages, with their defaults.
  Settings settings() const;

  /// The graph as text: each stage with what it reads and writes, then the targets.
  std::string listing() const;

 private:
  std::size_t index_of(const StageInfo& stage) const { return static_cast<std::size_t>(&stage - stages_.data()); }
  void connect(std::size_t index);
  void check_options(std::size_t index) const;

  std::vector<StageInfo> stages_;
  std::vector<Target> targets_;
  std::vector<const OptionGroup*> first_options_;
  std::vector<std::vector<const StageInfo*>> needs_;  // by stage
  std::vector<std::vector<bool>> before_;             // by stage: which stages it needs, directly or not
};

}  // namespace touchstone::pipeline::flow
