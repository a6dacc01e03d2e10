#include "cli/command.hpp"
#include "cli/statistics_flags.hpp"

namespace touchstone::cli {

void add_reliability(CLI::App* app, Context&) {
  struct Flags {
    ScoreFlags scores;
    analysis::agreement::ReliabilityOptions options;
    analysis::presentation::StatisticsFormat format{};
  };
  auto flags = std::make_shared<Flags>();
  auto* command = app->add_subcommand("reliability", "Measure how reliable a collection's scores are");
  flags->scores.add_to(command);
  command
      ->add_option("--drop", flags->options.drop,
                   "Leave out systems whose mean is below this quantile of the means (default: 0)")
      ->type_name("Q")
      ->check(CLI::Range(0.0, 0.99));
  command->add_option("--topics", flags->options.topics, "Also predict the reliability for these numbers of topics")
      ->type_name("N")
      ->check(CLI::PositiveNumber);
  command
      ->add_option("--target", flags->options.targets, "Print how many topics reach this reliability (default: 0.95)")
      ->type_name("R")
      ->check(CLI::Range(0.01, 0.9999));
  command->add_option("--level", flags->options.level, "Confidence level of the intervals (default: 0.95)")
      ->type_name("P")
      ->check(CLI::Range(0.5, 0.9999));
  add_statistics_format(command, flags->format);
  add_footer(command);
  command->callback([flags] {
    flags->scores.check();
    const auto scores = flags->scores.read();
    const auto reliability = analysis::agreement::measure_reliability(scores, flags->options);
    print(analysis::presentation::reliability_text(scores, reliability, flags->format));
  });
}

}  // namespace touchstone::cli
