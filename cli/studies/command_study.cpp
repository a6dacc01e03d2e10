#include "analysis/studies/table/study_table.hpp"
#include "cli/command.hpp"
#include "cli/statistics_flags.hpp"
#include "cli/studies/study_flags.hpp"

#include <memory>

namespace touchstone::cli {
namespace {

using analysis::studies::Study;

struct StudyCommand {
  studies::StudyFlags flags;
  StudyPlaces places;
};

void run_and_write(const Study& study, StudyCommand& command, const Context& context) {
  const auto settings = command.flags.read();
  auto parts = studies::parts_of(study, settings, command.places.folder);
  const auto output = studies::run_study(study, settings, command.flags.threads(), parts, context);
  command.places.write_files(output);
  parts.remove();
  command.places.print_text(output);
}

void add_one(CLI::App* parent, const Study& study, Context& context) {
  auto own = std::make_shared<StudyCommand>();
  auto* command = parent->add_subcommand(std::string(study.name), std::string(study.summary));
  own->flags.add_to(command, study);
  own->places.add_to(command);
  add_footer(command);
  command->callback([own, &study, &context] { run_and_write(study, *own, context); });
}

}  // namespace

void add_study(CLI::App* app, Context& context) {
  auto* command = app->add_subcommand("study", "Find out how far the ranking of systems can be trusted");
  for (const auto& study : analysis::studies::table::all_studies()) add_one(command, study, context);
  command->require_subcommand(1);
  add_footer(command);
}

}  // namespace touchstone::cli
