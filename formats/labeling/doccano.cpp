#include "common/file_text.hpp"
#include "formats/fields/columns.hpp"
#include "formats/labeling/foreign_answers.hpp"
#include "formats/labeling/separated_table.hpp"

#include <algorithm>

#include <fmt/format.h>

// Source: doccano's backend/data_export (formatters.py, factories.py, models.py and their tests, read 2026-11): one
// JSON object a line with id, text, the fields of `meta`, Comments, and
//   text classification:  "label": ["NAME", ...]
//   sequence labeling:    "label": [[start, end, "NAME"], ...], or "entities": [{"start_offset", "end_offset",
//   "label"}]
//                         with relations
//   both:                 "cats": ["NAME", ...] and "entities": [[start, end, "NAME"], ...]
// or a list of such objects as JSON, or for classification CSV with "NAME#NAME" in the column label.
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

/// Takes one record of a file.
void take_record(object fields, const Place& place, const std::string& file_name, AnswerTaker& taker) {
  RawAnswer raw;
  raw.item = item_of(fields);
  raw.annotator = first_text(fields, {"annotator", "user", "username"}).value_or(file_name);
  if (raw.annotator == "all")
    place.refuse(
        "a file named all does not say who gave a label; switch off \"Share annotations across all users\" of "
        "the project, or write a field annotator into each record");
  for (const char* field : {"label", "labels", "cats", "entities"}) read_label_list(fields, field, place, raw);
  if (array comments; fields["Comments"].get(comments) == simdjson::SUCCESS) {
    for (const auto comment : comments) {
      object with_id;  // with relations
      const auto text = comment.get(with_id) == simdjson::SUCCESS
                            ? first_text(with_id, {"text", "comment"}).value_or("")
                            : scalar_text(comment).value_or("");
      raw.reason += (raw.reason.empty() || text.empty() ? "" : "\n") + text;
    }
  }
  raw.has_extras = fields["touchstone"].get(raw.extras) == simdjson::SUCCESS;
  taker.take(std::move(raw), place);
}

/// A list of records instead of JSON lines.
void read_json_list(const std::filesystem::path& file, std::string_view text, const std::string& file_name,
                    AnswerTaker& taker) {
  simdjson::dom::parser parser;
  array records;
  if (const auto error = parser.parse(text.data(), text.size()).get(records); error != simdjson::SUCCESS)
    Place(file, "").refuse(
        fmt::format("is no JSON list, or cut off ({}); export the project again", simdjson::error_message(error)));
  std::size_t number = 0;
  for (const auto record : records) {
    const Place place(file, fmt::format(": record {}", ++number));
    object fields;
    if (record.get(fields) != simdjson::SUCCESS) place.refuse("is no object; export the project as JSON");
    take_record(fields, place, file_name, taker);
  }
}

/// A table of classifications, whose labels are joined by number signs.
void read_csv(const std::filesystem::path& file, std::string_view text, const std::string& file_name,
              AnswerTaker& taker) {
  SeparatedTable table(file, text);
  simdjson::dom::parser parser;
  while (table.next()) {
    JsonWriter json;
    json.begin_object();
    for (std::size_t i = 0; i < table.columns().size(); ++i) {
      const auto& column = table.columns()[i];
      json.key(column);
      if (column != "label" && column != "Comments") {
        json.value(table.cells()[i]);
        continue;
      }
      json.begin_array();
      for (const auto part : fields::split_at(table.cells()[i], '#')) {
        if (!part.empty()) json.value(part);
      }
      json.end_array();
    }
    object fields;
    const std::string record = json.end_object().take();
    const Place place(file, fmt::format(":{}", table.line()));
    if (parser.parse(record).get(fields) != simdjson::SUCCESS) place.refuse("is no record; export the project again");
    take_record(fields, place, file_name, taker);
  }
}

}  // namespace

void read_doccano(const std::filesystem::path& file, const LabelRules& rules, LabelFile& out) {
  AnswerTaker taker(rules, OffsetUnit::kUtf16, false, out);
  auto stem = file.filename();
  while (stem.has_extension()) stem = stem.stem();
  const auto name = stem.string();
  const FileText text(file, std::uint64_t{1} << 31);
  const auto begin = std::min(text.view().find_first_not_of(" \t\r\n"), text.view().size());
  if (begin < text.view().size() && text.view()[begin] == '[') {
    read_json_list(file, text.view(), name, taker);
  } else if (begin < text.view().size() && text.view()[begin] != '{') {
    read_csv(file, text.view(), name, taker);
  } else {
    for_each_object(file, [&](object fields, const Place& place) { take_record(fields, place, name, taker); });
  }
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
