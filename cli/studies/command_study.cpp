#include "analysis/presentation/study_report.hpp"
#include "analysis/presentation/study_text.hpp"
#include "analysis/statistics/parallel.hpp"
#include "analysis/studies/table/study_table.hpp"
#include "cli/command.hpp"
#include "cli/statistics_flags.hpp"
#include "cli/studies/study_flags.hpp"
#include "common/digest.hpp"
#include "common/files.hpp"
#include "common/stop.hpp"
#include "common/version.hpp"

#include <filesystem>
#include <memory>

namespace touchstone::cli {
namespace {

using analysis::studies::FinishedParts;
using analysis::studies::Study;
using analysis::studies::StudyOptions;
using analysis::studies::StudyOutput;

struct StudyCommand {
  studies::StudyFlags flags;
  analysis::presentation::StatisticsFormat format{};
  std::string folder, report;
};

/// Of all that the result depends on: the program, the options, and the bytes of each file that an option names.
std::string study_fingerprint(const Study& study, const Settings& settings) {
  std::vector<const OptionGroup*> groups = {&option_group<StudyOptions>()};
  if (study.options != nullptr) groups.push_back(study.options);
  Sha256 digest;
  digest.update_field(program_version()).update_field(study.name).update_field(settings.fingerprint(groups));
  const auto add_file = [&](const std::string& file) {
    std::error_code failed;
    if (std::filesystem::is_regular_file(file, failed)) digest.update_field(sha256_file(file));
  };
  add_file(settings.get<StudyOptions>().qrels);
  for (const auto& run : settings.get<StudyOptions>().runs) add_file(run);
  for (std::size_t i = 0; i < settings.size(); ++i) {
    const auto text = settings.value_text(i);
    if (&settings.group(i) == study.options && text.size() > 2 && text.front() == '"')
      add_file(text.substr(1, text.size() - 2));
  }
  return digest.hex();
}

FinishedParts parts_of(const Study& study, const Settings& settings, const std::string& folder) {
  if (folder.empty()) return {};
  return {std::filesystem::path(folder) / ".parts", study_fingerprint(study, settings)};
}

StudyOutput run_study(const Study& study, const Settings& settings, int threads, FinishedParts& parts,
                      const Context& context) {
  ProgressCounters progress;
  analysis::studies::StudyContext given{settings, progress, install_stop_signals(), parts};
  const ProgressReporter reporter("study " + std::string(study.name), progress, std::string(study.unit),
                                  std::string(study.unit), context.progress_mode());
  StudyOutput output;
  analysis::statistics::in_arena(threads, [&] { output = study.run(given); });
  return output;
}

void run_and_write(const Study& study, StudyCommand& command, const Context& context) {
  const auto settings = command.flags.read();
  auto parts = parts_of(study, settings, command.folder);
  const auto output = run_study(study, settings, command.flags.threads(), parts, context);
  if (!command.folder.empty()) analysis::presentation::write_study(output, command.folder);
  if (!command.report.empty())
    write_file_atomically(command.report, analysis::presentation::study_report({&output, 1}), InTheWay::kRefuse);
  parts.remove();
  print(analysis::presentation::study_text(output, command.format));
}

void add_one(Command parent, const Study& study, Context& context) {
  auto own = std::make_shared<StudyCommand>();
  Command command = parent.add_subcommand(study.name, std::string(study.summary));
  own->flags.add_to(command, study);
  command
      .add_option("--out", own->folder,
                  "Write report.html, study.json, all tables as TSV and all figures as SVG to this folder")
      .type_name("DIR");
  command.add_option("--report", own->report, "Write one HTML page: what follows, figures and tables")
      .type_name("FILE");
  add_statistics_format(command, own->format);
  add_footer(command);
  command.callback([own, &study, &context] {
    run_and_write(study, *own, context);
    context.exit_status = ExitStatus::kDone;
  });
}

}  // namespace

void add_study(Command app, Context& context) {
  Command command = app.add_subcommand("study", "Find out how far the ranking of systems can be trusted");
  for (const auto& study : analysis::studies::table::all_studies()) add_one(command, study, context);
  command.require_subcommand();
  add_footer(command);
}

}  // namespace touchstone::cli
