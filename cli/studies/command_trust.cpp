#include "analysis/presentation/study_text.hpp"
#include "analysis/statistics/parallel.hpp"
#include "analysis/studies/table/study_table.hpp"
#include "analysis/studies/trust/trust_numbers.hpp"
#include "analysis/studies/trust/trust_summary.hpp"
#include "cli/command.hpp"
#include "cli/statistics_flags.hpp"
#include "cli/studies/study_flags.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/json_writer.hpp"
#include "common/log.hpp"
#include "retrieval/retrieve.hpp"

#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

namespace touchstone::cli {
namespace {

namespace fs = std::filesystem;
namespace presentation = analysis::presentation;
namespace trust = analysis::studies::trust;
using analysis::studies::StudyOptions;
using analysis::studies::StudyOutput;

struct TrustCommand {
  studies::StudyFlags flags;
  presentation::StatisticsFormat format{};
  std::string place, folder = "trust";
};

void make_folder(const fs::path& folder) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed || !fs::is_directory(folder))
    throw StorageError("cannot make the folder " + folder.string() + " (" +
                       (failed ? failed.message() : "a file is in the way") + "); name another one with --out");
}

std::string assignment(const char* key, const fs::path& path) {
  std::string toml = std::string(key) + " = ";
  append_json_string(toml, path.string());
  return toml;
}

/// What the collection gives, for the file and the flags to replace.
std::vector<std::pair<std::string, std::string>> options_of(const trust::TrustInputs& inputs, const fs::path& folder) {
  auto qrels = inputs.qrels;
  if (inputs.form == trust::QrelsForm::kBeir) {
    make_folder(folder);
    qrels = folder / "qrels.txt";
    trust::write_trec_qrels(inputs.qrels, qrels);
  }
  std::vector<std::pair<std::string, std::string>> options{{"COLLECTION", assignment("study.qrels", qrels)}};
  if (!inputs.corpus.empty()) options.emplace_back("COLLECTION", assignment("partial.corpus", inputs.corpus));
  return options;
}

/// Lets the baseline systems answer the topics. The index is kept until all studies are done.
std::vector<std::string> baseline_runs(const TrustCommand& command, const trust::TrustInputs& inputs) {
  if (!inputs.has_topics)
    throw ConfigError(
        "there are no runs, and " + command.place +
        " has no texts and topics that baseline systems could answer; name the runs after the collection");
  log_info("no run is given: the baseline systems of touchstone retrieve answer the topics");
  retrieval::RetrieveOptions options;
  options.collection = command.place;
  options.out = fs::path(command.folder) / "runs";
  options.work = fs::path(command.folder) / ".index";
  options.source.part = inputs.qrels.filename().string().starts_with("train.") ? "train" : "test";
  options.threads = command.flags.threads();
  make_folder(options.work);
  std::vector<std::string> runs;
  for (const auto& system : retrieval::retrieve(options).systems) runs.push_back(system.run.string());
  return runs;
}

/// Runs all studies and writes their folders.
class AllStudies {
 public:
  AllStudies(TrustCommand& command, const Settings& settings, const Context& context)
      : command_(command), settings_(settings), context_(context) {}

  void run() {
    for (const auto& study : analysis::studies::table::all_studies()) {
      const auto folder = fs::path(command_.folder) / study.name;
      auto parts = studies::parts_of(study, settings_, folder);
      try {
        outputs_.push_back(studies::run_study(study, settings_, command_.flags.threads(), parts, context_));
      } catch (const ConfigError& error) {
        left_out_.push_back({std::string(study.name), error.what()});
        log_info("study {} is left out: {}", study.name, error.what());
        continue;
      }
      const auto note = presentation::write_study(outputs_.back(), folder);
      if (!note.empty() && !std::exchange(is_noted_, true)) log_info("{}", note);
      log_info("study {} is done: {}", study.name, (folder / "report.html").string());
    }
  }

