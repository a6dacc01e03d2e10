#include "annotation/server/messages.hpp"

#include "common/error.hpp"
#include "common/json_writer.hpp"
#include "formats/json/field_reader.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <span>

namespace touchstone::annotation::server {
namespace {

using formats::json::FieldReader;

constexpr std::uint64_t kMostMs = std::uint64_t{std::numeric_limits<std::int64_t>::max()};

/// Calls `read` with the top object of a request.
void read_object(std::string_view body, const std::function<void(FieldReader&)>& read) {
  simdjson::dom::parser parser(kMaxRequestBytes);
  simdjson::dom::object object;
  std::string error;
  if (formats::json::parse_object(parser, body, object, error)) {
    FieldReader fields(object, error);
    read(fields);
  }
  if (!error.empty()) throw FormatError("the request " + error);
}

bool is_set(FieldReader& fields, std::string_view name) {
  return fields.has(name) && fields.boolean(name);
}

std::optional<std::string> text_if_any(FieldReader& fields, std::string_view name) {
  if (!fields.has(name)) return std::nullopt;
  auto text = fields.text(name);
  return text.empty() ? std::nullopt : std::optional(std::move(text));
}

std::optional<std::uint64_t> number_if_any(FieldReader& fields, std::string_view name) {
  return fields.has(name) ? std::optional(fields.number(name, kMostMs)) : std::nullopt;
}

void write_progress(JsonWriter& json, Progress progress) {
  json.key("progress").begin_object().field("answered", progress.answered).field("total", progress.total).end_object();
}

struct GradeText {
  int grade;
  const char *name, *text;
};

/// Names and meanings are those of FiRA, CIKM 2020, section 2.2, in our own words.
constexpr GradeText kGrades[] = {
    {0, "Wrong", "It has nothing to do with the query and does not help to answer it."},
    {1, "Topic", "It is about the area of the query and may give background, but does not answer it."},
    {2, "Partial", "It answers a part of the query; there should be more to it."},
    {3, "Perfect", "It answers the whole query, directly and in a way that is easy to understand."}};
constexpr GradeText kEvidence[] = {
    {0, "No", "It does not confirm that the member belongs to the list."},
    {1, "Yes", "Somebody could conclude from it alone that the member belongs to the list."}};

/// The name of the judge's grade. A judge of yes and no has its names also where people give grades.
std::string judge_answer(std::optional<int> grade, int yes_grade) {
  if (!grade) return "no grade";
  const std::span<const GradeText> grades = yes_grade > 1 ? std::span<const GradeText>(kGrades) : kEvidence;
  return grades[static_cast<std::size_t>(*grade)].name;
}

void write_task(JsonWriter& json, const Campaign& campaign, const ShownTask& shown) {
  const auto& task = *shown.task;
  json.begin_object().field("id", task.id).field("kind", choice_text(task.kind)).field("query", task.query);
  if (!task.list.empty()) json.field("list", task.list);
  if (!task.member.empty()) json.field("member", task.member);
  json.field("title", task.title).field("text", shown.text).field("mentions", shown.mentions);
  if (!task.language.empty()) json.field("language", task.language);
  if (!task.before.empty()) json.field("before", task.before);
  if (!task.after.empty()) json.field("after", task.after);
  if (task.judge && campaign.options().mode == ShownMode::kShown) {
    json.key("judge").begin_object().field("answer", judge_answer(task.judge->grade, campaign.judge_yes_grade()));
    json.field("probability", task.judge->probability).field("reason", task.judge->reason);
    json.field("spans", shown.judge_spans).end_object();
  }
  json.end_object();
}

void write_grades(JsonWriter& json, TaskKind kind) {
  json.key("grades").begin_array();
  const auto write = [&](const GradeText& grade) {
    json.begin_object().field("grade", grade.grade).field("name", grade.name).field("text", grade.text).end_object();
  };
  if (kind == TaskKind::kGrade) std::for_each(std::begin(kGrades), std::end(kGrades), write);
  if (kind == TaskKind::kEvidence) std::for_each(std::begin(kEvidence), std::end(kEvidence), write);
  json.end_array();
}

}  // namespace

NextRequest read_next(std::string_view body) {
  NextRequest request;
  read_object(body, [&](FieldReader& fields) {
    request.count = fields.number("count", kMaxTasksAtOnce);
    if (fields.has("have")) request.have = fields.texts("have");
    if (request.have.size() > 10 * kMaxTasksAtOnce) fields.fail("names too many tasks");
  });
  return request;
}

std::vector<PostedAnswer> read_answers(std::string_view body) {
  std::vector<PostedAnswer> answers;
  read_object(body, [&](FieldReader& fields) {
    auto objects = fields.objects("answers");
    if (objects.size() > kMaxAnswers) fields.fail("has too many answers; send fewer at once");
    for (auto& object : objects) {
      PostedAnswer answer;
      answer.id = object.text("id");
      answer.task = object.text("task");
      if (object.has("grade"))
        answer.grade =
            object.integer_or_null("grade", std::numeric_limits<int>::min(), std::numeric_limits<int>::max());
      if (object.has("spans")) answer.spans = object.ranges("spans");
      answer.skipped = is_set(object, "skipped");
      answer.difficult = is_set(object, "difficult");
      answer.withdraw = is_set(object, "withdraw");
      if (object.has("reason")) answer.reason = object.text("reason");
      if (object.has("guidelines")) answer.guidelines = object.text("guidelines");
      if (object.has("visible_ms")) answer.visible_ms = object.number("visible_ms");
      answers.push_back(std::move(answer));
    }
  });
  return answers;
}

TakeBackRequest read_take_back(std::string_view body) {
  TakeBackRequest request;
  read_object(body, [&](FieldReader& fields) {
    fields.allow_only({"filter", "action", "dry_run"});
    auto filter = fields.object("filter");
    // A misspelt field would take back more than was meant.
    filter.allow_only({"annotator", "topic", "task", "grade", "from_ms", "to_ms", "faster_than_ms"});
    request.filter.annotator = text_if_any(filter, "annotator");
    request.filter.topic = text_if_any(filter, "topic");
    request.filter.task = text_if_any(filter, "task");
    if (filter.has("grade"))
      request.filter.grade = filter.integer_or_null("grade", 0, formats::labeling::kHighestGrade);
    if (const auto from = number_if_any(filter, "from_ms")) request.filter.from_ms = static_cast<std::int64_t>(*from);
    if (const auto to = number_if_any(filter, "to_ms")) request.filter.to_ms = static_cast<std::int64_t>(*to);
    request.filter.faster_than_ms = number_if_any(filter, "faster_than_ms");
    const auto action = fields.text("action");
    if (action != "withdraw" && action != "reopen") fields.fail("has an action other than withdraw and reopen");
    request.reopen = action == "reopen";
    request.dry_run = is_set(fields, "dry_run");
  });
  return request;
}

std::string session_json(const Campaign& campaign, std::size_t annotator) {
  const auto kind = campaign.kind();
  JsonWriter json;
  json.begin_object().field("annotator", campaign.access().annotators()[annotator].pseudonym);
  json.field("csrf", campaign.access().csrf_of(annotator)).key("campaign").begin_object();
  json.field("id", campaign.id()).field("title", campaign.options().title).field("kind", choice_text(kind));
  json.field("mode", choice_text(campaign.options().mode));
  write_grades(json, kind);
  json.field("spans_from", kind == TaskKind::kGrade ? std::optional(campaign.options().spans_from) : std::nullopt);
  json.key("guidelines").begin_object().field("version", campaign.guidelines_version());
  json.field("text", campaign.options().guidelines).end_object().end_object();
  write_progress(json, campaign.progress(annotator));
  return json.end_object().take();
}

std::string next_json(const Campaign& campaign, const Campaign::Next& next) {
  JsonWriter json;
  json.begin_object().key("tasks").begin_array();
  for (const auto& task : next.tasks) write_task(json, campaign, task);
  using State = Assignment::State;
  json.end_array().field("state", next.state == State::kTask ? "more" : next.state == State::kWait ? "wait" : "done");
  write_progress(json, next.progress);
  return json.end_object().take();
}

std::string results_json(const std::vector<PostedAnswer>& answers, const std::vector<PostResult>& results,
                         Progress progress) {
  constexpr const char* kStates[] = {"stored", "duplicate", "rejected"};
  JsonWriter json;
  json.begin_object().key("results").begin_array();
  for (std::size_t i = 0; i < results.size(); ++i) {
    json.begin_object().field("id", answers[i].id).field("state", kStates[static_cast<std::size_t>(results[i].state)]);
    if (!results[i].problem.empty()) json.field("problem", results[i].problem);
    json.end_object();
  }
  json.end_array();
  write_progress(json, progress);
  return json.end_object().take();
}

std::string history_json(const Campaign& campaign, const std::vector<Campaign::Answered>& answers) {
  JsonWriter json;
  json.begin_object().key("answers").begin_array();
  for (const auto& [task, answer] : answers) {
    json.begin_object().key("task");
    write_task(json, campaign, task);
    json.key("answer").begin_object().field("id", answer.id).field("task", answer.task).field("grade", answer.grade);
    json.field("spans", answer.spans).field("skipped", answer.skipped).field("difficult", answer.difficult);
    json.field("reason", answer.reason).field("visible_ms", answer.visible_ms).end_object().end_object();
  }
  return json.end_array().end_object().take();
}

std::string changed_json(Changed changed) {
  return JsonWriter()
      .begin_object()
      .field("matched", changed.matched)
      .field("changed", changed.changed)
      .end_object()
      .take();
}

std::string error_json(std::string_view sentence) {
  return JsonWriter().begin_object().field("error", sentence).end_object().take();
}

}  // namespace touchstone::annotation::server
