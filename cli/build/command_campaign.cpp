#include "cli/build/campaign_file.hpp"
#include "cli/command.hpp"
#include "collection/kinds.hpp"
#include "common/display_text.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/log.hpp"
#include "common/stop.hpp"
#include "pipeline/cluster/job_runner.hpp"
#include "pipeline/cluster/slurm_options.hpp"
#include "pipeline/cluster/stage_resources.hpp"
#include "pipeline/stage_table.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace touchstone::cli {
namespace {

namespace fs = std::filesystem;
using pipeline::flow::Runner;
using pipeline::flow::StageManifest;

constexpr const char* kTableFile = "campaign.tsv";
constexpr const char* kColumns =
    "wiki\tmonth\tconfig\tstate\tpages\tevidence topics\tevidence\tautomatic topics\tpassages of automatic topics\t"
    "failed checks\tseconds\tpeak memory MB\twhy";

/// The flags that a command line and the file have together.
struct CampaignFlags {
  std::string file;
  std::vector<std::string> assignments;
  int threads = 0;
  std::string executor = "local";
  std::optional<std::uint32_t> only;  ///< a build by its number: a task of an array
};

/// Runs or looks at one build of a campaign. The settings live as long as it does.
class OneBuild {
 public:
  OneBuild(const Campaign& campaign, const CampaignBuild& build, int threads, const Context& context)
      : settings_(load_settings(build.flags, {})),
        build_{pipeline::stage_graph(), settings_, run_options(with_threads(build.flags, threads), context),
               pipeline::stage_graph().stages_for(campaign.to.empty() ? pipeline::default_target() : campaign.to, "")} {
  }
  OneBuild(const OneBuild&) = delete;
  OneBuild& operator=(const OneBuild&) = delete;

  void run(const StopFlag& stop) const { run_build(build_, stop); }

  bool is_done() const {
    if (!has_store()) return false;
    Runner runner(build_.graph, build_.settings, build_.run, storage::Access::kReadOnly);
    const auto plans = runner.plan(build_.stages);
    return std::none_of(plans.begin(), plans.end(), [](const auto& plan) { return plan.run; });
  }

  /// The columns of the table that tell of the result.
  std::string result_columns(const StopFlag& stop) const {
    if (!has_store()) return std::string(8, '\t');
    const Runner runner(build_.graph, build_.settings, build_.run, storage::Access::kReadOnly);
    double seconds = 0;
    std::uint64_t memory = 0;
    std::map<std::string, std::uint64_t> counts;
    for (const auto* stage : build_.stages) {
      const auto manifest = runner.manifest(stage->name);
      if (manifest.state != StageManifest::State::kDone) continue;
      seconds += manifest.seconds;
      memory = std::max(memory, manifest.peak_memory);
      for (const auto& [name, count] : manifest.report.counts) counts[std::string(stage->name) + " " + name] += count;
      if (manifest.report.topics) counts[std::string(stage->name) + " topics"] = *manifest.report.topics;
    }
    const auto count = [&](const std::string& name) {
      return counts.contains(name) ? std::to_string(counts.at(name)) : std::string();
    };
    return fmt::format("\t{}\t{}\t{}\t{}\t{}\t{}\t{:.1f}\t{}", count("ingest pages"), count("export topics"),
                       count("export evidence"), count("export-automatic topics"),
                       count("export-automatic test relevant passages"), failed_checks(stop), seconds,
                       memory / 1'000'000);
  }

 private:
  static WorkFlags with_threads(WorkFlags flags, int threads) {
    flags.threads = threads;
    return flags;
  }
  bool has_store() const { return storage::Store::exists(pipeline::flow::WorkPaths{build_.run.work}.store()); }
  /// Names of the checks of health that the collections fail; "none" if they fail none, empty without a collection.
  std::string failed_checks(const StopFlag& stop) const {
    std::vector<std::string> failed;
    bool any = false;
    for (const char* folder : {"collection", "automatic"}) {
      const auto collection = build_.run.work / folder;
      if (!fs::exists(collection / "sha256sums.txt")) continue;
      any = true;
      for (const auto& check : collection::examine_collection(collection, stop)) {
        if (!check.ok()) failed.push_back(std::string(folder) + " " + check.name);
      }
    }
    return any && failed.empty() ? "none" : fmt::format("{}", fmt::join(failed, ", "));
  }

