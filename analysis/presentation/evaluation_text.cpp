#include "analysis/presentation/evaluation_text.hpp"

#include "analysis/presentation/text_parts.hpp"
#include "common/json_writer.hpp"
#include "common/number_text.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <string_view>

#include <fmt/format.h>

namespace touchstone::analysis::presentation {
namespace {

using measures::Evaluation;
using measures::Measure;
using measures::MeasureKind;
using measures::RunScores;

/// Tables of more measures have a row for each value instead of a column for each measure.
constexpr std::size_t kMostColumns = 8;

/// One value of one run.
struct Cell {
  const RunScores& run;
  const Measure& measure;
  std::size_t measure_index;
  std::size_t row;                                                   ///< index into run.topics, or kAll
  static constexpr std::size_t kAll = static_cast<std::size_t>(-1);  ///< the value over all topics

  /// \pre measure.is_text()
  std::string text() const {
    if (measure.kind == MeasureKind::kRunId) return run.tag;
    const auto length = static_cast<std::size_t>(measure.numbers.front());
    return row < run.relevance_strings.size() ? run.relevance_strings[row].substr(0, length) : "";
  }

  /// \pre not measure.is_text()
  double number(const Evaluation& evaluation) const {
    return row == kAll ? run.means[measure_index] : run.value(row, measure_index, evaluation.measures.size());
  }
};

/// Counts without decimals, other values with four.
std::string short_text(const Evaluation& evaluation, const Cell& cell) {
  if (cell.measure.is_text()) return cell.text();
  if (std::isnan(cell.number(evaluation))) return "-";
  const int decimals = cell.measure.is_count() && evaluation.measure_prefix.empty() ? 0 : 4;
  return fixed_digits(cell.number(evaluation), decimals);
}

/// Whether the measure has a value over all topics, or else for single topics.
bool has_value(const Measure& measure, bool all) {
  return all ? measure.kind != MeasureKind::kRelstring : measure.has_topic_values();
}

std::string printed_name(const Evaluation& evaluation, const Measure& measure) {
  return (measure.is_text() ? "" : evaluation.measure_prefix) + measure.name;
}

/// The order in which the measures are written: indices into evaluation.measures.
std::vector<std::size_t> measure_order(const Evaluation& evaluation, TextFormat format) {
  auto measures = evaluation.measures;
  if (format == TextFormat::kTrecEval) sort_as_trec_eval(measures);
  std::vector<std::size_t> order;
  for (const auto& measure : measures) {
    const auto same = [&](const Measure& other) { return other.name == measure.name; };
    order.push_back(static_cast<std::size_t>(
        std::find_if(evaluation.measures.begin(), evaluation.measures.end(), same) - evaluation.measures.begin()));
  }
  return order;
}

/// Calls `row(run_index, row, topic)` for every run and topic in the order of the output.
void for_each_row(const Evaluation& evaluation, const TextOptions& options,
                  const std::function<void(std::size_t, std::size_t, const std::string&)>& row) {
  static const std::string kAllTopics = "all";
  for (std::size_t i = 0; i < evaluation.runs.size(); ++i) {
    const auto& run = evaluation.runs[i];
    for (std::size_t t = 0; options.per_topic && t < run.topics.size(); ++t) {
      row(i, t, evaluation.topics[run.topics[t]]);
    }
    if (options.summary) row(i, Cell::kAll, kAllTopics);
  }
}

/// Calls `value(cell, topic)` for every value in the order of the output.
void for_each_value(const Evaluation& evaluation, const TextOptions& options,
                    const std::function<void(const Cell&, const std::string&)>& value) {
  const auto order = measure_order(evaluation, options.format);
  for_each_row(evaluation, options, [&](std::size_t run, std::size_t row, const std::string& topic) {
    for (const auto m : order) {
      const auto& measure = evaluation.measures[m];
      const Cell cell{evaluation.runs[run], measure, m, row};
      if (!has_value(measure, row == Cell::kAll)) continue;
      if (measure.is_text() || !std::isnan(cell.number(evaluation))) value(cell, topic);
    }
  });
}

/// Whether only the first ranks count.
bool has_depth(const measures::EvaluateOptions& options) {
  return options.max_passages != measures::EvaluateOptions().max_passages;
}

/// What trec_eval prints. With -c it counts num_rel over all topics once more, and takes every grade above 0 for
/// relevant, whatever -l says (te_calc_avg_num_rel in its m_num_rel.c).
std::string trec_eval_value(const Evaluation& evaluation, const Cell& cell) {
  const bool is_counted_again = cell.measure.kind == MeasureKind::kNumRel && cell.row == Cell::kAll &&
                                cell.measure.family->spelling == measures::Spelling::kTrecEval &&
                                evaluation.options.complete && evaluation.measure_prefix.empty();
  return is_counted_again ? fmt::to_string(evaluation.grades_above_zero) : short_text(evaluation, cell);
}

std::string trec_eval_text(const Evaluation& evaluation, const TextOptions& options) {
  std::string out;
  for_each_value(evaluation, options, [&](const Cell& cell, const std::string& topic) {
    const auto& measure = cell.measure;
    const bool quoted = measure.kind == MeasureKind::kRelstring;
    fmt::format_to(std::back_inserter(out), "{}{:<22}\t{}\t{}{}{}\n",
                   measure.is_text() ? "" : evaluation.measure_prefix, measure.name, topic, quoted ? "'" : "",
                   trec_eval_value(evaluation, cell), quoted ? "'" : "");
  });
  return out;
}

/// Bad lines of the judgments and of all runs.
std::uint64_t skipped_lines(const Evaluation& evaluation) {
  auto lines = evaluation.qrels_faults.total();
  for (const auto& run : evaluation.runs) lines += run.faults.total();
  return lines;
}

/// The files and options that the values depend on. A table has no room for the files of its runs; they are left out.
internal::Facts evaluation_facts(const Evaluation& evaluation, bool with_runs) {
  const auto& options = evaluation.options;
  internal::Facts facts = {{"qrels", evaluation.qrels.string()},
                           {"topics of the qrels", fmt::to_string(evaluation.topics.size())}};
  if (options.complete) facts.emplace_back("complete", "topics that a run lacks count as 0");
  if (options.min_grade != 1) facts.emplace_back("lowest relevant grade", fmt::to_string(options.min_grade));
  if (options.judged_only) facts.emplace_back("judged only", "unjudged passages are removed");
  if (has_depth(options)) facts.emplace_back("ranks that count", fmt::to_string(options.max_passages));
  if (options.collection_size > 0) facts.emplace_back("collection size", fmt::to_string(options.collection_size));
  if (options.lenient) facts.emplace_back("bad lines skipped", fmt::to_string(skipped_lines(evaluation)));
  if (!evaluation.z_scores.empty()) facts.emplace_back("z-scores", evaluation.z_scores);
  for (const auto& run : evaluation.runs) {
    if (with_runs) facts.emplace_back("run " + run.name, run.file.string());
  }
  return facts;
}

std::string tsv_text(const Evaluation& evaluation, const TextOptions& options) {
  std::string out = internal::tsv_head(evaluation_facts(evaluation, true)) + "run\tmeasure\ttopic\tvalue\n";
  for_each_value(evaluation, options, [&](const Cell& cell, const std::string& topic) {
    fmt::format_to(std::back_inserter(out), "{}\t{}\t{}\t{}\n", cell.run.name, printed_name(evaluation, cell.measure),
                   topic, cell.measure.is_text() ? cell.text() : shortest_digits(cell.number(evaluation)));
  });
  return out;
}

/// NaN and infinity become null, since JSON cannot hold them.
std::string json_number(double value) {
  return std::isfinite(value) ? shortest_digits(value) : "null";
}

/// The files and options that a run's values depend on.
void write_about(JsonWriter& json, const Evaluation& evaluation, const RunScores& run) {
  const auto& options = evaluation.options;
  json.key("about").begin_object();
  internal::write_version(json);
  json.field("qrels", evaluation.qrels.string());
  json.field("file", run.file.string()).field("tag", run.tag);
  json.field("topics", run.topics.size()).field("topics_missing", run.missing_topics);
  json.field("topics_not_in_qrels", run.unknown_topics);
  json.field("min_grade", options.min_grade).field("complete", options.complete);
  if (options.lenient) json.field("bad_lines_skipped", evaluation.qrels_faults.total() + run.faults.total());
  json.field("judged_only", options.judged_only).key("max_docs");
  has_depth(options) ? json.value(options.max_passages) : json.value(nullptr);
  json.field("collection_size", options.collection_size).key("z_scores");
  evaluation.z_scores.empty() ? json.value(nullptr) : json.value(evaluation.z_scores);
  json.end_object();
}

/// A list of values. The first one of each run says what the values of the run depend on.
std::string json_text(const Evaluation& evaluation, const TextOptions& options) {
  std::string out;
  const RunScores* last = nullptr;
  for_each_value(evaluation, options, [&](const Cell& cell, const std::string& topic) {
    JsonWriter json({.escapes = JsonEscapes::kLineBreaks});
    json.begin_object();
    json.field("run", cell.run.name).field("measure", printed_name(evaluation, cell.measure));
    json.field("topic", topic).key("value");
    if (cell.measure.is_text()) {
      json.value(cell.text());
    } else {
      json.raw(json_number(cell.number(evaluation)));
    }
    if (last != &cell.run) write_about(json, evaluation, cell.run);
    last = &cell.run;
    out += out.empty() ? "\n" : ",\n";
    out += json.end_object().take();
  });
  return "[" + out + "\n]\n";
}

std::string table_text(const Evaluation& evaluation, const TextOptions& options) {
  const bool column_for_each_measure = evaluation.measures.size() <= kMostColumns;
  internal::TextTable table;
  std::vector<std::string> header = {"run"};
  if (options.per_topic) header.push_back("topic");
  const std::size_t left_columns = header.size() + (column_for_each_measure ? 0 : 1);
  if (column_for_each_measure) {
    for (const auto& measure : evaluation.measures) header.push_back(printed_name(evaluation, measure));
  } else {
    header.insert(header.end(), {"measure", "value"});
  }
  table.row(header);
  for_each_row(evaluation, options, [&](std::size_t run, std::size_t row, const std::string& topic) {
    std::vector<std::string> start = {evaluation.runs[run].name};
    if (options.per_topic) start.push_back(topic);
    auto cells = start;
    for (std::size_t m = 0; m < evaluation.measures.size(); ++m) {
      const auto& measure = evaluation.measures[m];
      const bool has = has_value(measure, row == Cell::kAll);
      const auto text = has ? short_text(evaluation, {evaluation.runs[run], measure, m, row}) : "-";
      if (column_for_each_measure) {
        cells.push_back(text);
      } else if (has) {
        cells = start;
        cells.insert(cells.end(), {printed_name(evaluation, measure), text});
        table.row(cells);
      }
    }
    if (column_for_each_measure) table.row(cells);
  });
  return table.aligned(left_columns) + "\n" + internal::table_foot(evaluation_facts(evaluation, false));
}

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

std::string evaluation_text(const Evaluation& evaluation, const TextOptions& options) {
  switch (options.format) {
    case TextFormat::kTrecEval:
      return trec_eval_text(evaluation, options);
    case TextFormat::kTsv:
      return tsv_text(evaluation, options);
    case TextFormat::kJson:
      return json_text(evaluation, options);
    case TextFormat::kTable:
      break;
  }
  return table_text(evaluation, options);
}

std::string answer_text(const AnswerEvaluation& evaluation, const TextOptions& options) {
  if (options.format == TextFormat::kTsv) return answer_tsv(evaluation, options);
  if (options.format == TextFormat::kJson) return answer_json(evaluation, options);
  return answer_table(evaluation, options);
}

}  // namespace touchstone::analysis::presentation
