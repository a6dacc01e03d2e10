#include "analysis/presentation/answer_text.hpp"

#include "analysis/presentation/source_text.hpp"
#include "analysis/presentation/text_table.hpp"
#include "common/json_writer.hpp"
#include "common/number_text.hpp"

#include <cmath>
#include <functional>
#include <limits>
#include <string_view>

#include <fmt/format.h>

namespace touchstone::analysis::presentation {
namespace {

using measures::AnswerMean;
using measures::kAnswerMeasureNames;
using measures::kAnswerMeasures;
using measures::kAnswerShares;
using measures::TopicAnswer;

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

/// Calls `use(collection, answer, measure, value)` for every value; the answer of values over all topics is null.
void for_each_answer_value(
    const AnswerEvaluation& evaluation, const TextOptions& options,
    const std::function<void(const CollectionAnswers&, const TopicAnswer*, std::size_t, const AnswerMean&)>& use) {
  for (const auto& collection : evaluation.collections) {
    for (std::size_t t = 0; options.per_topic && t < collection.answers.size(); ++t) {
      for (std::size_t m = 0; m < kAnswerMeasures; ++m)
        use(collection, &collection.answers[t], m, {collection.scores.topics[t][m], kNothing, kNothing});
    }
    for (std::size_t m = 0; options.summary && m < kAnswerMeasures; ++m)
      use(collection, nullptr, m, collection.scores.means[m]);
  }
}

std::string digits_or(double value, const char* if_nothing) {
  return std::isnan(value) ? if_nothing : shortest_digits(value);
}

std::string short_digits(double value, std::size_t measure) {
  return std::isnan(value) ? "-" : fixed_digits(value, measure < kAnswerShares ? 4 : 0);
}

internal::Facts answer_facts(const AnswerEvaluation& evaluation) {
  internal::Facts facts = {{"answers", evaluation.file}};
  for (const auto& collection : evaluation.collections) {
    facts.emplace_back("collection", fmt::format("{} ({} of {} topics)", collection.collection,
                                                 collection.answers.size(), collection.topics));
  }
  if (evaluation.complete) facts.emplace_back("complete", "topics without an answer count as an empty answer");
  facts.emplace_back("intervals", fmt::format("95 %, bootstrap over topics, {} resamples, seed {}",
                                              evaluation.options.resamples, evaluation.options.seed));
  return facts;
}

std::string answer_tsv(const AnswerEvaluation& evaluation, const TextOptions& options) {
  std::string out = internal::tsv_head(answer_facts(evaluation)) + "collection\tmeasure\ttopic\tvalue\tlow\thigh\n";
  for_each_answer_value(evaluation, options,
                        [&](const auto& collection, const auto* answer, std::size_t m, const AnswerMean& mean) {
                          out += fmt::format("{}\t{}\t{}\t{}\t{}\t{}\n", collection.collection, kAnswerMeasureNames[m],
                                             answer ? answer->topic : "all", digits_or(mean.value, "-"),
                                             digits_or(mean.low, "-"), digits_or(mean.high, "-"));
                        });
  return out;
}

void write_statements(JsonWriter& json, const TopicAnswer& answer) {
  json.key("pages").begin_object().field("stated", answer.stated).field("missing", answer.missing);
  json.field("unsupported", answer.unsupported).field("others", answer.others).end_object();
}

void write_answers_about(JsonWriter& json, const AnswerEvaluation& evaluation, const CollectionAnswers& collection) {
  json.key("about").begin_object();
  internal::write_version(json);
  json.field("answers", evaluation.file).field("topics", collection.topics);
  json.field("topics_scored", collection.answers.size()).field("complete", evaluation.complete);
  json.field("resamples", evaluation.options.resamples).field("seed", evaluation.options.seed);
  json.end_object();
}

std::string answer_json(const AnswerEvaluation& evaluation, const TextOptions& options) {
  std::string out;
  const CollectionAnswers* last = nullptr;
  for_each_answer_value(
      evaluation, options,
      [&](const CollectionAnswers& collection, const TopicAnswer* answer, std::size_t m, const AnswerMean& mean) {
        JsonWriter json({.escapes = JsonEscapes::kLineBreaks});
        json.begin_object().field("collection", collection.collection).field("measure", kAnswerMeasureNames[m]);
        json.field("topic", answer ? std::string_view(answer->topic) : "all");
        json.key("value").raw(digits_or(mean.value, "null"));
        if (!answer && m < kAnswerShares) {
          json.key("low").raw(digits_or(mean.low, "null"));
          json.key("high").raw(digits_or(mean.high, "null"));
        }
        if (answer && m == 0) write_statements(json, *answer);
        if (last != &collection) write_answers_about(json, evaluation, collection);
        last = &collection;
        out += out.empty() ? "\n" : ",\n";
        out += json.end_object().take();
      });
  return "[" + out + "\n]\n";
}

/// A row for each topic.
std::string topics_table(const CollectionAnswers& collection) {
  internal::TextTable table;
  std::vector<std::string> header = {"topic"};
  header.insert(header.end(), kAnswerMeasureNames.begin(), kAnswerMeasureNames.end());
  table.row(header);
  for (std::size_t t = 0; t < collection.answers.size(); ++t) {
    std::vector<std::string> cells = {collection.answers[t].topic};
    for (std::size_t m = 0; m < kAnswerMeasures; ++m) cells.push_back(short_digits(collection.scores.topics[t][m], m));
    table.row(cells);
  }
  return table.aligned();
}

/// A row for each measure.
std::string means_table(const CollectionAnswers& collection) {
  internal::TextTable table;
  table.row({"measure", "all", "low", "high"});
  for (std::size_t m = 0; m < kAnswerMeasures; ++m) {
    const auto& mean = collection.scores.means[m];
    const bool is_share = m < kAnswerShares;
    table.row({std::string(kAnswerMeasureNames[m]), short_digits(mean.value, m),
               is_share ? short_digits(mean.low, m) : "", is_share ? short_digits(mean.high, m) : ""});
  }
  return table.aligned();
}

std::string answer_table(const AnswerEvaluation& evaluation, const TextOptions& options) {
  std::string out;
  for (const auto& collection : evaluation.collections) {
    if (evaluation.collections.size() > 1) out += collection.collection + "\n\n";
    if (options.per_topic) out += topics_table(collection) + "\n";
    if (options.summary) out += means_table(collection) + "\n";
  }
  return out + internal::table_foot(answer_facts(evaluation));
}

}  // namespace

std::string answer_text(const AnswerEvaluation& evaluation, const TextOptions& options) {
  if (options.format == TextFormat::kTsv) return answer_tsv(evaluation, options);
  if (options.format == TextFormat::kJson) return answer_json(evaluation, options);
  return answer_table(evaluation, options);
}

}  // namespace touchstone::analysis::presentation
