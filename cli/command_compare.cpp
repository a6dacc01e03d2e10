#include "analysis/measures/measure.hpp"
#include "analysis/presentation/figures.hpp"
#include "analysis/presentation/paper_table.hpp"
#include "analysis/presentation/plots.hpp"
#include "cli/command.hpp"
#include "cli/statistics_flags.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/log.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace touchstone::cli {
namespace {

namespace agreement = analysis::agreement;
namespace measures = analysis::measures;
namespace presentation = analysis::presentation;
namespace significance = analysis::significance;
using analysis::statistics::ScoreMatrix;

/// The formats of a comparison. Those for papers hold all measures in one table.
enum class CompareFormat : std::uint8_t { kTable, kTsv, kJson, kMarkdown, kLatex };
constexpr std::pair<std::string_view, CompareFormat> kCompareFormats[] = {{"table", CompareFormat::kTable},
                                                                          {"tsv", CompareFormat::kTsv},
                                                                          {"json", CompareFormat::kJson},
                                                                          {"markdown", CompareFormat::kMarkdown},
                                                                          {"latex", CompareFormat::kLatex}};

struct CompareFlags {
  ScoreFlags scores;
  std::string against, plots, report, baseline;
  std::vector<std::string> pair;
  CompareFormat format{};
  significance::CompareOptions options;

  bool is_for_papers() const { return format == CompareFormat::kMarkdown || format == CompareFormat::kLatex; }
  presentation::StatisticsFormat statistics_format() const {
    return format == CompareFormat::kJson  ? presentation::StatisticsFormat::kJson
           : format == CompareFormat::kTsv ? presentation::StatisticsFormat::kTsv
                                           : presentation::StatisticsFormat::kTable;
  }
};

/// Refuses what does not fit together, before any file is read.
void check(CompareFlags& flags) {
  flags.options.threads = flags.scores.threads;
  if (!flags.baseline.empty()) {
    if (!flags.against.empty() || !flags.plots.empty() || !flags.report.empty() || !flags.pair.empty())
      throw ConfigError("--against, --plots, --report and --pair are for all pairs; leave them or --baseline out");
    significance::check_baseline_test(flags.options.test);
  }
  significance::check_options(flags.options);
  if (!flags.pair.empty() && flags.pair[0] == flags.pair[1])
    throw ConfigError("--pair names one system twice; name two");
  flags.scores.check();
  require_files({flags.against});
  const bool draws = !flags.plots.empty() || !flags.report.empty();
  if (draws && flags.scores.matrix.empty() && measures::parse_measures(flags.scores.measures).size() > 1)
    throw ConfigError("--plots and --report show one measure; give one with --measure");
  if (flags.is_for_papers() && (!flags.against.empty() || !flags.pair.empty()))
    throw ConfigError("--format markdown and latex have no room for --against and --pair; leave them out");
}

/// The two systems of --pair.
std::optional<presentation::SystemPair> named_pair(const std::vector<std::string>& names, const ScoreMatrix& scores) {
  if (names.empty()) return std::nullopt;
  const presentation::SystemPair pair{find_system(scores, names[0]), find_system(scores, names[1])};
  if (pair.first == pair.second) throw ConfigError("--pair names one system twice; name two");
  return pair;
}

/// Draws what is asked for, and returns the text of one measure.
/// \param other  the scores by the other judgments; null without --against
std::string compare_pairs(const CompareFlags& flags, const ScoreMatrix& scores,
                          const significance::Comparison& comparison, const ScoreMatrix* other) {
  const auto pair = named_pair(flags.pair, scores);
  std::optional<agreement::JudgmentComparison> compared;
  if (other != nullptr) compared = agreement::compare_judgments(scores, comparison, *other);
  const auto* judgments = compared ? &*compared : nullptr;
  if (!flags.plots.empty() || !flags.report.empty()) {
    const auto plots = presentation::comparison_plots(scores, comparison, judgments, pair);
    if (!flags.plots.empty()) {
      if (const auto note = presentation::write_figures(plots, flags.plots); !note.empty()) log_info("{}", note);
    }
    if (!flags.report.empty()) {
      const auto table =
          presentation::comparison_text(scores, comparison, judgments, presentation::StatisticsFormat::kTable, pair);
      write_file_atomically(flags.report, presentation::comparison_report(scores, table, plots), InTheWay::kRefuse);
    }
  }
  return presentation::comparison_text(scores, comparison, judgments, flags.statistics_format(), pair);
}

/// The texts of several measures: a JSON array of objects, or one text below the other.
std::string joined(const std::vector<std::string>& texts, CompareFormat format) {
  if (texts.size() == 1) return texts.front();
  return format == CompareFormat::kJson ? fmt::format("[{}]\n", fmt::join(texts, ","))
                                        : fmt::format("{}", fmt::join(texts, "\n"));
}

void run_compare(CompareFlags& flags) {
  check(flags);
  auto matrices = flags.scores.read_all();
  std::vector<ScoreMatrix> others;
  if (!flags.against.empty()) others = flags.scores.read_others(flags.against);
  std::vector<std::string> texts;
  std::vector<presentation::MeasureResult> results;
  for (std::size_t m = 0; m < matrices.size(); ++m) {
    const auto& scores = matrices[m];
    presentation::MeasureResult result;
    if (!flags.baseline.empty()) {
      result.baseline = compare_with_baseline(scores, find_system(scores, flags.baseline), flags.options);
      texts.push_back(presentation::baseline_text(scores, *result.baseline, flags.statistics_format()));
    } else {
      result.pairs = compare_systems(scores, flags.options);
      texts.push_back(compare_pairs(flags, scores, *result.pairs, others.empty() ? nullptr : &others[m]));
    }
    result.scores = std::move(matrices[m]);
    results.push_back(std::move(result));
  }
  using presentation::PaperFormat;
  print(!flags.is_for_papers() ? joined(texts, flags.format)
                               : paper_table(results, flags.format == CompareFormat::kLatex ? PaperFormat::kLatex
                                                                                            : PaperFormat::kMarkdown));
}

}  // namespace

