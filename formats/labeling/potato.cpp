#include "common/error.hpp"
#include "common/file_text.hpp"
#include "formats/fields/quote.hpp"
#include "formats/labeling/foreign_answers.hpp"
#include "formats/labeling/separated_table.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

// Source: potato's sources (davidjurgens/potato: user_annotation_state.py of version 1, user_state_management.py,
// export/tabular_exporter.py and docs of version 2, read 2026-11):
//   version 1  USER/annotated_instances.jsonl: {"id", "displayed_text", "label_annotations": {SCHEMA: {LABEL: VALUE}},
//              "span_annotations": [{"start", "end", "annotation", "span"}], "behavioral_data"}; TSV and CSV with the
//              columns user, instance_id, displayed_text and SCHEMA:::LABEL
//   version 2  USER/user_state.json: {"user_id", "instance_id_to_label_to_value": {ID: [[{"schema", "name"}, VALUE]]},
//              "instance_id_to_span_to_value": {ID: [[{"schema", "name", "start", "end"}, VALUE]]}}, in some versions
//              with {SCHEMA: {LABEL: VALUE}} and {SCHEMA: [{"start", "end", "label"}]}; exports as JSON lines
//              {"instance_id", "user_id", "labels", "spans"}, and as TSV and CSV with SCHEMA.LABEL and SCHEMA._spans
// A radio button or a checkbox is LABEL: "true" or LABEL: LABEL, a scale LABEL: "2", a text field text_box: "...". What
// offsets count is not stated: version 1 counts in Python, and the page of version 2 in the browser. They are taken as
// code points, and the words of a span decide where there are some.

