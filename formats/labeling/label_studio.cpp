#include "common/file_text.hpp"
#include "formats/labeling/foreign_answers.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

// Source: Label Studio's documentation of its task format and of results (labelstud.io/guide/task_format.html and the
// pages of its tags; label_studio_sdk/converter for JSON-MIN; read 2026-11). JSON is a list of tasks {"id", "data",
// "annotations": [{"completed_by", "result", "was_cancelled", "lead_time", "created_at"}]}; results of type choices,
// rating, number, textarea, labels and hypertextlabels are read. JSON-MIN is a list of objects with the fields of
// "data", the values of results by the names of their tags, "annotator", "lead_time" and "created_at". Offsets of text
// count code points; earlier versions counted UTF-16 code units (its issues 1347 and 4988), so the words of a span
// decide.

namespace touchstone::formats::labeling::internal {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

std::optional<std::string> annotator_of(object fields, std::string_view name) {
  element value;
  if (fields[name].get(value) != simdjson::SUCCESS) return std::nullopt;
  if (auto text = scalar_text(value)) return text;
  if (object user; value.get(user) == simdjson::SUCCESS) return first_text(user, {"email", "username", "id"});
  return std::nullopt;
}

void read_times(object fields, const Place& place, RawAnswer& raw) {
  double lead_time = 0;
  if (element value; fields["lead_time"].get(value) == simdjson::SUCCESS && !value.is_null()) {
    if (value.get(lead_time) != simdjson::SUCCESS || !(lead_time >= 0 && lead_time < 1e12))
      place.refuse("lead_time is no number of seconds; correct it");
    raw.visible_ms = static_cast<std::uint64_t>(lead_time * 1000 + 0.5);
  }
  // The time of the last change, so that of several answers the last counts.
  for (const char* name : {"updated_at", "created_at"}) {
    const auto text = first_text(fields, {name});
    if (!text) continue;
    const auto time = read_time(*text);
    if (!time) place.refuse(std::string(name) + " is no time such as 2021-03-09T22:16:08Z; correct it");
    raw.judged_at_ms = std::max<std::int64_t>(0, *time);
    break;
  }
}

void add_texts(element value, std::vector<std::string>& texts) {
  if (auto text = scalar_text(value)) {
    texts.push_back(std::move(*text));
  } else if (array values; value.get(values) == simdjson::SUCCESS) {
    for (const auto each : values) {
      if (auto part = scalar_text(each)) texts.push_back(std::move(*part));
    }
  }
}

void add_comment(element value, RawAnswer& raw) {
  std::vector<std::string> texts;
  add_texts(value, texts);
  for (const auto& line : texts) raw.reason += (raw.reason.empty() ? "" : "\n") + line;
}

/// {"start", "end", "text", "labels": ["NAME"]}. Of text, not of sound or video.
void read_region(object value, const Place& place, RawAnswer& raw) {
  std::optional<std::int64_t> begin, end;
  const auto offsets = [&](object from) {
    element part;
    if (from["start"].get(part) == simdjson::SUCCESS) begin = integer_of(part);
    if (from["end"].get(part) == simdjson::SUCCESS) end = integer_of(part);
  };
  if (object global; value["globalOffsets"].get(global) == simdjson::SUCCESS) {
    offsets(global);
  } else {
    offsets(value);
  }
  if (!begin || !end)
    place.refuse(
        "has a region whose start and end are no numbers of characters, as in HTML; annotate a Text tag, or "
        "export globalOffsets");
  ForeignSpan span{*begin, *end, first_text(value, {"text"})};
  std::vector<std::string> labels;
  for (const char* name : {"labels", "hypertextlabels", "paragraphlabels"}) {
    if (element list; value[name].get(list) == simdjson::SUCCESS) add_texts(list, labels);
  }
  if (labels.empty()) place.refuse("has a region without a label; remove it or label it");
  for (auto& label : labels) raw.spans.emplace_back(span, std::move(label));
}

void read_result(object result, const Place& place, AnswerTaker& taker, RawAnswer& raw) {
  const auto type = first_text(result, {"type"}).value_or("");
  object value;
  if (result["value"].get(value) != simdjson::SUCCESS) {
    if (type != "relation") place.refuse("has a result without a value; export the project as JSON");
    taker.note("results of type relation, which are not read");
    return;
  }
  element part;
  if (type == "choices" || type == "rating" || type == "number") {
    const auto name = type == "rating" ? "rating" : type == "number" ? "number" : "choices";
    if (value[name].get(part) != simdjson::SUCCESS)
      place.refuse(fmt::format("has a result of type {} without it", type));
    add_texts(part, raw.labels);
  } else if (type == "textarea") {
    if (value["text"].get(part) == simdjson::SUCCESS) add_comment(part, raw);
  } else if (type == "labels" || type == "hypertextlabels" || type == "paragraphlabels") {
    read_region(value, place, raw);
  } else {
    taker.note(fmt::format("results of type {}, which are not read", type.empty() ? "(none)" : type));
  }
}

void read_task(object task, array annotations, const Place& place, AnswerTaker& taker) {
  object data;
  if (task["data"].get(data) != simdjson::SUCCESS) place.refuse("has no data; export the project as JSON");
  auto item = item_of(data);
  if (item.topic.empty() || item.docid.empty()) {
    const auto text = item.text;
    item = item_of(task);
    item.text = text;
  }
  for (const auto each : annotations) {
    object annotation;
    if (each.get(annotation) != simdjson::SUCCESS)
      place.refuse("has an annotation that is no object; export it as JSON");
    RawAnswer raw;
    raw.item = item;
    raw.annotator = annotator_of(annotation, "completed_by").value_or("");
    bool cancelled = false;
    raw.skipped = annotation["was_cancelled"].get(cancelled) == simdjson::SUCCESS && cancelled;
    read_times(annotation, place, raw);
    array results;
    if (annotation["result"].get(results) != simdjson::SUCCESS)
      place.refuse("has an annotation without result; export the project as JSON");
    for (const auto result : results) {
      object fields;
      if (result.get(fields) != simdjson::SUCCESS) place.refuse("has a result that is no object; export it as JSON");
      read_result(fields, place, taker, raw);
    }
    if (object meta; annotation["meta"].get(meta) == simdjson::SUCCESS)
      raw.has_extras = meta["touchstone"].get(raw.extras) == simdjson::SUCCESS;
    taker.take(std::move(raw), place);
  }
}

/// Whether a field whose value is one text holds a label: JSON-MIN does not tell labels from the fields of a task.
bool may_hold_label(std::string_view name) {
  constexpr std::string_view kParts[] = {"grade", "relevance", "label", "choice", "rating", "judg"};
  return std::any_of(std::begin(kParts), std::end(kParts),
                     [&](std::string_view part) { return name.find(part) != std::string_view::npos; });
}

/// One of several values of a tag in JSON-MIN.
void read_min_value(element value, std::string_view name, const Place& place, RawAnswer& raw) {
  object part;
  if (value.get(part) != simdjson::SUCCESS) {
    if (may_hold_label(name)) add_texts(value, raw.labels);
  } else if (part["end"].error() == simdjson::SUCCESS) {
    read_region(part, place, raw);
  } else {
    for (const char* type : {"choices", "rating", "number"}) {
      if (element labels; part[type].get(labels) == simdjson::SUCCESS) add_texts(labels, raw.labels);
    }
  }
}

/// One object of JSON-MIN.
void read_min(object fields, const Place& place, AnswerTaker& taker) {
  RawAnswer raw;
  raw.item = item_of(fields);
  raw.annotator = annotator_of(fields, "annotator").value_or("");
  read_times(fields, place, raw);
  for (const auto field : fields) {
    if (field.key == "meta" || field.key == "touchstone") continue;
    if (object value; field.value.get(value) == simdjson::SUCCESS) {
      if (element choices; value["choices"].get(choices) == simdjson::SUCCESS) add_texts(choices, raw.labels);
    } else if (array values; field.value.get(values) == simdjson::SUCCESS) {
      for (const auto each : values) read_min_value(each, field.key, place, raw);
    } else if (may_hold_label(field.key)) {
      if (auto text = scalar_text(field.value)) raw.labels.push_back(std::move(*text));
    } else if (field.key == "comment" || field.key == "reason") {
      add_comment(field.value, raw);
    }
  }
  taker.take(std::move(raw), place);
}

void write_result(JsonWriter& json, std::string_view from, std::string_view type) {
  json.begin_object().field("from_name", from).field("to_name", "text").field("type", type).key("value").begin_object();
}

void write_annotation(JsonWriter& json, std::uint64_t id, const Annotation& answer, const std::string& text) {
  json.begin_object()
      .field("id", id)
      .field("completed_by", answer.annotator)
      .field("was_cancelled", answer.skipped)
      .field("lead_time", static_cast<double>(answer.visible_ms) / 1000)
      .field("created_at", time_text(answer.judged_at_ms))
      .key("result")
      .begin_array();
  if (answer.grade && !answer.skipped) {
    write_result(json, "grade", "choices");
    json.key("choices").begin_array().value(grade_label(answer)).end_array().end_object().end_object();
  }
  for (const auto& span : answer.spans) {
    write_result(json, "spans", "labels");
    json.field("start", span.first).field("end", span.second).field("text", words_of(span, text));
    json.key("labels").begin_array().value(kSpanLabel).end_array().end_object().end_object();
  }
  if (!answer.reason.empty()) {
    write_result(json, "reason", "textarea");
    json.key("text").begin_array().value(answer.reason).end_array().end_object().end_object();
  }
  json.end_array().key("meta").begin_object();
  write_extras(json, answer);
  json.end_object().end_object();
}

}  // namespace

