#include "cli/command.hpp"
#include "cli/statistics_flags.hpp"
#include "formats/trec/qrels.hpp"

#include <filesystem>

namespace touchstone::cli {

void add_agree(CLI::App* app, Context&) {
  struct Flags {
    std::vector<std::string> qrels;
    analysis::agreement::AgreementOptions options;
    analysis::presentation::StatisticsFormat format{};
  };
  auto flags = std::make_shared<Flags>();
  auto* command = app->add_subcommand("agree", "Measure the agreement between assessors");
  command->add_option("QRELS", flags->qrels, "TREC qrels, one file per assessor, two or more")
      ->required()
      ->expected(2, -1)
      ->type_name("");
  command
      ->add_option("-l,--min-grade", flags->options.min_grade,
                   "Lowest relevant grade in the two-grade view (default: 2)")
      ->type_name("GRADE")
      ->check(CLI::Range(formats::trec::kMinGrade, formats::trec::kMaxGrade));
  command->add_option("--exclude-topic", flags->options.excluded_topics, "Leave out these topics, one or more")
      ->type_name("TOPIC");
  command->add_option("--resamples", flags->options.resamples, "Bootstrap resamples for the intervals (default: 1000)")
      ->type_name("N")
      ->check(CLI::Range(1, 1000000))
      ->transform(whole_number);
  command->add_option("--seed", flags->options.seed, "Random seed of the bootstrap (default: 1)")->type_name("N");
  add_statistics_format(command, flags->format);
  add_footer(command);
  command->callback([flags] {
    const std::vector<std::filesystem::path> paths(flags->qrels.begin(), flags->qrels.end());
    const auto agreement =
        analysis::agreement::measure_agreement(analysis::agreement::read_ratings(paths), flags->options);
    print(analysis::presentation::agreement_text(agreement, flags->format));
  });
}

}  // namespace touchstone::cli
