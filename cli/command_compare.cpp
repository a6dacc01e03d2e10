#include "analysis/presentation/plots.hpp"
#include "cli/command.hpp"
#include "cli/statistics_flags.hpp"
#include "common/files.hpp"

#include <optional>

namespace touchstone::cli {
namespace {

namespace agreement = analysis::agreement;
namespace presentation = analysis::presentation;
namespace significance = analysis::significance;

struct CompareFlags {
  ScoreFlags scores;
  std::string against, plots, report;
  presentation::StatisticsFormat format{};
  significance::CompareOptions options;
};

void run_compare(CompareFlags& flags) {
  flags.options.threads = flags.scores.threads;
  const auto scores = flags.scores.read();
  const auto comparison = significance::compare_systems(scores, flags.options);
  std::optional<agreement::JudgmentComparison> judgments;
  if (!flags.against.empty())
    judgments = agreement::compare_judgments(scores, comparison, flags.scores.read_other(flags.against));
  const auto* other = judgments ? &*judgments : nullptr;
  if (!flags.plots.empty() || !flags.report.empty()) {
    const auto plots = presentation::comparison_plots(scores, comparison, other);
    if (!flags.plots.empty()) presentation::write_plots(plots, flags.plots);
    if (!flags.report.empty()) {
      const auto table =
          presentation::comparison_text(scores, comparison, other, presentation::StatisticsFormat::kTable);
      write_file_atomically(flags.report, presentation::comparison_report(table, plots));
    }
  }
  print(presentation::comparison_text(scores, comparison, other, flags.format));
}

}  // namespace

void add_compare(CLI::App& app, Context& context) {
  auto flags = std::make_shared<CompareFlags>();
  CLI::App* command = app.add_subcommand("compare", "Test which systems differ significantly");
  flags->scores.add_to(*command);
  add_choice(
      *command, "--test", flags->options.test, significance::kSignificanceTests,
      "tukey-hsd (randomised, the default), tukey-hsd-parametric, t-test, wilcoxon, sign, bootstrap or permutation")
      ->type_name("TEST");
  add_choice(
      *command, "--correction", flags->options.correction, significance::kCorrections,
      "Correction for many pairs, not for Tukey's tests: none (default), bonferroni, holm or bh (Benjamini-Hochberg)")
      ->type_name("NAME");
  command
      ->add_option("--permutations", flags->options.permutations,
                   "Permutations, or bootstrap resamples (default: 100000)")
      ->type_name("N");
  command->add_option("--seed", flags->options.seed, "Random seed (default: 1)")->type_name("N");
  command->add_option("--alpha", flags->options.alpha, "Significance level (default: 0.05)")->type_name("P");
  command
      ->add_option("--against", flags->against,
                   "Compare with other judgments: a second matrix, or second qrels for the same runs")
      ->type_name("FILE");
  command->add_option("--plots", flags->plots, "Write plots to this folder as SVG and PNG (needs gnuplot)")
      ->type_name("DIR");
  command->add_option("--report", flags->report, "Write the table and the plots as one HTML page (needs gnuplot)")
      ->type_name("FILE");
  add_statistics_format(*command, flags->format);
  add_footer(*command);
  command->callback([flags, &context] {
    run_compare(*flags);
    context.exit_status = 0;
  });
}

}  // namespace touchstone::cli
