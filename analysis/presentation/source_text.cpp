#include "analysis/presentation/source_text.hpp"

#include "common/version.hpp"
#include "formats/fields/one_line.hpp"

#include <fmt/format.h>

namespace touchstone::analysis::presentation::internal {

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

}  // namespace touchstone::analysis::presentation::internal
