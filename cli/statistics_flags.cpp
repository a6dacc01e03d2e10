#include "cli/statistics_flags.hpp"

#include "analysis/measures/evaluate.hpp"
#include "analysis/presentation/study_text.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/log.hpp"

#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace touchstone::cli {
namespace {

namespace measures = analysis::measures;
using analysis::statistics::ScoreMatrix;

std::vector<ScoreMatrix> score_runs(const ScoreFlags& flags, const std::string& qrels) {
  measures::EvaluateOptions options;
  options.complete = !flags.answered_only;
  options.threads = flags.threads;
  const std::vector<std::filesystem::path> runs(flags.runs.begin(), flags.runs.end());
  auto matrices = measures::evaluate_matrices(qrels, runs, measures::parse_measures(flags.measures), options);
  if (const auto missing = missing_answers(matrices.front()); !missing.empty()) log_warn("{}: {}", qrels, missing);
  return matrices;
}

}  // namespace

void ScoreFlags::add_to(CLI::App* command) {
  command->add_option("RUN", runs, "TREC runs, plain or .gz; use with --qrels")->type_name("");
  command->add_option("--matrix", matrix, "Matrix of scores, systems x topics; replaces --qrels and runs")
      ->type_name("FILE");
  command->add_option("--qrels", qrels, "TREC qrels, plain or .gz")->type_name("FILE");
  command->add_option("-m,--measure", measures, "Measures to score the runs with: map, ndcg_cut_10, nDCG@10, ...")
      ->type_name("MEASURE...")
      ->expected(1, -1);
  command->add_flag("-c,--complete", complete, "Count topics that a run does not answer as 0: the default");
  command->add_flag("--answered-only", answered_only, "Leave out topics that a run does not answer");
  add_threads(command, threads, "; results do not depend on the number");
}

void ScoreFlags::check() {
  separate_runs(measures, runs);
  if (complete && answered_only)
    throw ConfigError("--complete and --answered-only contradict each other; leave one of them out");
  if (!matrix.empty()) {
    if (!qrels.empty() || !runs.empty() || !measures.empty())
      throw ConfigError("--matrix already contains the scores; use either --matrix, or --qrels, --measure and runs");
    require_files({matrix});
    return;
  }
  if (qrels.empty() || runs.empty() || measures.empty())
    throw ConfigError("scores are required: --matrix FILE, or --qrels FILE, --measure MEASURE and runs");
  require_files({qrels});
  require_files(runs);
}

std::vector<ScoreMatrix> ScoreFlags::read_all() const {
  return read_others(matrix.empty() ? qrels : matrix);
}

std::vector<ScoreMatrix> ScoreFlags::read_others(const std::string& file) const {
  if (matrix.empty()) return score_runs(*this, file);
  return {analysis::statistics::read_score_matrix(file)};
}

ScoreMatrix ScoreFlags::read() const {
  if (matrix.empty()) {
    const auto wanted = analysis::measures::parse_measures(measures);
    if (wanted.size() != 1)
      throw ConfigError(
          fmt::format("--measure {} means {} measures; choose one", fmt::join(measures, " "), wanted.size()));
  }
  return std::move(read_all().front());
}

void separate_runs(std::vector<std::string>& measures, std::vector<std::string>& runs) {
  std::vector<std::string> kept;
  for (const auto& word : measures) {
    try {
      analysis::measures::parse_measure(word);
      kept.push_back(word);
    } catch (const ConfigError&) {
      const bool is_path = word == "-" || word.find('/') != std::string::npos || word.ends_with(".gz");
      if (!is_path && !std::filesystem::exists(word)) throw;
      runs.push_back(word);
    }
  }
  measures = std::move(kept);
}

void require_files(const std::vector<std::string>& files) {
  for (const auto& file : files) {
    std::error_code failed;
    if (file == "-" || file.empty() || std::filesystem::exists(file, failed)) continue;
    throw StorageError(fmt::format("cannot read {}: {}", file,
                                   failed ? failed.message() : "No such file or directory" + did_you_mean_file(file)));
  }
}

CLI::Option* add_statistics_format(CLI::App* command, analysis::presentation::StatisticsFormat& format) {
  return add_choice(command, "--format", format, analysis::presentation::kStatisticsFormats, "table, tsv or json")
      ->type_name("FORMAT");
}

void write_study_folder(const analysis::studies::StudyOutput& output, const std::string& folder) {
  if (const auto note = analysis::presentation::write_study(output, folder); !note.empty()) log_info("{}", note);
}

void StudyPlaces::add_to(CLI::App* command) {
  command
      ->add_option(
          "--out", folder,
          "Write report.html, study.json, all tables as TSV and LaTeX and all figures as SVG and PDF to this folder")
      ->type_name("DIR");
  command->add_option("--report", report, "Write one HTML page: what follows, figures and tables")->type_name("FILE");
  add_statistics_format(command, format);
}

void StudyPlaces::write_files(const analysis::studies::StudyOutput& output) const {
  if (!folder.empty()) write_study_folder(output, folder);
  if (!report.empty())
    write_file_atomically(report, analysis::presentation::study_report({&output, 1}), InTheWay::kRefuse);
}

void StudyPlaces::print_text(const analysis::studies::StudyOutput& output) const {
  print(analysis::presentation::study_text(output, format));
}

void print(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) throw Error("cannot write to standard output");
}

}  // namespace touchstone::cli
