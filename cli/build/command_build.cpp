#include "analysis/studies/table/study_table.hpp"
#include "cli/command.hpp"
#include "cli/statistics_flags.hpp"
#include "cli/studies/study_flags.hpp"
#include "collection/kinds.hpp"
#include "common/digest.hpp"
#include "common/display_text.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/stop.hpp"
#include "common/version.hpp"
#include "formats/trec/qrels.hpp"
#include "pipeline/baseline/bm25_run.hpp"
#include "pipeline/cluster/slurm_driver.hpp"
#include "pipeline/flow/work_files.hpp"
#include "pipeline/forecast/forecast.hpp"
#include "pipeline/inspection/links.hpp"
#include "pipeline/stage_table.hpp"
#include "retrieval/retrieve.hpp"
#include "retrieval/system.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace touchstone::cli {
namespace {

using pipeline::baseline::CollectionKind;

namespace fs = std::filesystem;

constexpr const char* kSummaryFile = "summary.txt";
constexpr const char* kDigestsFile = "sha256sums.txt";  ///< written last: its name says that all other files are whole
constexpr const char* kLinksFile = "links.tsv";
constexpr const char* kRunsFolder = "runs";

/// Places of a collection and of what is made of it.
struct Places {
  fs::path collection, qrels, out;
};

Places places_of(const fs::path& work, CollectionKind kind) {
  if (kind == CollectionKind::kEvidence)
    return {work / "collection", work / "collection" / "qrels.txt", work / "coverage" / "evidence"};
  return {work / "automatic", work / "automatic" / "trec" / "test.hierarchical.qrels", work / "coverage" / "automatic"};
}

bool has_evidence(const fs::path& qrels) {
  bool found = false;
  for_each_line(qrels, [&](std::string_view line, std::uint64_t) {
    const auto qrel = formats::trec::parse_qrel(line);
    found = qrel && qrel->grade > 0;
    return !found;
  });
  return found;
}

/// Of the collection and the program.
std::string fingerprint(const fs::path& collection) {
  Sha256 digest;
  digest.update_field(program_version()).update_field(sha256_file(collection / "sha256sums.txt"));
  return digest.hex();
}

/// Whether all files are as sha256sums.txt says.
bool is_whole(const fs::path& folder) {
  if (!fs::exists(folder / kDigestsFile)) return false;
  bool whole = true;
  for_each_line(folder / kDigestsFile, [&](std::string_view line, std::uint64_t) {
    constexpr std::size_t kDigits = 64;
    if (line.size() < kDigits + 3) return whole = false;
    const auto file = folder / line.substr(kDigits + 2);
    return whole = fs::is_regular_file(file) && sha256_file(file) == line.substr(0, kDigits);
  });
  return whole;
}

/// Removes what an earlier run wrote that a new one would not write over.
void remove_old_files(const fs::path& folder) {
  fs::remove(folder / kDigestsFile);
  fs::remove(folder / kLinksFile);
  for (const auto& system : retrieval::systems()) fs::remove(folder / kRunsFolder / (std::string(system.tag) + ".run"));
  std::vector<fs::path> left;  // indexes of killed runs
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.is_directory() && entry.path().filename().string().starts_with("retrieve-")) left.push_back(entry.path());
  }
  for (const auto& index : left) fs::remove_all(index);
}

std::vector<std::string> make_runs(const Places& places, CollectionKind kind, const fs::path& work, int threads) {
  retrieval::RetrieveOptions options;
  options.collection = places.collection;
  options.out = places.out / kRunsFolder;
  options.temporary = places.out;
  options.threads = threads;
  options.stop = &install_stop_signals();
  if (kind == CollectionKind::kEvidence) {
    options.links = places.out / kLinksFile;
    write_links(work, {.resolved = true}, options.links);
  }
  std::vector<std::string> runs;
  for (const auto& system : retrieval::retrieve(options).systems) runs.push_back(system.run.string());
  return runs;
}

analysis::studies::StudyOutput study_runs(const Places& places, const std::vector<std::string>& runs, int threads,
                                          const Context& context) {
  Settings settings(analysis::studies::table::all_study_options());
  auto& shared = settings.edit<analysis::studies::StudyOptions>();
  shared.qrels = places.qrels.string();
  shared.runs = runs;
  analysis::studies::FinishedParts parts;  // the study takes seconds
  return studies::run_study(analysis::studies::coverage::coverage_study(), settings, threads, parts, context);
}

