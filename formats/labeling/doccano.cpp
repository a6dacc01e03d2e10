#include "formats/labeling/foreign_answers.hpp"

#include <fmt/format.h>

// Source: doccano's backend/data_export (formatters.py, factories.py, models.py and their tests, read 2026-11): one
// JSON object a line with id, text, the fields of `meta`, Comments, and
//   text classification:  "label": ["NAME", ...]
//   sequence labeling:    "label": [[start, end, "NAME"], ...], or "entities": [{"start_offset", "end_offset",
//   "label"}]
//                         with relations
//   both:                 "cats": ["NAME", ...] and "entities": [[start, end, "NAME"], ...]
// The zip has one file for each annotator, USERNAME.jsonl, or all.jsonl if the project is collaborative. Offsets come
// from the browser and count UTF-16 code units (doccano's issue 2290).

namespace touchstone::formats::labeling::internal {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

/// [start, end, "NAME"] or {"start_offset", "end_offset", "label"}
bool read_span(element value, RawAnswer& raw) {
  ForeignSpan span;
  std::optional<std::int64_t> begin, end;
  std::optional<std::string> label;
  if (array parts; value.get(parts) == simdjson::SUCCESS) {
    if (parts.size() != 3) return false;
    begin = integer_of(parts.at(0));
    end = integer_of(parts.at(1));
    label = scalar_text(parts.at(2));
  } else if (object fields; value.get(fields) == simdjson::SUCCESS) {
    element part;
    if (fields["start_offset"].get(part) == simdjson::SUCCESS) begin = integer_of(part);
    if (fields["end_offset"].get(part) == simdjson::SUCCESS) end = integer_of(part);
    label = first_text(fields, {"label"});
  }
  if (!begin || !end || !label) return false;
  span.begin = *begin;
  span.end = *end;
  raw.spans.emplace_back(std::move(span), std::move(*label));
  return true;
}

void read_label_list(object fields, std::string_view name, const Place& place, RawAnswer& raw) {
  element value;
  if (fields[name].get(value) != simdjson::SUCCESS || value.is_null()) return;
  array labels;
  if (value.get(labels) != simdjson::SUCCESS) {
    if (auto label = scalar_text(value)) {
      raw.labels.push_back(std::move(*label));
      return;
    }
    place.refuse(fmt::format("the field {} is no list of labels; correct it", name));
  }
  for (const auto label : labels) {
    if (auto text = scalar_text(label)) {
      raw.labels.push_back(std::move(*text));
    } else if (!read_span(label, raw)) {
      place.refuse(
          fmt::format("the field {} has something that is neither a label nor a span [start, end, label]; "
                      "export the project as JSONL",
                      name));
    }
  }
}

}  // namespace

void read_doccano(const std::filesystem::path& file, const LabelRules& rules, LabelFile& out) {
  AnswerTaker taker(rules, OffsetUnit::kUtf16, false, out);
  auto name = file.filename();
  while (name.has_extension()) name = name.stem();
  for_each_object(file, [&](object fields, const Place& place) {
    RawAnswer raw;
    raw.item = item_of(fields);
    raw.annotator = first_text(fields, {"annotator", "user", "username"}).value_or(name.string());
    if (raw.annotator == "all")
      place.refuse(
          "all.jsonl does not say who gave a label; switch off \"Share annotations across all users\" of the "
          "project, or write a field annotator into each line");
    for (const char* field : {"label", "labels", "cats", "entities"}) read_label_list(fields, field, place, raw);
    if (array comments; fields["Comments"].get(comments) == simdjson::SUCCESS) {
      for (const auto comment : comments) {
        const auto text = scalar_text(comment).value_or("");
        raw.reason += (raw.reason.empty() || text.empty() ? "" : "\n") + text;
      }
    }
    raw.has_extras = fields["touchstone"].get(raw.extras) == simdjson::SUCCESS;
    taker.take(std::move(raw), place);
  });
}

std::string doccano_text(std::span<const Annotation> answers, const Texts& texts, const Texts& queries) {
  std::string lines;
  std::uint64_t number = 0;
  for (const auto& answer : answers) {
    JsonWriter json({.escapes = JsonEscapes::kLineBreaks});
    const auto& text = text_for(answer, texts);
    json.begin_object().field("id", ++number).field("text", text);
    write_item(json, answer, queries);
    json.field("annotator", answer.annotator).key("cats").begin_array();
    if (answer.grade && !answer.skipped) json.value(grade_label(answer));
    if (answer.skipped) json.value("skip");
    json.end_array().key("entities").begin_array();
    for (const auto& [begin, end] : spans_in_utf16(answer.spans, text))
      json.begin_array().value(begin).value(end).value(kSpanLabel).end_array();
    json.end_array().key("Comments").begin_array();
    if (!answer.reason.empty()) json.value(answer.reason);
    json.end_array();
    write_extras(json, answer);
    lines += json.end_object().take_line();
  }
  return lines;
}

}  // namespace touchstone::formats::labeling::internal
