#include "formats/labeling/task.hpp"

#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/json_writer.hpp"
#include "formats/labeling/optional_fields.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_set>

namespace touchstone::formats::labeling {

using internal::choice_or;
using internal::is_set;
using internal::text_or_empty;

namespace {

constexpr std::uint64_t kMostInStratum = std::uint64_t{1} << 40;

Task read_task(json::FieldReader& fields) {
  Task task;
  task.id = text_or_empty(fields, "id");
  task.kind = choice_or(fields, "kind", TaskKind::kGrade);
  task.topic = fields.text("topic");
  task.docid = fields.text("docid");
  task.member = text_or_empty(fields, "member");
  task.query = fields.text("query");
  task.list = text_or_empty(fields, "list");
  task.title = text_or_empty(fields, "title");
  task.text = fields.text("text");
  task.language = text_or_empty(fields, "language");
  task.before = text_or_empty(fields, "before");
  task.after = text_or_empty(fields, "after");
  if (fields.has("mentions")) task.mentions = fields.ranges("mentions");
  if (fields.has("judge")) {
    auto judge = fields.object("judge");
    JudgeDecision decision;
    decision.grade = judge.integer_or_null("grade", 0, kHighestGrade);
    decision.probability = judge.number_or_null("probability");
    decision.reason = text_or_empty(judge, "reason");
    if (judge.has("spans")) decision.spans = judge.ranges("spans");
    task.judge = std::move(decision);
  }
  if (fields.has("gold")) task.gold = fields.integer_or_null("gold", 0, kHighestGrade);
  task.probe = is_set(fields, "probe");
  task.stratum = text_or_empty(fields, "stratum");
  if (fields.has("stratum_size")) task.stratum_size = fields.number("stratum_size", kMostInStratum);
  if (task.topic.empty() || task.docid.empty() || task.text.empty())
    fields.fail("has an empty topic, docid or text; add it");
  if (task.kind == TaskKind::kEvidence && (task.member.empty() || task.list.empty()))
    fields.fail("asks for evidence and has no member or list; add them");
  return task;
}

}  // namespace

int judge_yes_grade(std::span<const Task> tasks) {
  const auto is_finer = [](const Task& task) { return task.judge && task.judge->grade.value_or(0) > 1; };
  return std::any_of(tasks.begin(), tasks.end(), is_finer) ? 2 : 1;
}

std::string task_line(const Task& task) {
  JsonWriter json({.escapes = JsonEscapes::kLineBreaks});
  json.begin_object().field("id", task.id).field("kind", choice_text(task.kind));
  json.field("topic", task.topic).field("docid", task.docid);
  if (!task.member.empty()) json.field("member", task.member);
  json.field("query", task.query);
  if (!task.list.empty()) json.field("list", task.list);
  json.field("title", task.title).field("text", task.text);
  if (!task.language.empty()) json.field("language", task.language);
  if (!task.before.empty()) json.field("before", task.before);
  if (!task.after.empty()) json.field("after", task.after);
  if (!task.mentions.empty()) json.field("mentions", task.mentions);
  if (task.judge) {
    json.key("judge").begin_object().field("grade", task.judge->grade).field("probability", task.judge->probability);
    json.field("reason", task.judge->reason).field("spans", task.judge->spans).end_object();
  }
  if (task.gold) json.field("gold", *task.gold);
  if (task.probe) json.field("probe", true);
  if (!task.stratum.empty()) json.field("stratum", task.stratum);
  if (task.stratum_size > 0) json.field("stratum_size", task.stratum_size);
  return json.end_object().take_line();
}

std::string task_id(const Task& task) {
  const auto hex = Sha256()
                       .update_field(choice_text(task.kind))
                       .update_field(task.topic)
                       .update_field(task.member)
                       .update_field(task.list.empty() ? task.query : task.list)
                       .update_field(task.docid)
                       .update_field(task.text)
                       .hex();
  return hex.substr(0, 16);
}

void write_tasks(const std::filesystem::path& file, const std::vector<Task>& tasks) {
  TextWriter writer(file);
  for (const auto& task : tasks) writer.write(task_line(task));
  writer.finish();
}

std::vector<Task> read_tasks(const std::filesystem::path& file) {
  std::vector<Task> tasks;
  std::unordered_set<std::string> ids;
  const auto read = [&](json::FieldReader& fields) {
    auto task = read_task(fields);
    if (task.id.empty()) task.id = task_id(task);
    if (!ids.insert(task.id).second) fields.fail("asks the same as a line before it; remove one of them");
    return task;
  };
  internal::for_each_object(file, kMaxTaskLineBytes, read, [&](Task task) { tasks.push_back(std::move(task)); });
  return tasks;
}

}  // namespace touchstone::formats::labeling
