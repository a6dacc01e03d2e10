#include "pipeline/judging/human/human_judge.hpp"

#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/log.hpp"
#include "formats/json/field_reader.hpp"
#include "formats/labeling/annotation.hpp"
#include "formats/labeling/annotation_fields.hpp"
#include "formats/labeling/task.hpp"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace touchstone::pipeline::judging::human {
namespace {

using formats::labeling::Annotation;
using formats::labeling::Task;
using formats::labeling::TaskKind;
using llm_client::PendingRequest;
using llm_client::ReplyStore;
using llm_client::StoredReply;

constexpr const char* kId = "people";

/// What people are asked. The docid is shown to nobody, and the passages around it to who asks for them; neither is
/// part of the id, since an answer holds for the text.
Task task_of(const std::string& topic, const JudgeRequest& request) {
  Task task;
  task.kind = TaskKind::kEvidence;
  task.topic = topic;
  task.member = request.member;
  task.list = request.page;
  for (const auto& heading : request.section_path) task.list += " » " + heading;
  task.list += " » " + request.column;
  task.query = request.query.empty() ? task.list : request.query;
  task.title = request.passage_title;
  task.text = request.passage_text;
  task.mentions = request.mentions;
  task.before = request.before;
  task.after = request.after;
  task.docid = request.docid;
  task.id = Sha256()
                .update_field(kId)
                .update_field(task.list)
                .update_field(task.member)
                .update_field(task.title)
                .update_field(task.text)
                .hex()
                .substr(0, 32);
  return task;
}

/// What the n-th answer to a task is filed under.
std::string digest_of(const std::string& task, std::uint32_t number) {
  return Sha256().update_field(kId).update_field(task).update_field(std::to_string(number)).hex();
}

/// The answer in a reply of the log.
llm_client::JudgeAnswer answer_of(const StoredReply& stored) {
  llm_client::JudgeAnswer answer;
  answer.reply = stored.reply;
  answer.state = JudgmentState::kUnparseable;
  simdjson::dom::parser parser;
  simdjson::dom::object object;
  std::string error;
  if (!formats::json::parse_object(parser, stored.reply, object, error)) return answer;
  formats::json::FieldReader fields(object, error);
  auto said = formats::labeling::read_annotation(fields);
  if (!error.empty() || !said.grade || *said.grade > 1) return answer;
  answer.state = JudgmentState::kJudged;
  answer.grade = said.grade;
  answer.spans = std::move(said.spans);
  answer.reason = std::move(said.reason);
  return answer;
}

}  // namespace

JudgeDescription HumanJudge::describe(std::uint32_t people) {
  JudgeDescription description;
  description.id = description.name = kId;
  description.replies = people;
  description.fingerprint = fmt::format("people, {} a question", people);
  return description;
}

HumanJudge::HumanJudge(std::filesystem::path folder, std::uint32_t people, ReplyStore& replies)
    : folder_(std::move(folder)), people_(people), description_(describe(people)), replies_(replies) {}

void HumanJudge::prepare(const JudgingCorpus& corpus) {
  language_ = corpus.titles.site().language;
}

void HumanJudge::resume() {
  const auto file = folder_ / kAnswersFile;
  if (!std::filesystem::exists(file)) return;
  std::map<std::string, std::vector<Annotation>> by_task;
  formats::labeling::for_each_annotation(file, [&](Annotation answer) {
    if (answer.kind != TaskKind::kEvidence || answer.skipped || !answer.grade) return;
    if (*answer.grade > 1) {
      throw FormatError(fmt::format("{}: {} answers {} to task {}, and evidence is 0 or 1; correct the line",
                                    file.string(), answer.annotator, *answer.grade, answer.task));
    }
    by_task[answer.task].push_back(std::move(answer));
  });
  std::vector<ReplyStore::Entry> entries;
  for (auto& [task, answers] : by_task) {
    std::sort(answers.begin(), answers.end(), [](const Annotation& a, const Annotation& b) {
      return std::tie(a.judged_at_ms, a.annotator, a.id) < std::tie(b.judged_at_ms, b.annotator, b.id);
    });
    // What is in the log keeps its number; others follow behind it.
    std::vector<std::string> known;
    for (std::uint32_t number = 0; number < people_; ++number) {
      const auto stored = replies_.find(digest_of(task, number));
      if (stored) known.push_back(stored->reply);
    }
    auto number = static_cast<std::uint32_t>(known.size());
    for (const auto& answer : answers) {
      auto line = annotation_line(answer);
      if (number == people_ || std::find(known.begin(), known.end(), line) != known.end()) continue;
      StoredReply reply;
      reply.judge = kId;
      reply.reply = std::move(line);
      reply.latency_us = answer.visible_ms * 1000;
      entries.push_back({digest_of(task, number++), std::move(reply)});
    }
  }
  taken_ = replies_.add(entries);
  if (taken_ > 0) log_info("judge: {} answers of people were taken over from {}", taken_.load(), file.string());
}

JudgeReading HumanJudge::read(const std::string& topic, const JudgeRequest& request, Ungraded /*ungraded*/) const {
  JudgeReading reading;
  auto task = task_of(topic, request);
  task.language = language_;
  for (std::uint32_t number = 0; number < people_; ++number) {
    Sample sample;
    sample.digest = digest_of(task.id, number);
    sample.stored = replies_.find(sample.digest);
    if (!sample.stored) {
      PendingRequest pending;
      pending.digest = sample.digest;
      pending.body = task_line(task);
      pending.topic = topic;
      pending.sample = number;
      reading.pending.push_back(std::move(pending));
      continue;
    }
    sample.answer = answer_of(*sample.stored);
    std::string().swap(sample.stored->reply);
    reading.samples.push_back(std::move(sample));
  }
  return reading;
}

void HumanJudge::ask(PendingRequest request) {
  ++asked_answers_;
  // The line begins with the id of the task, whatever its number.
  const auto id = request.body.substr(0, request.body.find(','));
  asked_.emplace(id, std::move(request.body));
}

void HumanJudge::finish() {
  if (asked_.empty()) return;
  std::error_code error;
  if (std::filesystem::create_directories(folder_, error))
    std::filesystem::permissions(folder_, std::filesystem::perms::owner_all, error);
  if (error) throw StorageError(fmt::format("cannot make the folder {}: {}", folder_.string(), error.message()));
  const auto file = folder_ / kTasksFile;
  std::map<std::string, std::string> lines = asked_;
  if (std::filesystem::exists(file)) {
    for (const auto& task : formats::labeling::read_tasks(file)) {
      auto line = task_line(task);
      const auto id = line.substr(0, line.find(','));
      lines[id] = std::move(line);  // keeps what the owner made of it: a probe, a check
    }
  }
  TextWriter writer(file);
  for (const auto& [id, line] : lines) writer.write(line);
  writer.finish();
  const auto waiting = asked_.size();
  asked_.clear();
  throw Interrupted(
      fmt::format("{} questions wait for people; let them judge with touchstone annotate --work {} "
                  "--annotators FILE --overlap {}, then run this command again",
                  waiting, folder_.parent_path().string(), people_));
}

llm_client::RequestCounts HumanJudge::counts() const {
  llm_client::RequestCounts counts;
  counts.asked = asked_answers_;
  return counts;
}

}  // namespace touchstone::pipeline::judging::human
