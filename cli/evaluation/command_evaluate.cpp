#include "analysis/measures/answer_scores.hpp"
#include "analysis/measures/evaluate.hpp"
#include "analysis/presentation/evaluation_text.hpp"
#include "analysis/presentation/measures_markdown.hpp"
#include "cli/command.hpp"
#include "cli/statistics_flags.hpp"
#include "common/error.hpp"
#include "common/log.hpp"
#include "common/thread_limit.hpp"
#include "formats/fields/quote.hpp"
#include "formats/trec/qrels.hpp"
#include "pipeline/answers/answer_reading.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace touchstone::cli {
namespace {

namespace measures = analysis::measures;
namespace presentation = analysis::presentation;

/// What `evaluate --answers` is told.
struct AnswerFlags {
  std::string file;
  analysis::measures::AnswerOptions options;
  bool complete = false, lenient = false;
};

struct EvaluateFlags {
  std::string qrels, z_scores;
  std::vector<std::string> runs, measures;
  measures::EvaluateOptions options;
  AnswerFlags answers;
  presentation::TextOptions text;
  bool no_summary = false, list_measures = false;
};

void warn_of_skipped(const std::string& file, const formats::trec::LineFaults& faults) {
  for (std::size_t i = 0; i < formats::trec::kLineFaults; ++i) {
    if (faults.count[i] == 0) continue;
    log_warn("{}: skipped {}: {}", file, formats::trec::line_fault_name(static_cast<formats::trec::LineFault>(i)),
             faults.count[i]);
  }
}

/// Says what becomes of topics that the run does not answer.
void warn_of_missing(const measures::RunScores& run, const measures::Evaluation& evaluation, const std::string& qrels) {
  if (run.missing_topics == 0) return;
  const auto file = run.file.string();
  if (run.missing_topics == evaluation.topics.size()) {
    log_warn("{}: the run answers no topic of {}; its means are 0", file, qrels);
    return;
  }
  log_warn("{}: topics of {} missing from the run: {} of {}; {}", file, qrels, run.missing_topics,
           evaluation.topics.size(),
           evaluation.options.complete ? "they count as 0" : "the means leave them out (--complete counts them as 0)");
}

/// Warns of what the values do not show.
void warn_of_doubts(const measures::Evaluation& evaluation, const std::string& qrels) {
  warn_of_skipped(qrels, evaluation.qrels_faults);
  for (const auto& measure : evaluation.measures) {
    if (const auto why = measures::why_always_zero(measure, evaluation); !why.empty()) log_warn("{}", why);
  }
  for (const auto& run : evaluation.runs) {
    const std::string file = run.file.string();
    warn_of_skipped(file, run.faults);
    if (run.faults.with_more_fields > 0) {
      log_warn("{}:{}: ignored words after the tag; lines like it: {}", file, run.first_line_with_more,
               run.faults.with_more_fields);
    }
    if (run.unknown_topics > 0) {
      log_warn("{}:{}: topic {} is not in {} and is left out; topics like it: {}", file, run.first_unknown_line,
               formats::fields::quote_for_message(run.first_unknown_topic), qrels, run.unknown_topics);
    }
    warn_of_missing(run, evaluation, qrels);
  }
}

/// Takes the runs out of the measures. Refuses what does not fit together, before any file is read.
void check_evaluate_flags(EvaluateFlags& flags, const CLI::App* command) {
  if (flags.qrels.empty()) throw ConfigError("--qrels FILE is required: the file with the judgments");
  for (const char* name : {"--resamples", "--seed"}) {
    if (command->count(name) > 0) throw ConfigError(fmt::format("{} needs --answers FILE; leave it out", name));
  }
  separate_runs(flags.measures, flags.runs);
  if (flags.runs.empty()) throw ConfigError("no run to evaluate; name at least one file after the options");
}

using formats::fields::quote_for_message;
using pipeline::answers::Answer;
using pipeline::answers::AnswerReading;

void warn_of_answer_doubts(const std::string& file, const std::string& collection, const AnswerReading& reading,
                           bool complete) {
  if (reading.unknown_citations > 0) {
    log_warn("{}:{}: the cited passage {} is not in {} and supports nothing; citations like it: {}", file,
             reading.first_unknown_line, quote_for_message(reading.first_unknown), collection,
             reading.unknown_citations);
  }
  if (reading.missing_topics > 0) {
    log_warn("{}: topics of {} without an answer: {} of {}; {}", file, collection, reading.missing_topics,
             reading.topics_of_collection,
             complete ? "they count as empty answers" : "the means leave them out (--complete counts them)");
  }
}

/// Warns of answers to topics that no collection has.
/// \param times  answer -> collections that do not have its topic
void warn_of_unknown_topics(const std::string& file, const std::map<const Answer*, std::size_t>& times,
                            std::size_t collections) {
  const Answer* first = nullptr;
  std::size_t count = 0;
  for (const auto& [answer, missing] : times) {
    if (missing < collections) continue;
    if (first == nullptr || answer->line < first->line) first = answer;
    ++count;
  }
  if (first == nullptr) return;
  log_warn("{}:{}: topic {} is in no collection and is left out; topics like it: {}", file, first->line,
           quote_for_message(first->topic), count);
}

/// Scores the answers with the members and the evidence of each collection, and prints the scores. Warns of what they
/// do not show. Throws ConfigError, StorageError and FormatError.
void evaluate_answers(const AnswerFlags& flags, const std::vector<std::string>& collections,
                      const analysis::presentation::TextOptions& text) {
  if (collections.empty()) throw ConfigError("no collection to score the answers with; name its directory");
  if (text.format == analysis::presentation::TextFormat::kTrecEval)
    throw ConfigError("--format trec_eval prints measures of runs only; use table, tsv or json with --answers");
  require_files({flags.file});
  const auto file = pipeline::answers::read_answers(flags.file, flags.lenient);
  if (file.skipped > 0) log_warn("{}; bad lines skipped: {}", file.first_skipped, file.skipped);
  analysis::presentation::AnswerEvaluation evaluation{flags.file, flags.options, flags.complete, {}};
  std::map<const Answer*, std::size_t> unknown;
  for (const auto& collection : collections) {
    auto reading = pipeline::answers::read_statements(collection, file.answers, flags.complete);
    if (reading.other_answers.size() == file.answers.size())
      throw FormatError(
          fmt::format("{} has no answer to a topic of {}, for example to {}; name the collection whose "
                      "topics were answered",
                      flags.file, collection, quote_for_message(file.answers.front().topic)));
    for (const auto* answer : reading.other_answers) ++unknown[answer];
    warn_of_answer_doubts(flags.file, collection, reading, flags.complete);
    auto scores = analysis::measures::score_answers(reading.topics, flags.options);
    evaluation.collections.push_back(
        {collection, std::move(reading.topics), std::move(scores), reading.topics_of_collection});
  }
  warn_of_unknown_topics(flags.file, unknown, collections.size());
  print(analysis::presentation::answer_text(evaluation, text));
}

/// Refuses the flags that are for runs.
void run_answers(EvaluateFlags& flags, const CLI::App* command) {
  for (const char* name : {"--qrels", "--measure", "--min-grade", "--max-docs", "--judged-only", "--collection-size",
                           "--z-scores", "--threads"}) {
    if (command->count(name) > 0)
      throw ConfigError(fmt::format("{} is for runs and does not go with --answers; leave it out", name));
  }
  flags.answers.complete = flags.options.complete;
  flags.answers.lenient = flags.options.lenient;
  flags.text.summary = !flags.no_summary;
  evaluate_answers(flags.answers, flags.runs, flags.text);
}

void run_evaluate(EvaluateFlags& flags, const CLI::App* command) {
  if (flags.list_measures) {
    print(presentation::measures_markdown());
    return;
  }
  if (command->count("--answers") > 0) {
    run_answers(flags, command);
    return;
  }
  check_evaluate_flags(flags, command);
  if (flags.measures.empty()) flags.measures = {"official"};
  check_thread_limit(flags.options.threads > 0 ? flags.options.threads
                                               : static_cast<int>(std::thread::hardware_concurrency()));
  const auto wanted = measures::parse_measures(flags.measures);
  require_files({flags.qrels});
  require_files(flags.runs);
  require_files({flags.z_scores});
  flags.text.summary = !flags.no_summary;
  const std::vector<std::filesystem::path> runs(flags.runs.begin(), flags.runs.end());
  flags.options.bad_line_advice = "; `touchstone evaluate --lenient` skips such lines";
  auto evaluation = measures::evaluate(flags.qrels, runs, wanted, flags.options);
  if (!flags.z_scores.empty()) measures::to_z_scores(evaluation, flags.z_scores);
  warn_of_doubts(evaluation, flags.qrels);
  print(presentation::evaluation_text(evaluation, flags.text));
}

}  // namespace

