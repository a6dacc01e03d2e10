#include "cli/build/coverage.hpp"
#include "cli/command.hpp"
#include "cli/statistics_flags.hpp"
#include "cli/survey_advice.hpp"
#include "collection/kinds.hpp"
#include "common/error.hpp"
#include "common/stop.hpp"
#include "pipeline/stage_table.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace touchstone::cli {
namespace {

/// A collection that a build may write: stage, and directory in the work directory.
struct MadeCollection {
  std::string_view stage, folder;
  build::CollectionKind kind;
};
constexpr MadeCollection kCollections[] = {{"export", "collection", build::CollectionKind::kEvidence},
                                           {"export-automatic", "automatic", build::CollectionKind::kAutomatic}};

using Stages = std::vector<const pipeline::flow::StageInfo*>;

/// Those that the stages write.
std::vector<MadeCollection> collections_of(const Stages& stages) {
  std::vector<MadeCollection> made;
  for (const auto& collection : kCollections) {
    const auto writes = [&](const auto* info) { return info->name == collection.stage; };
    if (std::any_of(stages.begin(), stages.end(), writes)) made.push_back(collection);
  }
  return made;
}

/// For --require-health: throws Error with the checks that failed in the collections that the stages write.
void require_health(const std::filesystem::path& work, const Stages& stages) {
  std::string failed;
  for (const auto& collection : collections_of(stages)) {
    const auto directory = work / collection.folder;
    std::string names;
    for (const auto& check : collection::examine_collection(directory, install_stop_signals())) {
      if (check.ok()) continue;
      names += (names.empty() ? "" : ", ") + check.name + " " + collection::health::health_value(check) +
               " (should be " + collection::health::health_bound(check) + ")";
    }
    if (names.empty()) continue;
    failed += (failed.empty() ? "" : "; ") + directory.string() + " fails " + names;
  }
  if (!failed.empty()) {
    throw Error(failed + "; touchstone health with the directory says what each means and which option mends it, or " +
                "build without --require-health");
  }
}

/// Flags of `build` that are those of several stages: each value goes to the stages that the build needs, so that
/// `--review FILE` is about the topics of the collection that is built.
class SharedFlags {
 public:
  explicit SharedFlags(const pipeline::flow::StageGraph& graph) {
    for (const auto& stage : graph.stages()) {
      for (const auto& shorthand : stage.shorthands) {
        if (shorthand.of_build) flags_[shorthand.flag].keys.emplace_back(stage.name, shorthand.key);
      }
    }
    std::erase_if(flags_, [](const auto& entry) { return entry.second.keys.size() < 2; });
  }

  /// Adds a flag to the command once. Returns false if only one stage has it.
  bool add(Command command, const pipeline::flow::Shorthand& shorthand) {
    const auto found = flags_.find(shorthand.flag);
    if (found == flags_.end()) return false;
    auto& flag = found->second;
    if (std::exchange(flag.added, true)) return true;
    command.add_option(std::string(shorthand.flag), flag.value, std::string(shorthand.summary))
        .type_name(std::string(shorthand.type_name));
    return true;
  }

  /// Hands the values to the options of these stages.
  void assign(const Stages& stages, WorkFlags& flags) const {
    for (const auto& [name, flag] : flags_) {
      if (flag.value.empty()) continue;
      std::string names;
      const auto before = flags.assignments.size();
      for (const auto& [stage, key] : flag.keys) {
        const auto is_run = [name = stage](const auto* info) { return info->name == name; };
        if (std::any_of(stages.begin(), stages.end(), is_run)) flags.assignments.push_back(key + "=" + flag.value);
        names += (names.empty() ? "" : " and ") + stage;
      }
      if (flags.assignments.size() == before)
        throw ConfigError(std::string(name) + " is for the stages " + names + ", and this build runs none of them");
    }
  }

 private:
  struct Flag {
    std::vector<std::pair<std::string, std::string>> keys;  ///< stage, option
    std::string value;
    bool added = false;
  };
  std::map<std::string_view, Flag> flags_;
};

}  // namespace

void add_build(Command app, Context& context) {
  const auto& graph = pipeline::stage_graph();
  auto command = app.add_subcommand("build", "Run all stages: from a dump to a collection and a report");
  auto flags = std::make_shared<WorkFlags>();
  auto from = std::make_shared<std::string>();
  auto to = std::make_shared<std::string>(pipeline::default_target());
  auto list = std::make_shared<bool>(false);
  std::vector<std::string> names;
  for (const auto& stage : graph.stages()) names.emplace_back(stage.name);
  flags->add_to(command, WorkFlags::kConfig | WorkFlags::kSources | WorkFlags::kReplace | WorkFlags::kRun);
  command.get_option("--work").required(false);
  const auto shared = std::make_shared<SharedFlags>(graph);
  for (const auto& stage : graph.stages()) {
    for (const auto& shorthand : stage.shorthands) {
      if (shorthand.of_build && !shared->add(command, shorthand)) flags->add_shorthand(command, shorthand);
    }
  }
  command.add_option("--from", *from, "First stage to run").one_of(names).type_name("STAGE");
  command.add_option("--to", *to, "Target or stage to make, with everything it needs (default: report)")
      .one_of(graph.target_names())
      .type_name("TARGET");
  flags->add_shards(command);
  command.add_flag("--list-stages", *list, "Print the stages with what they read and write, and exit");
  add_footer(command, ExitStatus::kNoTopics);
  auto must_be_healthy = std::make_shared<bool>(false);
  command.add_flag("--require-health", *must_be_healthy, "Fail if a check of touchstone health fails");
  auto with_coverage = std::make_shared<bool>(false);
  command.add_flag("--with-coverage", *with_coverage,
                   "Answer the topics with the baseline systems and study what their pools find: WORK/coverage");
  command.callback([=, &context, &graph] {
    if (*list) {
      std::fputs(graph.listing().c_str(), stdout);
      return;
    }
    if (flags->work.empty()) throw ConfigError("build needs --work DIR: the directory for the store and the results");
    const auto stages = graph.stages_for(*to, *from);
    if (*with_coverage && collections_of(stages).empty())
      throw ConfigError("--with-coverage needs a collection, and --to " + *to +
                        (from->empty() ? "" : " --from " + *from) + " makes none; leave out one of them");
    shared->assign(stages, *flags);
    const auto settings = load_run_settings(*flags);
    const pipeline::flow::Build build{graph, settings, run_options(*flags, context), stages};
    run_and_print(build, flags->dry_run);
    if (flags->dry_run) return;
    if (*with_coverage) {
      for (const auto& collection : collections_of(stages))
        print(build::measure_coverage(*flags, collection.kind, context));
    }
    if (advise_if_no_topics(build, *to)) context.exit_status = ExitStatus::kNoTopics;
    if (*must_be_healthy) require_health(flags->work, stages);
  });
}

}  // namespace touchstone::cli