  const Settings settings_;
  const pipeline::flow::Build build_;
};

/// A field of a line of tab-separated values.
std::string field(std::string text) {
  std::replace(text.begin(), text.end(), '\t', ' ');
  std::replace(text.begin(), text.end(), '\n', ' ');
  return display_text(text);
}

/// What came of all builds, a line each.
/// \param failed  what builds said that failed, by number
std::string table_of(const Campaign& campaign, const std::map<std::uint32_t, std::string>& failed,
                     const Context& context, const StopFlag& stop) {
  std::string text = std::string(kColumns) + "\n";
  for (std::uint32_t i = 0; i < campaign.builds.size(); ++i) {
    const auto& build = campaign.builds[i];
    text += fmt::format("{}\t{}\t{}", field(build.wiki), build.month, field(build.config));
    const auto found = failed.find(i);
    std::string why = found == failed.end() ? "" : found->second;
    try {
      const OneBuild one(campaign, build, 1, context);
      const auto state = !why.empty() ? "failed" : one.is_done() ? "done" : "not finished";
      text += fmt::format("\t{}{}", state, one.result_columns(stop));
    } catch (const Interrupted&) {
      throw;
    } catch (const Error& error) {
      if (why.empty()) why = error.what();
      text += "\tfailed" + std::string(8, '\t');
    }
    text += "\t" + field(why) + "\n";
  }
  return text;
}

/// One build after the other. A build that fails is noted, and the others go on.
std::map<std::uint32_t, std::string> run_here(const Campaign& campaign, const CampaignFlags& flags,
                                              const Context& context, const StopFlag& stop) {
  std::map<std::uint32_t, std::string> failed;
  for (std::uint32_t i = 0; i < campaign.builds.size(); ++i) {
    const auto& build = campaign.builds[i];
    log_info("campaign: build {} of {}, {}", i + 1, campaign.builds.size(), build.place().string());
    try {
      OneBuild(campaign, build, flags.threads, context).run(stop);
    } catch (const Interrupted&) {
      throw;
    } catch (const Error& error) {
      failed[i] = error.what();
      log_line(LogLevel::kWarn, fmt::format("campaign: {} failed: {}", build.place().string(), error.what()));
    }
  }
  return failed;
}

/// False also for a build that cannot be looked at: its task will say why.
bool is_done(const Campaign& campaign, std::uint32_t build, const Context& context) {
  try {
    return OneBuild(campaign, campaign.builds[build], 1, context).is_done();
  } catch (const Interrupted&) {
    throw;
  } catch (const Error&) {
    return false;
  }
}

/// All builds as the tasks of one array.
std::map<std::uint32_t, std::string> run_on_cluster(const Campaign& campaign, const CampaignFlags& flags,
                                                    const pipeline::cluster::SlurmOptions& options,
                                                    const Context& context, const StopFlag& stop) {
  using pipeline::cluster::ClusterWork;
  ClusterWork work;
  work.name = "campaign";
  work.task_noun = "build";
  work.needs_all = false;
  work.tasks = static_cast<std::uint32_t>(campaign.builds.size());
  work.task = {"--progress", "never",   "campaign",  fs::absolute(flags.file).string(),
               "--only",     "{index}", "--threads", std::to_string(options.merge_cpus)};
  for (const auto& assignment : flags.assignments) work.task.insert(work.task.end(), {"--set", assignment});
  work.task_needs = pipeline::cluster::stage_resources(options, "campaign", 1, nullptr).merge;
  work.missing = [&] {
    std::vector<std::uint32_t> missing;
    for (std::uint32_t i = 0; i < campaign.builds.size(); ++i) {
      if (!is_done(campaign, i, context)) missing.push_back(i);
    }
    return missing;
  };
  fs::create_directories(campaign.work);
  pipeline::cluster::JobRunner jobs(campaign.work, options, fs::read_symlink("/proc/self/exe"), stop);
  return jobs.finish(std::move(work));
}

}  // namespace

void add_campaign(CLI::App* app, Context& context) {
  auto* command =
      app->add_subcommand("campaign", "Build collections of several wikis, months and configurations, with one table");
  auto flags = std::make_shared<CampaignFlags>();
  command->add_option("FILE", flags->file, "What to build, in TOML; see docs/cluster.md")->required();
  command->add_option("--set", flags->assignments, "Set one option of all builds; overrides the file")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->take_all();
  add_threads(command, flags->threads);
  command->add_option("--executor", flags->executor, "Where builds run: local (one after another) or slurm (one array)")
      ->check(one_of({"local", "slurm"}))
      ->type_name("EXECUTOR");
  command->add_option("--only", flags->only, "Run this build alone, counted from 0, and write no table")
      ->type_name("I");
  add_footer(command);
  command->callback([=, &context] {
    auto settings = campaign_settings();
    settings.read_file(flags->file);
    std::vector<std::string> of_builds;
    for (const auto& assignment : flags->assignments) {
      if (assignment.starts_with("slurm.")) settings.read_assignment(assignment);
      of_builds.push_back(assignment);
    }
    settings.check();
    settings.throw_if_problems();
    const auto campaign = campaign_of(settings, flags->file, of_builds);
    auto& stop = install_stop_signals();
    if (flags->only) {
      if (*flags->only >= campaign.builds.size())
        throw ConfigError(fmt::format("{} names {} builds, counted from 0, and none is number {}", flags->file,
                                      campaign.builds.size(), *flags->only));
      return OneBuild(campaign, campaign.builds[*flags->only], flags->threads, context).run(stop);
    }
    const auto failed =
        flags->executor == "slurm"
            ? run_on_cluster(campaign, *flags, settings.get<pipeline::cluster::SlurmOptions>(), context, stop)
            : run_here(campaign, *flags, context, stop);
    const auto table = table_of(campaign, failed, context, stop);
    fs::create_directories(campaign.work);
    write_file_atomically(campaign.work / kTableFile, table);
    std::fputs(table.c_str(), stdout);
    if (!failed.empty())
      throw Error(fmt::format("{} of {} builds failed; {} says why, and the same command runs only what is missing",
                              failed.size(), campaign.builds.size(), (campaign.work / kTableFile).string()));
  });
}

}  // namespace touchstone::cli
