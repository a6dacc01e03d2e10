#include "analysis/presentation/text_parts.hpp"

#include "common/number_text.hpp"
#include "common/version.hpp"
#include "formats/fields/one_line.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace touchstone::analysis::presentation::internal {
namespace {

/// Prints -0 as 0.
double without_sign_of_zero(double value) {
  return value == 0 ? 0 : value;
}

}  // namespace

std::string short_number(double value) {
  return std::isnan(value) ? "-" : fixed_digits(without_sign_of_zero(value), 4);
}

std::string full_number(double value) {
  return std::isnan(value) ? "" : fmt::format("{}", without_sign_of_zero(value));
}

NumberText number_text(StatisticsFormat format) {
  return format == StatisticsFormat::kTable ? short_number : full_number;
}

JsonWriter json_document() {
  return JsonWriter({.indent = 1});
}

std::string TextTable::aligned(std::size_t left_columns) const {
  std::vector<std::size_t> widths;
  for (const auto& cells : rows_) {
    widths.resize(std::max(widths.size(), cells.size()));
    for (std::size_t c = 0; c < cells.size(); ++c) widths[c] = std::max(widths[c], cells[c].size());
  }
  std::string out;
  for (const auto& cells : rows_) {
    std::string line;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      if (c > 0) line += "  ";
      line +=
          c < left_columns ? fmt::format("{:<{}}", cells[c], widths[c]) : fmt::format("{:>{}}", cells[c], widths[c]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

std::string TextTable::tab_separated() const {
  std::string out;
  for (const auto& cells : rows_) out += fmt::format("{}\n", fmt::join(cells, "\t"));
  return out;
}

using formats::fields::one_line;
using statistics::ScoreMatrix;
using statistics::ScoreSource;

std::string program_and_version() {
  return fmt::format("touchstone {}", program_version());
}

Facts source_facts(const ScoreMatrix& scores) {
  const auto& source = scores.source;
  Facts facts;
  if (!source.measure.empty()) facts.emplace_back("measure", source.measure);
  if (!source.qrels.empty()) facts.emplace_back("qrels", source.qrels);
  if (!source.matrix.empty()) facts.emplace_back("scores", source.matrix);
  const auto missing = missing_answers(scores);
  facts.emplace_back("topics", fmt::format("{}{}{}", scores.topics.size(), missing.empty() ? "" : "; ", missing));
  for (std::size_t s = 0; s < source.run_files.size(); ++s)
    facts.emplace_back("run " + scores.systems[s], source.run_files[s]);
  return facts;
}

std::string tsv_head(const Facts& facts, char mark) {
  std::string out = fmt::format("{} {}\n", mark, program_and_version());
  for (const auto& [name, value] : facts) out += fmt::format("{} {}: {}\n", mark, one_line(name), one_line(value));
  return out;
}

std::string table_foot(const Facts& facts) {
  std::string out;
  for (const auto& [name, value] : facts) out += fmt::format("{}: {}\n", one_line(name), one_line(value));
  return out + program_and_version() + "\n";
}

std::string source_line(const ScoreSource& source) {
  const auto file = one_line(source.judgments());
  if (source.matrix.empty()) return fmt::format("{} by {}", source.measure, file);
  return source.measure.empty() ? fmt::format("scores of {}", file) : fmt::format("{} of {}", source.measure, file);
}

std::string measure_or_score(const ScoreSource& source) {
  return source.measure.empty() ? "score" : one_line(source.measure);
}

void write_version(JsonWriter& json) {
  json.field("version", program_and_version());
}

void write_source(JsonWriter& json, const ScoreMatrix& scores) {
  const auto& source = scores.source;
  write_version(json);
  json.key("measure");
  source.measure.empty() ? json.value(nullptr) : json.value(source.measure);
  if (!source.qrels.empty()) json.field("qrels", source.qrels);
  if (!source.matrix.empty()) json.field("matrix", source.matrix);
  if (!source.qrels.empty()) json.field("complete", source.complete).field("topics_left_out", scores.topics_left_out);
  json.field("topic_ids", scores.topics);
  if (source.run_files.empty()) return;
  json.key("runs").begin_array();
  for (std::size_t s = 0; s < source.run_files.size(); ++s) {
    json.begin_object().field("system", scores.systems[s]).field("file", source.run_files[s]);
    json.field("tag", source.run_tags[s]).field("unanswered", source.unanswered[s]).end_object();
  }
  json.end_array();
}

using significance::CompareOptions;
using significance::Correction;
using significance::IntervalKind;
using significance::SignificanceTest;

std::string test_words(const CompareOptions& options, bool exact) {
  std::string words(test_name(options.test));
  if (options.correction != Correction::kNone) words += fmt::format(", {}", correction_name(options.correction));
  words += fmt::format(", alpha {}", options.alpha);
  if (exact) return words + ", all permutations";
  if (!is_sampled(options.test)) return words;
  return words + fmt::format(", {} {}, seed {}", options.permutations,
                             options.test == SignificanceTest::kBootstrap ? "resamples" : "permutations", options.seed);
}

std::string p_value_text(double p) {
  return p > 0 && p < 0.0001 ? fmt::format("{:.1e}", p) : short_number(p);
}

std::string interval_note(const IntervalKind& intervals, const CompareOptions& options) {
  if (!intervals.simultaneous)
    return fmt::format("low, high: {:.6g} % intervals of each pair by itself", 100 * (1 - intervals.alpha));
  std::string note =
      fmt::format("low, high: simultaneous intervals, {:.6g} % for all pairs together", 100 * (1 - options.alpha));
  if (options.correction == Correction::kNone) return note;
  note += ", by Bonferroni's correction";
  if (options.correction != Correction::kBonferroni)
    note +=
        fmt::format("; {} may find a pair significant whose interval contains 0", correction_name(options.correction));
  return note;
}

void add_test_facts(Facts& facts, const CompareOptions& options, const IntervalKind& intervals, bool exact) {
  facts.emplace_back("test", test_name(options.test));
  facts.emplace_back("correction", correction_name(options.correction));
  facts.emplace_back("alpha", full_number(options.alpha));
  facts.emplace_back("intervals", !intervals.simultaneous ? "of each pair by itself"
                                  : options.correction == Correction::kNone
                                      ? "simultaneous"
                                      : "simultaneous, by Bonferroni's correction");
  if (intervals.fcr_alpha) facts.emplace_back("level of fcr_low, fcr_high", full_number(1 - *intervals.fcr_alpha));
  if (!is_sampled(options.test)) return;
  facts.emplace_back("permutations", exact ? "all" : fmt::to_string(options.permutations));
  if (!exact) facts.emplace_back("seed", fmt::to_string(options.seed));
}

void write_test(JsonWriter& json, const CompareOptions& options, bool exact) {
  json.field("test", test_name(options.test)).field("correction", correction_name(options.correction));
  json.field("alpha", options.alpha);
  if (is_sampled(options.test))
    json.field("permutations", options.permutations).field("seed", options.seed).field("exact", exact);
}

void write_intervals(JsonWriter& json, const IntervalKind& intervals) {
  json.key("intervals").begin_object().field("level", 1 - intervals.alpha);
  json.field("simultaneous", intervals.simultaneous);
  if (intervals.fcr_alpha) json.field("fcr_level", 1 - *intervals.fcr_alpha);
  json.end_object();
}

}  // namespace touchstone::analysis::presentation::internal