void add_compare(CLI::App* app, Context&) {
  auto flags = std::make_shared<CompareFlags>();
  auto* command = app->add_subcommand("compare", "Test which systems differ significantly");
  flags->scores.add_to(command);
  add_choice(
      command, "--test", flags->options.test, significance::kSignificanceTests,
      "tukey-hsd (randomised, the default), tukey-hsd-parametric, t-test (default with --baseline), wilcoxon, sign, "
      "bootstrap or permutation")
      ->type_name("TEST");
  add_choice(
      command, "--correction", flags->options.correction, significance::kCorrections,
      "Correction for many pairs, not for Tukey's tests: none (default), bonferroni, holm (default with --baseline) or "
      "bh (Benjamini-Hochberg)")
      ->type_name("NAME");
  command
      ->add_option("--permutations", flags->options.permutations,
                   "Permutations, or bootstrap resamples, such as 1e6 (default: 100000)")
      ->type_name("N")
      ->transform(whole_number);
  command->add_option("--seed", flags->options.seed, "Random seed (default: 1)")->type_name("N");
  command->add_option("--alpha", flags->options.alpha, "Significance level (default: 0.05)")->type_name("P");
  command
      ->add_option("--baseline", flags->baseline,
                   "Test each system against this one only, by tag or file, with the correction over these pairs")
      ->type_name("RUN");
  command
      ->add_option("--against", flags->against,
                   "Compare with other judgments: a second matrix, or second qrels for the same runs")
      ->type_name("FILE");
  command
      ->add_option("--pair", flags->pair,
                   "Two systems to show topic by topic, by tag or file, instead of the two best; the table adds wins, "
                   "losses and ties")
      ->type_name("A B")
      ->expected(2);
  command->add_option("--plots", flags->plots, "Write plots to this folder as SVG and PDF")->type_name("DIR");
  command->add_option("--report", flags->report, "Write the table and the plots as one HTML page")->type_name("FILE");
  add_choice(command, "--format", flags->format, kCompareFormats,
             "table, tsv, json, or a table of all measures for papers: markdown or latex")
      ->type_name("FORMAT");
  add_footer(command);
  command->callback([flags, command] {
    if (!flags->baseline.empty()) {
      if (command->count("--test") == 0) flags->options.test = significance::SignificanceTest::kTTest;
      if (command->count("--correction") == 0) flags->options.correction = significance::Correction::kHolm;
    }
    run_compare(*flags);
  });
}

}  // namespace touchstone::cli