std::string first_sentence(const std::string& text) {
  const auto end = text.find(". ");
  return end == std::string::npos ? text : text.substr(0, end + 1);
}

/// What the study says of the known evidence, with its verdict, and of passages without a label.
std::string summary_of(const analysis::studies::StudyOutput& output, const fs::path& folder) {
  const auto& found = output.findings.at(0);
  const auto verdict = std::find_if(std::begin(analysis::studies::kVerdicts), std::end(analysis::studies::kVerdicts),
                                    [&](const auto& entry) { return entry.second == found.verdict; });
  return "coverage    " + first_sentence(found.statement) + " Verdict: " + std::string(verdict->first) +
         ".\n            " + first_sentence(output.findings.at(2).statement) + " See " +
         (folder / "report.html").string() + "\n";
}

/// Writes sha256sums.txt of what the study wrote, the runs and the summary.
void write_digests(const fs::path& folder, const std::vector<std::string>& runs,
                   const analysis::studies::StudyOutput& output) {
  std::vector<fs::path> files{folder / kSummaryFile, folder / "report.html", folder / "study.json"};
  files.insert(files.end(), runs.begin(), runs.end());
  for (const auto& table : output.tables) {
    for (const char* form : {".tsv", ".tex"}) files.push_back(folder / (table.name + form));
  }
  for (const auto& chart : output.charts) {
    for (const char* form : {".svg", ".pdf"}) files.push_back(folder / (chart.name + form));
  }
  std::string digests;
  for (const auto& file : files) {
    if (fs::exists(file))  // there are no PDF files without the program that draws them
      digests += sha256_file(file) + "  " + file.lexically_relative(folder).string() + "\n";
  }
  write_file_atomically(folder / kDigestsFile, digests);
}

/// Answers the topics of a finished collection with all baseline systems, studies how much of the known evidence their
/// pools hold, and writes runs and the study's files to `<work>/coverage/evidence` or `<work>/coverage/automatic`. Does
/// nothing if all of these are there, unchanged, and were made of the same collection by the same program. Other files
/// in the folder stay. After an interruption the runs are made anew.
/// \param flags  work directory and threads; with `force` everything is made again
/// \returns      lines for the user: what the study found, or why there was nothing to study
std::string measure_coverage(const WorkFlags& flags, CollectionKind kind, const Context& context) {
  const auto places = places_of(flags.work, kind);
  if (!has_evidence(places.qrels))
    return "coverage    not measured: " + places.qrels.string() + " holds no relevant passage\n";
  const auto summary = places.out / kSummaryFile;
  const auto made_of = "made of " + fingerprint(places.collection) + "\n";
  if (!flags.force && is_whole(places.out)) {
    const auto before = read_file(summary);
    if (before.starts_with(made_of)) return before.substr(made_of.size());
  }
  fs::create_directories(places.out);
  remove_old_files(places.out);
  const auto runs = make_runs(places, kind, flags.work, flags.threads);
  if (runs.empty()) return "coverage    not measured: no baseline system finds a passage for any topic\n";
  const auto output = study_runs(places, runs, flags.threads, context);
  write_study_folder(output, places.out);
  auto lines = summary_of(output, places.out);
  write_file_atomically(summary, made_of + lines);
  write_digests(places.out, runs, output);
  return lines;
}

/// A collection that a build may write.
struct MadeCollection {
  std::string_view stage, folder;  ///< folder: in the work directory
  CollectionKind kind;
  std::string_view name;
  std::string_view chooses_topics;  ///< the stage that chooses topics, and warns if it found none
};
constexpr MadeCollection kCollections[] = {
    {"export", "collection", CollectionKind::kEvidence, "evidence", "groups"},
    {"export-automatic", "automatic", CollectionKind::kAutomatic, "automatic", "facets"}};

/// The program that runs, as jobs have to call it. Throws StorageError.
fs::path this_program() {
  return fs::read_symlink("/proc/self/exe");
}

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

/// Takes out of the collections those without a topic, and says why each has none.
std::string take_out_missing(const pipeline::flow::Build& build, std::vector<MadeCollection>& collections) {
  std::string text;
  std::erase_if(collections, [&](const MadeCollection& collection) {
    if (pipeline::flow::report_of(build, collection.stage).topics.value_or(0) > 0) return false;
    const auto warnings = pipeline::flow::report_of(build, collection.chooses_topics).warnings;
    text += fmt::format("missing  no {} collection: {}\n", collection.name,
                        warnings.empty() ? "no topic was found" : warnings.front());
    return true;
  });
  return text;
}

