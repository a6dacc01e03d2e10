#include "formats/labeling/foreign_answers.hpp"

#include "common/error.hpp"
#include "common/unicode.hpp"
#include "formats/fields/columns.hpp"
#include "formats/fields/one_line.hpp"
#include "formats/fields/quote.hpp"
#include "formats/json/field_reader.hpp"
#include "formats/labeling/optional_fields.hpp"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

namespace touchstone::formats::labeling::internal {

using fields::parse_integer;
using fields::quote_for_message;
using simdjson::dom::element;
using simdjson::dom::element_type;
using Meaning = GradeNames::Meaning;

void Place::refuse(const std::string& what) const {
  throw FormatError(file_.string() + where_ + ": " + what);
}

GradeNames::Label AnswerTaker::meaning_of(const std::string& label, const Place& place) const {
  if (const auto meaning = rules_.names.find(label)) return *meaning;
  place.refuse(
      fmt::format("the label {} is not known; say what it means with --label NAME=GRADE (or =skip, =difficult, "
                  "=span, =ignore); known are {}",
                  quote_for_message(label), rules_.names.known()));
}

void AnswerTaker::take_grade(int grade, const std::string& label, const Place& place, Annotation& answer) const {
  if (answer.grade && *answer.grade != grade)
    place.refuse(fmt::format("the label {} is a second grade of one answer, after grade {}; keep one",
                             quote_for_message(label), *answer.grade));
  answer.grade = grade;
}

bool AnswerTaker::take_labels(const RawAnswer& raw, const Place& place, Annotation& answer) const {
  bool any = raw.skipped;
  answer.skipped = raw.skipped;
  for (const auto& label : raw.labels) {
    const auto meaning = meaning_of(label, place);
    if (meaning.meaning == Meaning::kGrade) take_grade(meaning.grade, label, place, answer);
    if (meaning.meaning == Meaning::kSkip) answer.skipped = true;
    if (meaning.meaning == Meaning::kDifficult) answer.difficult = true;
    any = any || meaning.meaning == Meaning::kGrade || meaning.meaning == Meaning::kSkip;
  }
  std::optional<int> highest;
  for (const auto& [span, label] : raw.spans) {
    const auto meaning = meaning_of(label, place);
    if (meaning.meaning == Meaning::kIgnore) continue;
    any = true;
    if (meaning.meaning == Meaning::kGrade) highest = std::max(highest.value_or(0), meaning.grade);
  }
  if (!answer.grade && !answer.skipped) answer.grade = highest;
  return any;
}

const std::string* AnswerTaker::text_of(const Item& item, bool needed, const Place& place) {
  if (item.text && !item.text->empty()) {
    const auto [kept, added] = file_.texts.try_emplace(item.docid, *item.text);
    if (!added && needed && kept->second != *item.text)
      place.refuse(
          fmt::format("passage {} has another text here than in a record before; give one text to all "
                      "annotators",
                      quote_for_message(item.docid)));
  }
  const std::string* known = nullptr;
  if (rules_.texts != nullptr) {
    if (const auto found = rules_.texts->find(item.docid); found != rules_.texts->end()) known = &found->second;
  }
  const auto carried = file_.texts.find(item.docid);
  if (carried == file_.texts.end()) return known;
  if (known != nullptr && needed && fields::one_line(*known) != fields::one_line(carried->second))
    place.refuse(
        fmt::format("passage {} has another text here than in --texts or an earlier file, so that its "
                    "spans are not certain; give the texts that were annotated",
                    quote_for_message(item.docid)));
  return &carried->second;
}

namespace {

/// What write_extras() wrote. Returns the kind that it names.
std::optional<TaskKind> read_extras(element extras_of_answer, const Place& place, Annotation& answer) {
  std::string error;
  simdjson::dom::object object;
  if (extras_of_answer.get(object) != simdjson::SUCCESS)
    place.refuse("has a field touchstone that is no object; remove it");
  json::FieldReader extras(object, error, "touchstone.");
  const auto text = [&](const char* name) { return extras.has(name) ? extras.text(name) : std::string(); };
  const auto flag = [&](const char* name) { return extras.has(name) && extras.boolean(name); };
  answer.id = text("id");
  answer.task = text("task");
  answer.guidelines = text("guidelines");
  if (extras.has("reason")) answer.reason = text("reason");
  answer.rotated = flag("rotated");
  answer.difficult = answer.difficult || flag("difficult");
  const auto mode = text("mode"), kind = text("kind");
  for (const auto& choice : Choices<ShownMode>::table) {
    if (choice.text == mode) answer.mode = choice.value;
  }
  std::optional<TaskKind> named;
  for (const auto& choice : Choices<TaskKind>::table) {
    if (choice.text == kind) named = answer.kind = choice.value;
  }
  if (extras.has("visible_ms")) answer.visible_ms = extras.number("visible_ms");
  if (extras.has("judged_at_ms"))
    answer.judged_at_ms = static_cast<std::int64_t>(extras.number("judged_at_ms", std::uint64_t{1} << 62U));
  if (!error.empty()) place.refuse(error);
  return named;
}

}  // namespace

void AnswerTaker::take(RawAnswer raw, const Place& place) {
  auto& item = raw.item;
  if (item.topic.empty() || item.docid.empty())
    place.refuse(
        "does not say topic and passage; give the tool tasks with fields topic and docid, or with an id "
        "\"TOPIC DOCID\"");
  Annotation answer;
  answer.topic = std::move(item.topic);
  answer.docid = std::move(item.docid);
  answer.member = item.member;
  if (answer.topic.find_first_of(" \t\n\r") != std::string::npos ||
      answer.docid.find_first_of(" \t\n\r") != std::string::npos)
    place.refuse(fmt::format("topic {} or passage {} holds white space, which parts columns of qrels; replace it",
                             quote_for_message(answer.topic), quote_for_message(answer.docid)));
  item.topic = answer.topic;
  item.docid = answer.docid;
  if (raw.annotator.empty()) place.refuse("does not say who annotated; see the section on formats in docs/people.md");
  answer.annotator = std::move(raw.annotator);
  answer.reason = std::move(raw.reason);
  answer.visible_ms = raw.visible_ms;
  answer.judged_at_ms = raw.judged_at_ms;
  const bool labelled = take_labels(raw, place, answer);
  answer.kind = !answer.member.empty()           ? TaskKind::kEvidence
                : answer.grade || answer.skipped ? TaskKind::kGrade
                                                 : TaskKind::kSpans;
  const bool is_selection = raw.has_extras && read_extras(raw.extras, place, answer) == TaskKind::kSpans;
  if (!labelled && !is_selection) {
    note("records without a label, which are no answers");
    return;
  }
  if (answer.kind == TaskKind::kSpans) answer.grade.reset();
  if (answer.kind == TaskKind::kEvidence && answer.grade.value_or(0) > 1)
    place.refuse(
        fmt::format("grade {} is given to evidence of a member, which is yes (1) or no (0); correct it, or map "
                    "the label with --label NAME=1",
                    *answer.grade));
  std::vector<ForeignSpan> spans;
  for (auto& [span, label] : raw.spans) {
    if (meaning_of(label, place).meaning != Meaning::kIgnore) spans.push_back(std::move(span));
  }
  const std::string* text = text_of(item, !spans.empty(), place);
  if (!spans.empty() && text == nullptr)
    note("answers with spans of passages without a text, whose offsets were taken as they are (--texts gives texts)");
  if (!raw.item.query.empty()) file_.queries.try_emplace(answer.topic, raw.item.query);
  std::string error;
  answer.spans = spans_in_code_points(spans, text, unit_, either_, error);
  if (!error.empty()) place.refuse(error);
  file_.answers.push_back(std::move(answer));
}

std::optional<std::string> scalar_text(element value) {
  if (std::string_view text; value.get(text) == simdjson::SUCCESS) return std::string(text);
  if (const auto number = integer_of(value)) return std::to_string(*number);
  return std::nullopt;
}

std::optional<std::int64_t> integer_of(element value) {
  if (std::int64_t number = 0; value.get(number) == simdjson::SUCCESS) return number;
  double real = 0;
  if (value.type() == element_type::DOUBLE && value.get(real) == simdjson::SUCCESS && real > -1e15 && real < 1e15 &&
      static_cast<double>(static_cast<std::int64_t>(real)) == real)
    return static_cast<std::int64_t>(real);
  return std::nullopt;
}

std::optional<std::string> first_text(simdjson::dom::object fields, std::initializer_list<std::string_view> names) {
  for (const auto name : names) {
    element value;
    if (fields[name].get(value) != simdjson::SUCCESS) continue;
    if (auto text = scalar_text(value)) return text;
  }
  return std::nullopt;
}

bool read_item_id(std::string_view id, Item& item) {
  const bool colons = id.find(' ') == std::string_view::npos;
  const std::string_view separator = colons ? "::" : " ";
  const auto first = id.find(separator);
  if (first == std::string_view::npos || first == 0) return false;
  const auto rest = id.substr(first + separator.size());
  const auto second = rest.find(separator);
  if (rest.empty() || second == 0) return false;
  item.topic = id.substr(0, first);
  item.docid = rest.substr(0, second);
  if (second != std::string_view::npos) item.member = rest.substr(second + separator.size());
  return true;
}

Item item_of(simdjson::dom::object fields) {
  Item item;
  item.topic = first_text(fields, {"topic", "query_id", "topic_id", "queryId"}).value_or("");
  item.docid = first_text(fields, {"docid", "document_id", "doc_id", "documentId", "passage_id"}).value_or("");
  item.member = first_text(fields, {"member"}).value_or("");
  item.query = first_text(fields, {"query", "query_text"}).value_or("");
  item.text = first_text(fields, {"text", "displayed_text"});
  if (item.topic.empty() || item.docid.empty()) {
    for (const char* name : {"instance_id", "id"}) {
      if (const auto id = first_text(fields, {name}); id && read_item_id(*id, item)) break;
    }
  }
  return item;
}

std::optional<std::int64_t> read_time(std::string_view text) {
  // YYYY-MM-DDThh:mm:ss[.fraction][Z|+hh:mm]
  const auto number = [&](std::size_t at, std::size_t size, int high, int& value) {
    return text.size() >= at + size && parse_integer(text.substr(at, size), 0, high, value);
  };
  int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0;
  if (!number(0, 4, 9999, year) || !number(5, 2, 12, month) || !number(8, 2, 31, day) || !number(11, 2, 23, hour) ||
      !number(14, 2, 59, minute) || !number(17, 2, 60, second) || text[4] != '-' || text[7] != '-' ||
      (text[10] != 'T' && text[10] != ' ') || text[13] != ':' || text[16] != ':')
    return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) return std::nullopt;
  text.remove_prefix(19);
  int ms = 0;
  if (text.starts_with('.')) {
    const auto end = std::min(text.find_first_not_of("0123456789", 1), text.size());
    std::string digits(text.substr(1, end - 1));
    digits.resize(3, '0');
    if (!parse_integer(std::string_view(digits), 0, 999, ms)) return std::nullopt;
    text.remove_prefix(end);
  }
  int offset = 0;
  if (!text.empty() && text != "Z") {
    int hours = 0, minutes = 0;
    if ((text[0] != '+' && text[0] != '-') || text.size() != 6 || text[3] != ':' || !number(1, 2, 23, hours) ||
        !number(4, 2, 59, minutes))
      return std::nullopt;
    offset = (text[0] == '-' ? -60 : 60) * (60 * hours + minutes);
  }
  const std::int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  const std::int64_t seconds_of_day = 60 * (60 * hour + minute) + second;
  return (days * 86'400 + seconds_of_day - offset) * 1000 + ms;
}

std::string time_text(std::int64_t ms) {
  using namespace std::chrono;
  const sys_time<milliseconds> time{milliseconds(ms)};
  const auto day = floor<days>(time);
  const year_month_day date(day);
  const hh_mm_ss clock(time - day);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), clock.hours().count(),
                     clock.minutes().count(), clock.seconds().count(), clock.subseconds().count());
}

