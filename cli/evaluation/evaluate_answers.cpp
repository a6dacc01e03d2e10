#include "cli/evaluation/evaluate_answers.hpp"

#include "analysis/presentation/answer_text.hpp"
#include "cli/statistics_flags.hpp"
#include "common/error.hpp"
#include "common/log.hpp"
#include "formats/fields/quote.hpp"
#include "pipeline/answers/answer_reading.hpp"

#include <map>
#include <utility>

#include <fmt/format.h>

namespace touchstone::cli {
namespace {

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

}  // namespace

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

}  // namespace touchstone::cli
