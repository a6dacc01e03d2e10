#include "formats/labeling/annotation.hpp"

#include "common/error.hpp"
#include "common/files.hpp"
#include "common/json_writer.hpp"
#include "formats/labeling/annotation_fields.hpp"
#include "formats/labeling/optional_fields.hpp"

#include <limits>
#include <string_view>

namespace touchstone::formats::labeling {

using internal::choice_or;
using internal::is_set;
using internal::text_or_empty;

std::string annotation_line(const Annotation& annotation) {
  JsonWriter json({.escapes = JsonEscapes::kLineBreaks});
  json.begin_object()
      .field("id", annotation.id)
      .field("annotator", annotation.annotator)
      .field("task", annotation.task)
      .field("kind", choice_text(annotation.kind))
      .field("topic", annotation.topic)
      .field("docid", annotation.docid);
  if (!annotation.member.empty()) json.field("member", annotation.member);
  json.field("grade", annotation.grade).field("spans", annotation.spans);
  if (annotation.skipped) json.field("skipped", true);
  if (annotation.difficult) json.field("difficult", true);
  if (!annotation.reason.empty()) json.field("reason", annotation.reason);
  json.field("mode", choice_text(annotation.mode));
  if (annotation.rotated) json.field("rotated", true);
  return json.field("guidelines", annotation.guidelines)
      .field("visible_ms", annotation.visible_ms)
      .field("judged_at_ms", annotation.judged_at_ms)
      .end_object()
      .take();
}

Annotation read_annotation(json::FieldReader& fields) {
  Annotation read;
  read.id = text_or_empty(fields, "id");
  read.annotator = fields.text("annotator");
  read.task = text_or_empty(fields, "task");
  read.kind = choice_or(fields, "kind", TaskKind::kGrade);
  read.topic = fields.text("topic");
  read.docid = fields.text("docid");
  read.member = text_or_empty(fields, "member");
  read.grade = fields.integer_or_null("grade", 0, kHighestGrade);
  if (fields.has("spans")) read.spans = fields.ranges("spans");
  read.skipped = is_set(fields, "skipped");
  read.difficult = is_set(fields, "difficult");
  read.reason = text_or_empty(fields, "reason");
  read.mode = choice_or(fields, "mode", ShownMode::kBlind);
  read.rotated = is_set(fields, "rotated");
  read.guidelines = text_or_empty(fields, "guidelines");
  if (fields.has("visible_ms")) read.visible_ms = fields.number("visible_ms");
  if (fields.has("judged_at_ms"))
    read.judged_at_ms = static_cast<std::int64_t>(
        fields.number("judged_at_ms", std::uint64_t{std::numeric_limits<std::int64_t>::max()}));
  for (std::size_t i = 0; i < read.spans.size(); ++i) {
    const auto& [begin, end] = read.spans[i];
    if (begin >= end || (i > 0 && begin < read.spans[i - 1].second))
      fields.fail("has spans that are empty, overlap or do not ascend; correct them");
  }
  if (read.annotator.empty() || read.topic.empty() || read.docid.empty())
    fields.fail("has an empty annotator, topic or docid; add it");
  return read;
}

void for_each_annotation(const std::filesystem::path& file, const std::function<void(Annotation)>& use) {
  internal::for_each_object(file, kMaxAnnotationLineBytes, read_annotation, use);
}

std::vector<Annotation> read_annotations(const std::filesystem::path& file) {
  std::vector<Annotation> annotations;
  for_each_annotation(file, [&](Annotation annotation) { annotations.push_back(std::move(annotation)); });
  return annotations;
}

}  // namespace touchstone::formats::labeling