/// For --require-health: throws Error with the checks that failed in the collections.
void require_health(const std::filesystem::path& work, const std::vector<MadeCollection>& collections) {
  std::string failed;
  for (const auto& collection : collections) {
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
  bool add(CLI::App* command, const pipeline::flow::Shorthand& shorthand) {
    const auto found = flags_.find(shorthand.flag);
    if (found == flags_.end()) return false;
    auto& flag = found->second;
    if (std::exchange(flag.added, true)) return true;
    command->add_option(std::string(shorthand.flag), flag.value, std::string(shorthand.summary))
        ->type_name(std::string(shorthand.type_name));
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

void add_build(CLI::App* app, Context& context) {
  const auto& graph = pipeline::stage_graph();
  auto* command = app->add_subcommand("build", "Run all stages: from a dump to a collection and a report");
  auto flags = std::make_shared<WorkFlags>();
  auto from = std::make_shared<std::string>();
  auto to = std::make_shared<std::string>(pipeline::default_target());
  auto list = std::make_shared<bool>(false);
  std::vector<std::string> names;
  for (const auto& stage : graph.stages()) names.emplace_back(stage.name);
  flags->add_to(command, WorkFlags::kConfig | WorkFlags::kSources | WorkFlags::kReplace | WorkFlags::kRun);
  command->get_option("--work")->required(false);
  const auto shared = std::make_shared<SharedFlags>(graph);
  for (const auto& stage : graph.stages()) {
    for (const auto& shorthand : stage.shorthands) {
      if (shorthand.of_build && !shared->add(command, shorthand)) flags->add_shorthand(command, shorthand);
    }
  }
  command->add_option("--from", *from, "First stage to run")->check(one_of(names))->type_name("STAGE");
  command->add_option("--to", *to, "Target or stage to make, with everything it needs (default: report)")
      ->check(one_of(graph.target_names()))
      ->type_name("TARGET");
  flags->add_shards(command);
  auto scripts = std::make_shared<bool>(false);
  command->add_flag("--print-scripts", *scripts,
                    "Print the scripts that --executor slurm would give to sbatch, for all shards, and exit");
  auto with_forecast = std::make_shared<bool>(false);
  command->add_flag("--forecast", *with_forecast,
                    "Build small samples of the dump, print time, memory, disk and price of the whole, and exit");
  auto core_hour = std::make_shared<double>(0);
  command->add_option("--core-hour-price", *core_hour, "For --forecast: what a core costs for an hour")
      ->type_name("USD")
      ->check(CLI::Range(0.0, 1000.0));
  command->add_flag("--list-stages", *list, "Print the stages with what they read and write, and exit");
  add_footer(command, ExitStatus::kNoTopics);
  auto must_be_healthy = std::make_shared<bool>(false);
  command->add_flag("--require-health", *must_be_healthy, "Fail if a check of touchstone health fails");
  auto with_coverage = std::make_shared<bool>(false);
  command->add_flag("--with-coverage", *with_coverage,
                    "Answer the topics with the baseline systems and study what their pools find: WORK/coverage");
  command->callback([=, &context, &graph] {
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
    if (*scripts) {
      print(pipeline::cluster::slurm_scripts(build, this_program()));
      return;
    }
    if (*with_forecast) {
      pipeline::flow::check_start(build);
      if (build.run.sources.empty()) throw ConfigError("--forecast looks into the dump; name it with --dump FILE");
      print(pipeline::forecast::forecast_text(
          pipeline::forecast::forecast_build(build, this_program(), install_stop_signals()), *core_hour));
      return;
    }
    if (flags->executor == "slurm" && !flags->dry_run) {
      auto& stop = install_stop_signals();
      pipeline::flow::check_start(build);
      pipeline::cluster::run_on_slurm(build, this_program(), stop);
      print(display_lines(pipeline::flow::build_outcome(build, stop)));
    } else {
      run_and_print(build, flags->dry_run);
    }
    if (flags->dry_run) return;
    auto collections = collections_of(stages);
    const auto missing = take_out_missing(build, collections);
    const bool some = !collections.empty();
    if (!some) collections = collections_of(stages);
    if (*with_coverage) {
      for (const auto& collection : collections) print(measure_coverage(*flags, collection.kind, context));
    }
    if (some)
      print(display_lines(missing));
    else if (advise_if_no_topics(build, *to))
      context.exit_status = ExitStatus::kNoTopics;
    if (*must_be_healthy) require_health(flags->work, collections);
  });
}

}  // namespace touchstone::cli
