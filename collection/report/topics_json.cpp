#include "collection/page_address.hpp"
#include "collection/report/topic_list.hpp"
#include "common/json_writer.hpp"
#include "common/number_text.hpp"
#include "common/unicode.hpp"

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace touchstone::collection::report::internal {
namespace {

using Ranges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

constexpr int kProbabilityDigits = 4;

/// The ranges inside the part of the text that is shown, counted from its start.
/// \param first   code point of the whole text at which the part starts
/// \param length  of the part in code points
Ranges shown_ranges(const Ranges& ranges, std::uint32_t first, std::size_t length) {
  Ranges shown;
  for (const auto& [start, end] : ranges) {
    if (start < first || end < first || end - first > length || start >= end) continue;
    shown.emplace_back(start - first, end - first);
  }
  return shown;
}

/// [member, grade, probability, reason, own article, state, mentions, spans]
void write_judgment(JsonWriter& out, const JudgmentRecord& judgment, const ReportPassage& shown, std::size_t length) {
  out.begin_array().value(judgment.member).value(judgment.grade);
  judgment.probability ? out.raw(at_most_digits(*judgment.probability, kProbabilityDigits)) : out.value(nullptr);
  out.value(judgment.reason)
      .value(judgment.own_article ? 1 : 0)
      .value(to_string(judgment.state))
      .value(shown_ranges(judgment.mentions, shown.first_code_point, length))
      .value(shown_ranges(judgment.spans, shown.first_code_point, length))
      .end_array();
}

/// Short names, since there may be ten thousands of passages: d docid, t title, s section, x text (null: left out),
/// b and e cut at the beginning and at the end, j judgments.
void write_passage(JsonWriter& out, const ReportPassage& shown) {
  out.begin_object()
      .field("d", shown.passage.docid)
      .field("t", shown.passage.title)
      .field("s", shown.passage.section_path)
      .key("x");
  shown.found ? out.value(shown.passage.text) : out.value(nullptr);
  if (shown.first_code_point > 0) out.field("b", 1);
  if (shown.cut_at_end) out.field("e", 1);
  out.key("j").begin_array();
  const std::size_t length = count_code_points(shown.passage.text);
  for (const auto& judgment : shown.judgments) write_judgment(out, judgment, shown, length);
  out.end_array().end_object();
}

void write_passages(JsonWriter& out, std::string_view name, const std::vector<ReportPassage>& passages) {
  out.key(name).begin_array();
  for (const auto& passage : passages) write_passage(out, passage);
  out.end_array();
}

std::string topic_json(const ReportTopic& shown) {
  JsonWriter out({.escapes = JsonEscapes::kLineBreaks});
  out.begin_object().field("id", shown.topic.id);
  if (!shown.opened) return out.end_object().take();
  out.field("page", shown.topic.page)
      .field("section", shown.topic.section_path)
      .field("column", shown.topic.column)
      .field("source", shown.topic.query_source)
      .key("counts")
      .begin_array()
      .value(shown.member_count)
      .value(shown.evidence_count)
      .value(shown.not_evidence_count)
      .value(shown.unjudged_count)
      .end_array()
      .key("members")
      .begin_array();
  for (const auto& member : shown.members) {
    out.begin_array()
        .value(member.title)
        .value(member.qid)
        .value(member.candidates)
        .value(member.evidence)
        .value(member.aliases)
        .end_array();
  }
  out.end_array();
  write_passages(out, "yes", shown.evidence);
  write_passages(out, "no", shown.not_evidence);
  write_passages(out, "unjudged", shown.unjudged);
  return out.end_object().take();
}

}  // namespace

std::string topics_json(const ReportData& data) {
  std::string topics = "[";
  for (const auto& topic : data.topics) topics += (topics.size() > 1 ? ",\n" : "\n") + topic_json(topic);
  topics += "\n]";
  return JsonWriter({.escapes = JsonEscapes::kLineBreaks})
      .begin_object()
      .field("address", article_address(data.manifest.info.base_url))
      .key("topics")
      .raw(topics)
      .end_object()
      .take();
}

}  // namespace touchstone::collection::report::internal
