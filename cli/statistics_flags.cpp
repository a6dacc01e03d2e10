#include "cli/statistics_flags.hpp"

#include "analysis/measures/evaluate.hpp"
#include "common/error.hpp"
#include "common/log.hpp"

#include <cstdio>
#include <filesystem>

#include <fmt/format.h>

namespace touchstone::cli {
namespace {

namespace measures = analysis::measures;
using analysis::statistics::ScoreMatrix;

ScoreMatrix score_runs(const ScoreFlags& flags, const std::string& qrels) {
  const auto wanted = measures::parse_measure(flags.measure);
  if (wanted.size() != 1)
    throw ConfigError(fmt::format("--measure {} stands for {} measures; choose one", flags.measure, wanted.size()));
  measures::EvaluateOptions options;
  options.complete = flags.complete;
  options.threads = flags.threads;
  const std::vector<std::filesystem::path> runs(flags.runs.begin(), flags.runs.end());
  auto scores = measures::evaluate_matrix(qrels, runs, wanted.front(), options);
  if (scores.topics_left_out > 0) {
    log_warn("topics of {} left out because they are missing from a run: {} of {} (--complete counts them as 0)", qrels,
             scores.topics_left_out, scores.topics_left_out + scores.topics.size());
  }
  return scores;
}

}  // namespace

void ScoreFlags::add_to(CLI::App& command) {
  command.add_option("RUN", runs, "TREC runs, plain or .gz; use with --qrels")->type_name("");
  command.add_option("--matrix", matrix, "Matrix of scores, systems x topics; replaces --qrels and runs")
      ->type_name("FILE");
  command.add_option("--qrels", qrels, "TREC qrels, plain or .gz")->type_name("FILE");
  command.add_option("-m,--measure", measure, "Measure to score the runs with: map, ndcg_cut_10, nDCG@10, ...")
      ->type_name("MEASURE");
  command.add_flag("-c,--complete", complete, "Use all topics of the qrels; topics missing from a run count as 0");
  command
      .add_option("-j,--threads", threads, "Worker threads (default: all cores); results do not depend on the number")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
}

analysis::statistics::ScoreMatrix ScoreFlags::read() const {
  if (!matrix.empty()) {
    if (!qrels.empty() || !runs.empty() || !measure.empty())
      throw ConfigError("--matrix already contains the scores; use either --matrix, or --qrels, --measure and runs");
    return analysis::statistics::read_score_matrix(matrix);
  }
  if (qrels.empty() || runs.empty() || measure.empty())
    throw ConfigError("scores are required: --matrix FILE, or --qrels FILE, --measure MEASURE and runs");
  return score_runs(*this, qrels);
}

analysis::statistics::ScoreMatrix ScoreFlags::read_other(const std::string& file) const {
  return matrix.empty() ? score_runs(*this, file) : analysis::statistics::read_score_matrix(file);
}

CLI::Option* add_statistics_format(CLI::App& command, analysis::presentation::StatisticsFormat& format) {
  return add_choice(command, "--format", format, analysis::presentation::kStatisticsFormats, "table, tsv or json")
      ->type_name("FORMAT");
}

void print(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) throw Error("cannot write to standard output");
}

}  // namespace touchstone::cli