void read_label_studio(const std::filesystem::path& file, const LabelRules& rules, LabelFile& out) {
  const FileText text(file, std::uint64_t{1} << 31);
  simdjson::dom::parser parser;
  element root;
  if (const auto error = parser.parse(text.view().data(), text.view().size()).get(root); error != simdjson::SUCCESS)
    Place(file, "").refuse(
        fmt::format("is no JSON, or cut off ({}); export the project again as JSON", simdjson::error_message(error)));
  AnswerTaker taker(rules, OffsetUnit::kCodePoints, true, out);
  const auto read = [&](element each, std::size_t number) {
    const Place place(file, fmt::format(": task {}", number));
    object task;
    if (each.get(task) != simdjson::SUCCESS) place.refuse("is no object; export the project as JSON");
    array annotations;
    if (task["annotations"].get(annotations) == simdjson::SUCCESS ||
        task["completions"].get(annotations) == simdjson::SUCCESS) {
      read_task(task, annotations, place, taker);
    } else {
      read_min(task, place, taker);
    }
  };
  if (array tasks; root.get(tasks) == simdjson::SUCCESS) {
    std::size_t number = 0;
    for (const auto task : tasks) read(task, ++number);
  } else {
    read(root, 1);
  }
}

std::string label_studio_text(std::span<const Annotation> answers, const Texts& texts, const Texts& queries) {
  // The answers to one question are the annotations of one task.
  std::map<std::tuple<std::string_view, std::string_view, std::string_view>, std::vector<const Annotation*>> tasks;
  for (const auto& answer : answers) tasks[{answer.topic, answer.docid, answer.member}].push_back(&answer);
  JsonWriter json({.indent = 1});
  json.begin_array();
  std::uint64_t task_number = 0, number = 0;
  for (const auto& [item, of_item] : tasks) {
    json.begin_object().field("id", ++task_number).key("data").begin_object();
    const auto& text = text_for(*of_item.front(), texts);
    json.field("text", text);
    write_item(json, *of_item.front(), queries);
    json.end_object().key("annotations").begin_array();
    for (const auto* answer : of_item) {
      text_for(*answer, texts);
      write_annotation(json, ++number, *answer, text);
    }
    json.end_array().end_object();
  }
  return json.end_array().take_line();
}

}  // namespace touchstone::formats::labeling::internal