namespace touchstone::formats::labeling::internal {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

bool is_text_box(std::string_view label) {
  return label == "text_box" || label == "text" || label.starts_with("text_box");
}

/// A label and what the page holds for it. Texts that people wrote are the reason.
void take_label(const AnswerTaker& taker, std::string_view label, const std::string& value, RawAnswer& raw) {
  if (value.empty() || value == "false" || value == "False" || value == "null" || value == "None") return;
  const bool is_mark = value == "true" || value == "True" || value == "on" || value == label;
  const bool is_number = value.find_first_not_of("0123456789.") == std::string::npos;
  if (is_text_box(label)) {
    raw.reason += (raw.reason.empty() ? "" : "\n") + value;
  } else if (is_mark || taker.names().find(label)) {
    raw.labels.emplace_back(label);
  } else if (is_number || label.starts_with("select") || taker.names().find(value)) {
    raw.labels.push_back(value);
  } else {
    raw.reason += (raw.reason.empty() ? "" : "\n") + value;
  }
}

/// Whether an instance is a page of potato's survey, such as consent, and no item.
bool is_survey_page(std::string_view id) {
  return id.ends_with(".html");
}
constexpr const char* kSurveyPage = "pages of the survey, which are no passages";

std::string value_text(element value) {
  if (bool truth = false; value.get(truth) == simdjson::SUCCESS) return truth ? "true" : "false";
  return scalar_text(value).value_or("");
}

/// {LABEL: VALUE}, {SCHEMA: {LABEL: VALUE}}, {SCHEMA: {"labels": {LABEL: VALUE}}}
void read_labels_by_name(object labels, const AnswerTaker& taker, RawAnswer& raw, int depth = 0) {
  for (const auto field : labels) {
    if (object inner; field.value.get(inner) == simdjson::SUCCESS) {
      if (depth < 3) read_labels_by_name(inner, taker, raw, depth + 1);
    } else {
      take_label(taker, field.key, value_text(field.value), raw);
    }
  }
}

/// [[{"schema", "name"}, VALUE], ...]
void read_label_pairs(array labels, const Place& place, const AnswerTaker& taker, RawAnswer& raw) {
  for (const auto each : labels) {
    array pair;
    object label;
    element value;
    if (each.get(pair) != simdjson::SUCCESS || pair.at(0).get(label) != simdjson::SUCCESS ||
        pair.at(1).get(value) != simdjson::SUCCESS)
      place.refuse("has a label that is no pair of a name and a value; export the project as JSON lines");
    take_label(taker, first_text(label, {"name"}).value_or(""), value_text(value), raw);
  }
}

void read_span(object fields, const Place& place, RawAnswer& raw) {
  std::optional<std::int64_t> begin, end;
  element part;
  if (fields["start"].get(part) == simdjson::SUCCESS) begin = integer_of(part);
  if (fields["end"].get(part) == simdjson::SUCCESS) end = integer_of(part);
  const auto label = first_text(fields, {"annotation", "name", "label"});
  if (!begin || !end || !label)
    place.refuse("has a span without start, end and label; export the project as JSON lines");
  raw.spans.emplace_back(ForeignSpan{*begin, *end, first_text(fields, {"span", "text"})}, *label);
}

/// [{"start", ...}, ...], [[{"start", ...}, VALUE], ...] or {SCHEMA: [{"start", ...}]}
void read_spans(element spans, const Place& place, RawAnswer& raw, int depth = 0) {
  if (object schemas; spans.get(schemas) == simdjson::SUCCESS) {
    if (schemas["start"].error() == simdjson::SUCCESS) {
      read_span(schemas, place, raw);
    } else if (depth < 3) {
      for (const auto field : schemas) read_spans(field.value, place, raw, depth + 1);
    }
  } else if (array list; spans.get(list) == simdjson::SUCCESS && depth < 3) {
    for (const auto each : list) read_spans(each, place, raw, depth + 1);
  }
}

void read_labels_of(object fields, std::initializer_list<std::string_view> names, const Place& place,
                    const AnswerTaker& taker, RawAnswer& raw) {
  for (const auto name : names) {
    element labels;
    if (fields[name].get(labels) != simdjson::SUCCESS) continue;
    if (object by_name; labels.get(by_name) == simdjson::SUCCESS) read_labels_by_name(by_name, taker, raw);
    if (array pairs; labels.get(pairs) == simdjson::SUCCESS) read_label_pairs(pairs, place, taker, raw);
  }
}

/// "Time spent: 0d 0h 1m 12s " of version 1.
std::uint64_t read_duration(object fields) {
  object behavior;
  if (fields["behavioral_data"].get(behavior) != simdjson::SUCCESS) return 0;
  const auto text = first_text(behavior, {"time_string"}).value_or("");
  std::uint64_t seconds = 0, number = 0;
  for (const char c : text) {
    if (c >= '0' && c <= '9') {
      number = std::min<std::uint64_t>(number * 10 + static_cast<std::uint64_t>(c - '0'), 1'000'000);
    } else {
      seconds += number * (c == 'd' ? 86'400U : c == 'h' ? 3600U : c == 'm' ? 60U : c == 's' ? 1U : 0U);
      number = 0;
    }
  }
  return seconds * 1000;
}

void read_json_lines(const std::filesystem::path& file, AnswerTaker& taker) {
  const auto folder = std::filesystem::absolute(file).parent_path().filename().string();
  std::set<std::string> seen;
  for_each_object(file, [&](object fields, const Place& place) {
    const auto id = first_text(fields, {"id", "instance_id"}).value_or("");
    if (is_survey_page(id)) {
      taker.note(kSurveyPage);
      return;
    }
    RawAnswer raw;
    raw.item = item_of(fields);
    raw.annotator = first_text(fields, {"user_id", "user", "annotator"}).value_or("");
    if (raw.annotator.empty()) {
      raw.annotator = folder;
      if (!seen.insert(id).second)
        place.refuse(
            "has an instance that a line before has too and no user: this is the file of all users, which "
            "does not name them; give USER/annotated_instances.jsonl of each user");
    }
    read_labels_of(fields, {"label_annotations", "labels"}, place, taker, raw);
    for (const char* name : {"span_annotations", "spans"}) {
      if (element spans; fields[name].get(spans) == simdjson::SUCCESS) read_spans(spans, place, raw);
    }
    raw.visible_ms = read_duration(fields);
    raw.has_extras = fields["touchstone"].get(raw.extras) == simdjson::SUCCESS;
    taker.take(std::move(raw), place);
  });
}

void read_user_state(const std::filesystem::path& file, object state, AnswerTaker& taker) {
  const auto annotator = first_text(state, {"user_id"}).value_or("");
  std::map<std::string, RawAnswer> answers;
  const auto at = [&](std::string_view id) {
    auto& raw = answers[std::string(id)];
    raw.annotator = annotator;
    read_item_id(id, raw.item);
    return &raw;
  };
  object labels, spans;
  if (state["instance_id_to_label_to_value"].get(labels) == simdjson::SUCCESS) {
    for (const auto field : labels) {
      const Place place(file, fmt::format(": instance {}", fields::quote_for_message(field.key)));
      auto* raw = at(field.key);
      if (object by_name; field.value.get(by_name) == simdjson::SUCCESS) read_labels_by_name(by_name, taker, *raw);
      if (array pairs; field.value.get(pairs) == simdjson::SUCCESS) read_label_pairs(pairs, place, taker, *raw);
    }
  }
  if (state["instance_id_to_span_to_value"].get(spans) == simdjson::SUCCESS) {
    for (const auto field : spans)
      read_spans(field.value, Place(file, fmt::format(": instance {}", fields::quote_for_message(field.key))),
                 *at(field.key));
  }
  for (auto& [id, raw] : answers) {
    if (is_survey_page(id)) {
      taker.note(kSurveyPage);
      continue;
    }
    taker.take(std::move(raw), Place(file, fmt::format(": instance {}", fields::quote_for_message(id))));
  }
}

/// The label that a column SCHEMA:::LABEL or SCHEMA.LABEL is about.
std::string_view label_of_column(std::string_view column, const AnswerTaker& taker) {
  if (const auto colons = column.find(":::"); colons != std::string_view::npos) return column.substr(colons + 3);
  for (auto dot = column.find('.'); dot != std::string_view::npos; dot = column.find('.', dot + 1)) {
    if (taker.names().find(column.substr(dot + 1)) || is_text_box(column.substr(dot + 1)))
      return column.substr(dot + 1);
  }
  return column.substr(std::min(column.find('.') + 1, column.size()));
}

void read_table(const std::filesystem::path& file, std::string_view text, AnswerTaker& taker) {
  SeparatedTable table(file, text);
  simdjson::dom::parser parser;
  while (table.next()) {
    const Place place(file, fmt::format(":{}", table.line()));
    RawAnswer raw;
    bool survey = false;
    for (std::size_t i = 0; i < table.columns().size(); ++i) {
      const std::string& column = table.columns()[i];
      const std::string& cell = table.cells()[i];
      if (column == "user" || column == "user_id") {
        raw.annotator = cell;
      } else if (column == "instance_id") {
        read_item_id(cell, raw.item);
        survey = is_survey_page(cell);
      } else if (column == "displayed_text") {
        raw.item.text = cell;
      } else if (column.ends_with("._spans")) {
        element spans;
        if (cell.empty()) continue;
        if (parser.parse(cell).get(spans) != simdjson::SUCCESS)
          place.refuse(fmt::format("the column {} is no JSON, or cut off; export it again", column));
        read_spans(spans, place, raw);
      } else if (column.starts_with("span_annotation:::")) {
        if (!cell.empty() && cell != "[]")
          place.refuse(
              fmt::format("the column {} holds spans as Python prints them, which is no format; export JSON "
                          "lines",
                          column));
      } else if (column.find(":::") != std::string::npos || column.find('.') != std::string::npos) {
        take_label(taker, label_of_column(column, taker), cell, raw);
      }
    }
    if (survey) {
      taker.note(kSurveyPage);
    } else {
      taker.take(std::move(raw), place);
    }
  }
}

}  // namespace

void read_potato(const std::filesystem::path& file, const LabelRules& rules, LabelFile& out) {
  AnswerTaker taker(rules, OffsetUnit::kCodePoints, true, out);
  const FileText text(file, std::uint64_t{1} << 31);
  const auto begin = text.view().find_first_not_of(" \t\r\n");
  if (begin != std::string_view::npos && text.view()[begin] != '{') {
    read_table(file, text.view(), taker);
    return;
  }
  if (text.view().find("\"instance_id_to_label_to_value\"") == std::string_view::npos &&
      text.view().find("\"instance_id_to_span_to_value\"") == std::string_view::npos) {
    read_json_lines(file, taker);
    return;
  }
  simdjson::dom::parser parser;
  object state;
  if (const auto error = parser.parse(text.view().data(), text.view().size()).get(state); error != simdjson::SUCCESS)
    Place(file, "").refuse(fmt::format("is no JSON, or cut off ({}); copy it again from the folder of the user",
                                       simdjson::error_message(error)));
  read_user_state(file, state, taker);
}

std::string potato_text(std::span<const Annotation> answers, const Texts& texts, const Texts& queries) {
  std::string lines;
  for (const auto& answer : answers) {
    JsonWriter json({.escapes = JsonEscapes::kLineBreaks});
    const auto& text = text_for(answer, texts);
    json.begin_object()
        .field("instance_id", answer.topic + " " + answer.docid + (answer.member.empty() ? "" : " " + answer.member))
        .field("user_id", answer.annotator);
    write_item(json, answer, queries);
    if (!text.empty()) json.field("displayed_text", text);
    json.key("labels").begin_object().key("grade").begin_object();
    if (answer.skipped) json.field("skip", "true");
    if (answer.grade && !answer.skipped) json.field(grade_label(answer), "true");
    json.end_object();
    if (!answer.reason.empty()) json.key("reason").begin_object().field("text_box", answer.reason).end_object();
    json.end_object().key("spans").begin_object().key("answer").begin_array();
    for (const auto& span : answer.spans) {
      json.begin_object()
          .field("start", span.first)
          .field("end", span.second)
          .field("label", kSpanLabel)
          .field("text", words_of(span, text))
          .end_object();
    }
    json.end_array().end_object();
    write_extras(json, answer);
    lines += json.end_object().take_line();
  }
  return lines;
}

}  // namespace touchstone::formats::labeling::internal