  /// \returns the summary
  StudyOutput write(const trust::TrustSources& sources, const trust::TrustNumbers& numbers) {
    const fs::path folder = command_.folder;
    make_folder(folder);
    auto summary = trust::summarize(sources, numbers, outputs_, left_out_);
    std::vector<StudyOutput> all{summary};
    all.insert(all.end(), outputs_.begin(), outputs_.end());
    auto tables = summary.tables;
    tables.push_back(trust::findings_table(outputs_));
    for (const auto& table : tables) {
      write_file_atomically(folder / (table.name + ".tsv"), presentation::study_tsv(summary, table));
      write_file_atomically(folder / (table.name + ".tex"), presentation::study_latex(summary, table));
    }
    write_file_atomically(folder / "trust.json",
                          presentation::study_text(summary, presentation::StatisticsFormat::kJson));
    write_file_atomically(folder / "report.html", presentation::study_report(all));
    return summary;
  }

  /// To be called when everything is written: a run that is interrupted before goes on with them.
  void remove_parts() {
    for (const auto& study : analysis::studies::table::all_studies())
      studies::parts_of(study, settings_, fs::path(command_.folder) / study.name).remove();
    std::error_code ignored;
    fs::remove_all(fs::path(command_.folder) / ".index", ignored);
  }

 private:
  TrustCommand& command_;
  const Settings& settings_;
  const Context& context_;
  std::vector<StudyOutput> outputs_;
  std::vector<trust::LeftOutStudy> left_out_;
  bool is_noted_ = false;  ///< a note that holds for all studies has been logged
};

/// The leaderboard and its pairs by the first measure.
trust::TrustNumbers numbers_of(const StudyOptions& shared, int threads) {
  const auto scorers = analysis::studies::study_measures(shared, "nDCG@10");
  trust::TrustNumbers numbers;
  analysis::statistics::in_arena(threads, [&] {
    const auto runs = analysis::studies::read_judged_runs(shared, 1);
    analysis::studies::count_relevant(runs, scorers.front().min_grade());
    trust::TrustPlan plan;
    plan.alpha = shared.alpha;
    plan.seed = static_cast<std::uint64_t>(shared.seed);
    numbers = trust::trust_numbers(runs, scorers.front(), plan);
  });
  return numbers;
}

void run_trust(TrustCommand& command, const Context& context) {
  const auto inputs = trust::find_trust_inputs(command.place);
  auto settings = command.flags.read(options_of(inputs, command.folder));
  auto& shared = settings.edit<StudyOptions>();
  trust::TrustSources sources;
  sources.runs_are_baselines = shared.runs.empty();
  if (sources.runs_are_baselines) shared.runs = baseline_runs(command, inputs);
  sources.collection = command.place;
  sources.qrels = shared.qrels;
  sources.runs = shared.runs;
  const auto numbers = numbers_of(shared, command.flags.threads());
  AllStudies all(command, settings, context);
  all.run();
  const auto summary = all.write(sources, numbers);
  all.remove_parts();
  log_info("the report is {}", (fs::path(command.folder) / "report.html").string());
  print(presentation::study_text(summary, command.format));
}

}  // namespace

void add_trust(CLI::App* app, Context& context) {
  auto own = std::make_shared<TrustCommand>();
  auto* command =
      app->add_subcommand("trust", "Say which differences between systems one may believe, and run all studies");
  command
      ->add_option("COLLECTION", own->place,
                   "Directory of a collection, ours or in the form of BEIR, or a file of qrels")
      ->required()
      ->type_name("");
  own->flags.add_to_all(command);
  command
      ->add_option("--out", own->folder,
                   "Folder for the report, the tables and a folder for each study (default: trust)")
      ->type_name("DIR");
  add_statistics_format(command, own->format);
  add_footer(command);
  command->callback([own, &context] { run_trust(*own, context); });
}

}  // namespace touchstone::cli
