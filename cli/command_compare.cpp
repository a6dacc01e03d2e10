#include "analysis/presentation/plots.hpp"
#include "cli/command.hpp"
#include "cli/statistics_flags.hpp"
#include "common/files.hpp"

#include <map>

namespace touchstone::cli {
namespace {

using analysis::Correction;
using analysis::SignificanceTest;

struct CompareFlags {
  ScoreFlags scores;
  std::string test = "tukey-hsd", correction = "none", format = "table", against, plots, report;
  analysis::CompareOptions options;
};

const std::map<std::string, SignificanceTest> kTests = {{"tukey-hsd", SignificanceTest::kTukeyHsd},
                                                        {"tukey-hsd-parametric", SignificanceTest::kTukeyHsdParametric},
                                                        {"t-test", SignificanceTest::kTTest},
                                                        {"wilcoxon", SignificanceTest::kWilcoxon},
                                                        {"sign", SignificanceTest::kSign},
                                                        {"bootstrap", SignificanceTest::kBootstrap},
                                                        {"permutation", SignificanceTest::kPermutation}};
const std::map<std::string, Correction> kCorrections = {{"none", Correction::kNone},
                                                        {"bonferroni", Correction::kBonferroni},
                                                        {"holm", Correction::kHolm},
                                                        {"bh", Correction::kBenjaminiHochberg},
                                                        {"benjamini-hochberg", Correction::kBenjaminiHochberg}};

template <class Map>
CLI::IsMember names_of(const Map& map) {
  std::vector<std::string> names;
  for (const auto& [name, value] : map) names.push_back(name);
  return CLI::IsMember(names);
}

void run_compare(CompareFlags& flags) {
  flags.options.test = kTests.at(flags.test);
  flags.options.correction = kCorrections.at(flags.correction);
  flags.options.threads = flags.scores.threads;
  const auto scores = flags.scores.read();
  const auto comparison = analysis::compare_systems(scores, flags.options);
  std::optional<analysis::JudgmentComparison> judgments;
  if (!flags.against.empty())
    judgments = analysis::compare_judgments(scores, comparison, flags.scores.read_other(flags.against));
  const auto* other = judgments ? &*judgments : nullptr;
  if (!flags.plots.empty() || !flags.report.empty()) {
    const auto plots = analysis::comparison_plots(scores, comparison, other);
    if (!flags.plots.empty()) analysis::write_plots(plots, flags.plots);
    if (!flags.report.empty()) {
      const auto table = analysis::comparison_text(scores, comparison, other, analysis::StatisticsFormat::kTable);
      write_file_atomically(flags.report, analysis::comparison_report(table, plots));
    }
  }
  print(analysis::comparison_text(scores, comparison, other, statistics_format(flags.format)));
}

}  // namespace

void add_compare(CLI::App& app, Context& context) {
  auto flags = std::make_shared<CompareFlags>();
  CLI::App* command = app.add_subcommand("compare", "Test which systems differ significantly");
  flags->scores.add_to(*command);
  command
      ->add_option("--test", flags->test,
                   "tukey-hsd (randomised, the default), tukey-hsd-parametric, t-test, wilcoxon, sign, bootstrap or "
                   "permutation")
      ->check(names_of(kTests))
      ->type_name("TEST");
  command
      ->add_option("--correction", flags->correction,
                   "Correction for many pairs, not for Tukey's tests: none (default), bonferroni, holm or bh "
                   "(Benjamini-Hochberg)")
      ->check(names_of(kCorrections))
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