void write_extras(JsonWriter& json, const Annotation& answer) {
  json.key("touchstone").begin_object();
  if (!answer.id.empty()) json.field("id", answer.id);
  if (!answer.task.empty()) json.field("task", answer.task);
  json.field("kind", choice_text(answer.kind)).field("mode", choice_text(answer.mode));
  if (answer.rotated) json.field("rotated", true);
  if (answer.difficult) json.field("difficult", true);
  if (!answer.reason.empty()) json.field("reason", answer.reason);
  if (!answer.guidelines.empty()) json.field("guidelines", answer.guidelines);
  json.field("visible_ms", answer.visible_ms).field("judged_at_ms", answer.judged_at_ms).end_object();
}

void write_item(JsonWriter& json, const Annotation& answer, const Texts& queries) {
  json.field("topic", answer.topic).field("docid", answer.docid);
  if (!answer.member.empty()) json.field("member", answer.member);
  if (const auto query = queries.find(answer.topic); query != queries.end()) json.field("query", query->second);
}

const std::string& text_for(const Annotation& answer, const Texts& texts) {
  static const std::string none;
  const auto text = texts.find(answer.docid);
  if (text == texts.end()) {
    if (answer.spans.empty()) return none;
    throw FormatError(
        fmt::format("passage {} has spans and no text, which the format needs; give the texts with --texts",
                    quote_for_message(answer.docid)));
  }
  if (!answer.spans.empty()) {
    const auto size = count_code_points(text->second);
    if (answer.spans.back().second > size)
      throw FormatError(
          fmt::format("the span from {} to {} of {} is outside the text of passage {}, which has {} "
                      "characters; give the texts that were annotated",
                      answer.spans.back().first, answer.spans.back().second, quote_for_message(answer.annotator),
                      quote_for_message(answer.docid), size));
  }
  return text->second;
}

std::string grade_label(const Annotation& answer) {
  if (!answer.grade) return "";
  if (answer.kind == TaskKind::kEvidence) return *answer.grade > 0 ? "yes" : "no";
  return std::string(page_name(*answer.grade));
}

void for_each_object(const std::filesystem::path& file,
                     const std::function<void(simdjson::dom::object, const Place&)>& use) {
  internal::for_each_line_object(file, std::size_t{1} << 26,
                                 [&](const simdjson::dom::object& object, std::string&, std::uint64_t number) {
                                   use(object, Place(file, fmt::format(":{}", number)));
                                 });
}

}  // namespace touchstone::formats::labeling::internal
