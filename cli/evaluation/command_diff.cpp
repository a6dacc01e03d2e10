#include "analysis/statistics/parallel.hpp"
#include "cli/command.hpp"
#include "cli/statistics_flags.hpp"
#include "common/error.hpp"
#include "pipeline/difference/difference_output.hpp"

#include <memory>
#include <optional>
#include <utility>

namespace touchstone::cli {
namespace {

namespace difference = pipeline::difference;

struct DiffFlags {
  std::string before, after;
  int threads = 0;
  difference::LabelEffectOptions effect;
  StudyPlaces places;
};

void check(DiffFlags& flags) {
  separate_runs(flags.effect.measures, flags.effect.runs);
  if (!flags.effect.measures.empty() && flags.effect.runs.empty())
    throw ConfigError("-m is for the scores of runs; name runs over the old collection with --run");
  if (flags.effect.measures.empty()) flags.effect.measures = {"nDCG@10"};
  require_files(flags.effect.runs);
}

void compare_and_write(DiffFlags& flags) {
  check(flags);
  auto before = difference::read_compared_collection(flags.before);
  auto after = difference::read_compared_collection(flags.after);
  const auto comparison = difference::compare_collections(std::move(before), std::move(after));
  std::optional<difference::LabelEffect> effect;
  if (!flags.effect.runs.empty())
    analysis::statistics::in_arena(flags.threads, [&] { effect = difference::label_effect(comparison, flags.effect); });
  const auto output = difference::difference_output(comparison, effect);
  flags.places.write_files(output);
  flags.places.print_text(output);
}

}  // namespace

void add_diff(CLI::App* app, Context&) {
  auto flags = std::make_shared<DiffFlags>();
  auto* command = app->add_subcommand("diff", "Show what changed between two collections, and why");
  command->add_option("OLD", flags->before, "Directory of the old collection")->required()->type_name("DIR");
  command->add_option("NEW", flags->after, "Directory of the new collection")->required()->type_name("DIR");
  command
      ->add_option("--run", flags->effect.runs,
                   "Run of a system over the old collection: shows what the labels change for it; may be repeated")
      ->type_name("FILE")
      ->take_all();
  command
      ->add_option("-m,--measure", flags->effect.measures,
                   "Measures of the runs, such as R@20 or map (default: nDCG@10)")
      ->type_name("MEASURE...")
      ->expected(1, -1);
  command->add_option("--min-grade", flags->effect.min_grade, "Lowest relevant grade (default: 1)")
      ->type_name("G")
      ->transform(whole_number);
  add_threads(command, flags->threads, "; results do not depend on the number");
  flags->places.add_to(command);
  add_footer(command);
  command->callback([flags] { compare_and_write(*flags); });
}

}  // namespace touchstone::cli