void add_evaluate(CLI::App* app, Context&) {
  auto flags = std::make_shared<EvaluateFlags>();
  auto* command = app->add_subcommand("evaluate", "Score runs against qrels, with trec_eval's measures and more");
  command->add_option("RUN", flags->runs,
                      "TREC runs, plain or .gz; - reads standard input. With --answers: collections");
  command->add_option("--qrels", flags->qrels, "TREC qrels, plain or .gz")->type_name("FILE");
  command
      ->add_option("--answers", flags->answers.file,
                   "Score answers in text instead of runs, by members and evidence of the collections: JSON lines "
                   "{topic, answer, citations}, plain or .gz")
      ->type_name("FILE");
  command
      ->add_option("-m,--measure", flags->measures,
                   "Measures by the names of trec_eval or ir_measures: map, ndcg_cut.10,20, P_5, nDCG@10, "
                   "AP(rel=2)@100, ...; or a set: official (default), set, all_trec")
      ->type_name("MEASURE...")
      ->expected(1, -1);
  command->add_flag("--list-measures", flags->list_measures, "Print all measures and exit");
  command->add_flag("-q,--per-topic", flags->text.per_topic, "Also print the values of each topic");
  command->add_flag("-n,--no-summary", flags->no_summary, "Do not print values over all topics");
  add_choice(command, "--format", flags->text.format, presentation::kTextFormats,
             "table, tsv, json or trec_eval (the same text as trec_eval)")
      ->type_name("FORMAT");
  command->add_option("-l,--min-grade", flags->options.min_grade, "Lowest grade that is relevant (default: 1)")
      ->type_name("GRADE")
      ->check(CLI::Range(0, formats::trec::kMaxGrade));
  command->add_flag("-c,--complete", flags->options.complete,
                    "Average over all topics of the qrels; topics missing from a run count as 0");
  command->add_option("-M,--max-docs", flags->options.max_passages, "Use only the first N ranks of each topic")
      ->type_name("N")
      ->check(CLI::Range(1U, 4294967295U))
      ->transform(whole_number);
  command->add_flag("-J,--judged-only", flags->options.judged_only, "First remove unjudged passages from the rankings");
  command
      ->add_option("-N,--collection-size", flags->options.collection_size,
                   "Number of passages in the collection, for utility")
      ->type_name("N")
      ->transform(whole_number);
  command
      ->add_option("-Z,--z-scores", flags->z_scores,
                   "Print distances from reference means: lines \"topic measure mean deviation\"")
      ->type_name("FILE");
  command->add_flag("--lenient", flags->options.lenient,
                    "Skip and count bad lines instead of failing at the first one");
  command
      ->add_option("--resamples", flags->answers.options.resamples,
                   "With --answers: resamples of topics for the intervals (default: 1000)")
      ->type_name("N")
      ->check(CLI::Range(100U, 1000000U))
      ->transform(whole_number);
  command->add_option("--seed", flags->answers.options.seed, "With --answers: seed of the resamples (default: 1)")
      ->type_name("N")
      ->transform(whole_number);
  add_threads(command, flags->options.threads);
  add_footer(command);
  command->callback([flags, command] { run_evaluate(*flags, command); });
}

}  // namespace touchstone::cli
