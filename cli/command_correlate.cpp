#include "cli/command.hpp"
#include "cli/statistics_flags.hpp"
#include "common/log.hpp"

namespace touchstone::cli {
namespace {

using analysis::statistics::read_system_scores;

struct CorrelateFlags {
  std::string first, second, first_column, second_column;
  analysis::presentation::StatisticsFormat format{};
  double p = 0.9;
};

}  // namespace

void add_correlate(CLI::App* app, Context&) {
  auto flags = std::make_shared<CorrelateFlags>();
  auto* command = app->add_subcommand("correlate", "Correlate two rankings of systems");
  command->add_option("A", flags->first, "Lines \"name<TAB>score\"; the true ranking for asymmetric coefficients")
      ->required()
      ->type_name("");
  command->add_option("B", flags->second, "The second ranking")->required()->type_name("");
  command->add_option("--column-a", flags->first_column, "Column of scores in A, if A has a header with several")
      ->type_name("NAME");
  command->add_option("--column-b", flags->second_column, "Column of scores in B")->type_name("NAME");
  command->add_option("-p,--persistence", flags->p, "Persistence p of rank-biased overlap (default: 0.9)")
      ->check(CLI::Range(0.001, 0.999))
      ->type_name("P");
  add_statistics_format(command, flags->format);
  add_footer(command);
  command->callback([flags] {
    const auto correlation =
        analysis::agreement::correlate(read_system_scores(flags->first, flags->first_column),
                                       read_system_scores(flags->second, flags->second_column), flags->p);
    if (correlation.only_first + correlation.only_second > 0) {
      log_warn("systems only in {}: {}, only in {}: {}; only the overlaps use them", flags->first,
               correlation.only_first, flags->second, correlation.only_second);
    }
    print(analysis::presentation::correlation_text(correlation, flags->format));
  });
}

}  // namespace touchstone::cli
