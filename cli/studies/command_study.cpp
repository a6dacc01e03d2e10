#include "analysis/presentation/study_report.hpp"
#include "analysis/presentation/study_text.hpp"
#include "analysis/studies/table/study_table.hpp"
#include "cli/command.hpp"
#include "cli/statistics_flags.hpp"
#include "cli/studies/study_flags.hpp"
#include "cli/studies/study_runner.hpp"
#include "common/files.hpp"

#include <memory>

namespace touchstone::cli {
namespace {

using analysis::studies::Study;

struct StudyCommand {
  studies::StudyFlags flags;
  analysis::presentation::StatisticsFormat format{};
  std::string folder, report;
};

void run_and_write(const Study& study, StudyCommand& command, const Context& context) {
  const auto settings = command.flags.read();
  auto parts = studies::parts_of(study, settings, command.folder);
  const auto output = studies::run_study(study, settings, command.flags.threads(), parts, context);
  if (!command.folder.empty()) write_study_folder(output, command.folder);
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
      .add_option(
          "--out", own->folder,
          "Write report.html, study.json, all tables as TSV and LaTeX and all figures as SVG and PDF to this folder")
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
