#include "cli/command.hpp"
#include "cli/statistics_flags.hpp"

namespace touchstone::cli {

void add_reliability(CLI::App& app, Context& context) {
  struct Flags {
    ScoreFlags scores;
    double drop = 0, level = 0.95;
    std::vector<double> topics, targets = {0.95};
    std::string format = "table";
  };
  auto flags = std::make_shared<Flags>();
  CLI::App* command = app.add_subcommand("reliability", "Measure how reliable a collection's scores are");
  flags->scores.add_to(*command);
  command
      ->add_option("--drop", flags->drop,
                   "Leave out systems whose mean is below this quantile of the means (default: 0)")
      ->type_name("Q")
      ->check(CLI::Range(0.0, 0.99));
  command->add_option("--topics", flags->topics, "Also predict the reliability for these numbers of topics")
      ->type_name("N")
      ->check(CLI::PositiveNumber);
  command->add_option("--target", flags->targets, "Print how many topics reach this reliability (default: 0.95)")
      ->type_name("R")
      ->check(CLI::Range(0.01, 0.9999));
  command->add_option("--level", flags->level, "Confidence level of the intervals (default: 0.95)")
      ->type_name("P")
      ->check(CLI::Range(0.5, 0.9999));
  add_statistics_format(*command, flags->format);
  add_footer(*command);
  command->callback([flags, &context] {
    print(analysis::reliability_text(flags->scores.read(), flags->drop, flags->topics, flags->targets, flags->level,
                                     statistics_format(flags->format)));
    context.exit_status = 0;
  });
}

}  // namespace touchstone::cli
