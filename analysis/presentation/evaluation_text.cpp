#include "analysis/presentation/evaluation_text.hpp"

#include "common/json_writer.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <iterator>

#include <fmt/format.h>

namespace touchstone::analysis {
namespace {

/// Tables with more measures get one row for each value instead of one column for each measure.
constexpr std::size_t kMostColumns = 8;

std::string full_precision(double value) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}

/// One value of one run, and how to write it.
struct Cell {
  const RunScores& run;
  const Measure& measure;
  std::size_t measure_index;
  std::size_t row;  ///< kAll for the value over all topics
  static constexpr std::size_t kAll = static_cast<std::size_t>(-1);

  std::string text(const Evaluation& evaluation, bool full) const {
    if (measure.kind() == MeasureKind::kRunId) return run.tag;
    if (measure.kind() == MeasureKind::kRelstring) {
      const auto length = static_cast<std::size_t>(measure.numbers.front());
      return row < run.relevance_strings.size() ? run.relevance_strings[row].substr(0, length) : "";
    }
    const double value =
        row == kAll ? run.means[measure_index] : run.value(row, measure_index, evaluation.measures.size());
    if (full) return full_precision(value);
    if (measure.is_count() && evaluation.measure_prefix.empty()) return fmt::format("{:.0f}", value);
    return fmt::format("{:.4f}", value);
  }
};

/// Whether the measure has a value for single topics, or for all of them together.
bool has_value(const Measure& measure, bool all) {
  return all ? measure.kind() != MeasureKind::kRelstring : measure.has_topic_values();
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

/// Calls `row(run_index, row, topic)` for every line of the output in its order.
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

/// Calls `value(run, cell, topic)` for every value, in order.
void for_each_value(const Evaluation& evaluation, const TextOptions& options,
                    const std::function<void(const Cell&, const std::string&)>& value) {
  const auto order = measure_order(evaluation, options.format);
  for_each_row(evaluation, options, [&](std::size_t run, std::size_t row, const std::string& topic) {
    for (const auto m : order) {
      const auto& measure = evaluation.measures[m];
      if (has_value(measure, row == Cell::kAll)) value({evaluation.runs[run], measure, m, row}, topic);
    }
  });
}

std::string trec_eval_text(const Evaluation& evaluation, const TextOptions& options) {
  std::string out;
  for_each_value(evaluation, options, [&](const Cell& cell, const std::string& topic) {
    const auto& measure = cell.measure;
    const bool quoted = measure.kind() == MeasureKind::kRelstring;
    fmt::format_to(std::back_inserter(out), "{}{:<22}\t{}\t{}{}{}\n",
                   measure.is_text() ? "" : evaluation.measure_prefix, measure.name, topic, quoted ? "'" : "",
                   cell.text(evaluation, false), quoted ? "'" : "");
  });
  return out;
}

std::string tsv_text(const Evaluation& evaluation, const TextOptions& options) {
  std::string out = "run\tmeasure\ttopic\tvalue\n";
  for_each_value(evaluation, options, [&](const Cell& cell, const std::string& topic) {
    fmt::format_to(std::back_inserter(out), "{}\t{}\t{}\t{}\n", cell.run.file.string(),
                   printed_name(evaluation, cell.measure), topic, cell.text(evaluation, true));
  });
  return out;
}

std::string json_text(const Evaluation& evaluation, const TextOptions& options) {
  std::string out = "[";
  for_each_value(evaluation, options, [&](const Cell& cell, const std::string& topic) {
    out += out.size() == 1 ? "\n{\"run\":" : ",\n{\"run\":";
    append_json_string(out, cell.run.file.string(), JsonEscapes::kLineBreaks);
    out += ",\"measure\":";
    append_json_string(out, printed_name(evaluation, cell.measure), JsonEscapes::kLineBreaks);
    out += ",\"topic\":";
    append_json_string(out, topic, JsonEscapes::kLineBreaks);
    out += ",\"value\":";
    const auto value = cell.text(evaluation, true);
    if (cell.measure.is_text()) {
      append_json_string(out, value, JsonEscapes::kLineBreaks);
    } else {
      out += value == "inf" || value == "-inf" || value == "nan" || value == "-nan" ? "null" : value;
    }
    out += '}';
  });
  return out + "\n]\n";
}

/// Columns as wide as their widest cell; texts to the left, the last `numbers` columns to the right.
std::string aligned(const std::vector<std::vector<std::string>>& rows, std::size_t numbers) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string out;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string gap(widths[i] - row[i].size(), ' ');
      line += (i == 0 ? "" : "  ") + (i + numbers < row.size() ? row[i] + gap : gap + row[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

std::string table_text(const Evaluation& evaluation, const TextOptions& options) {
  std::vector<std::filesystem::path> files;
  for (const auto& run : evaluation.runs) files.push_back(run.file);
  const auto names = run_names(files);
  const bool wide = evaluation.measures.size() <= kMostColumns;
  std::vector<std::vector<std::string>> rows(1);
  rows[0] = {"run"};
  if (options.per_topic) rows[0].push_back("topic");
  if (wide) {
    for (const auto& measure : evaluation.measures) rows[0].push_back(printed_name(evaluation, measure));
  } else {
    rows[0].insert(rows[0].end(), {"measure", "value"});
  }
  for_each_row(evaluation, options, [&](std::size_t run, std::size_t row, const std::string& topic) {
    std::vector<std::string> start = {names[run]};
    if (options.per_topic) start.push_back(topic);
    if (wide) rows.push_back(start);
    for (std::size_t m = 0; m < evaluation.measures.size(); ++m) {
      const auto& measure = evaluation.measures[m];
      const bool has = has_value(measure, row == Cell::kAll);
      const auto text = has ? Cell{evaluation.runs[run], measure, m, row}.text(evaluation, false) : "-";
      if (wide) {
        rows.back().push_back(text);
      } else if (has) {
        rows.push_back(start);
        rows.back().insert(rows.back().end(), {printed_name(evaluation, measure), text});
      }
    }
  });
  return aligned(rows, wide ? evaluation.measures.size() : 1);
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

}  // namespace touchstone::analysis
