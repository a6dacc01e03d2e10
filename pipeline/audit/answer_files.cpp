#include "pipeline/audit/answer_files.hpp"

#include "analysis/audit/strata.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/unicode.hpp"
#include "formats/fields/quote.hpp"
#include "formats/json/field_reader.hpp"
#include "formats/labeling/annotation_fields.hpp"
#include "formats/labeling/task.hpp"
#include "pipeline/audit/questions.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

namespace touchstone::pipeline::audit {
namespace {

namespace fs = std::filesystem;
using formats::fields::quote_for_message;
using formats::labeling::Annotation;
using formats::labeling::Task;
using formats::labeling::TaskKind;

/// An answer and the place of its line.
struct PlacedAnswer {
  std::string place;  ///< "answers.jsonl:3"
  Annotation answer;
  LabelKey key;
};

using Problems = std::vector<std::string>;

void add_problem(Problems& problems, const std::string& place, const std::string& what) {
  problems.push_back(place + " " + what);
}

bool is_pseudonym(const std::string& name) {
  return name.size() <= 64 && std::all_of(name.begin(), name.end(), [](unsigned char c) {
           return c >= 0x80 || std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.';
         });
}

std::vector<PlacedAnswer> read_lines(const AnswerFiles& files, Problems& problems) {
  std::vector<PlacedAnswer> answers;
  simdjson::dom::parser parser;
  for (const auto& file : files.files) {
    for_each_line(
        file,
        [&](std::string_view line, std::uint64_t number) {
          if (line.empty()) return true;
          const auto place = fmt::format("{}:{}", file.string(), number);
          std::string error;
          simdjson::dom::object object;
          if (formats::json::parse_object(parser, line, object, error)) {
            formats::json::FieldReader fields(object, error);
            auto answer = formats::labeling::read_annotation(fields);
            if (error.empty()) answers.push_back({place, std::move(answer), {}});
          }
          if (!error.empty()) add_problem(problems, place, error);
          return true;
        },
        formats::labeling::kMaxAnnotationLineBytes);
  }
  return answers;
}

/// What is wrong with an answer as such; empty if nothing is.
std::string problem_of_form(const Annotation& answer, const std::set<std::string>& annotators) {
  if (answer.kind != TaskKind::kEvidence)
    return fmt::format("answers a task of the kind {}; an audit takes answers of the kind evidence",
                       choice_text(answer.kind));
  if (answer.grade && *answer.grade > 1) return fmt::format("has the grade {}, not 0 or 1; correct it", *answer.grade);
  if (!answer.grade && !answer.skipped) return "has no grade and is not skipped; add one of both";
  if (answer.grade && answer.skipped) return "has a grade and is skipped; remove one of both";
  if (!is_pseudonym(answer.annotator))
    return fmt::format(
        "is of {}, which is no pseudonym of letters, digits and - _ .; a release names annotators, so choose another "
        "name",
        quote_for_message(answer.annotator));
  if (!annotators.empty() && !annotators.contains(answer.annotator))
    return fmt::format("is of {}, whom --pseudonyms does not name; add the name there or remove the line",
                       quote_for_message(answer.annotator));
  return {};
}

/// Finds the decision that an answer is about. Returns what is wrong, or an empty text.
std::string find_decision(const JudgedCollection& collection, PlacedAnswer& placed) {
  const auto& answer = placed.answer;
  const auto member = collection.members.find({answer.topic, answer.member});
  if (member != collection.members.end()) {
    placed.key = {answer.topic, member->second, answer.docid};
    if (collection.find(placed.key)) return {};
  }
  return fmt::format(
      "is about topic {}, docid {}, member {}, on which the collection has no judgment; name the "
      "collection that the tasks were drawn from, or remove the line",
      quote_for_message(answer.topic), quote_for_message(answer.docid), quote_for_message(answer.member));
}

/// What is wrong with an answer beside its question; empty if nothing is.
std::string problem_with_question(const Annotation& answer, const Task& question,
                                  const std::unordered_set<std::string>* tasks) {
  if (!answer.task.empty() && answer.task != question.id)
    return fmt::format(
        "answers the task {}, but the question that the collection asks is {}: the passage or the topic "
        "is another one now; ask again or remove the line",
        quote_for_message(answer.task), question.id);
  if (tasks != nullptr && !tasks->contains(question.id))
    return fmt::format(
        "answers the task {}, which the file of --tasks does not have; remove the line, or name the "
        "tasks that it answers",
        question.id);
  const auto length = count_code_points(question.text);
  if (!answer.spans.empty() && answer.spans.back().second > length)
    return fmt::format("has the span [{}, {}], but the passage has {} code points; correct it",
                       answer.spans.back().first, answer.spans.back().second, length);
  return {};
}

/// The ids of the tasks. Throws ConfigError if they were drawn from other strata than those of the settings.
std::unordered_set<std::string> read_task_ids(const JudgedCollection& collection, const fs::path& file) {
  std::set<std::string> names;
  for (const auto& stratum : analysis::audit::stratify(collection.decisions, collection.settings.bins).strata)
    names.insert(stratum.name);
  std::unordered_set<std::string> ids;
  for (const auto& task : formats::labeling::read_tasks(file)) {
    if (!task.stratum.empty() && !names.contains(task.stratum))
      throw ConfigError(
          fmt::format("{} has tasks of the stratum {}, which is none of these settings; give the --strata "
                      "and --bins with which the tasks were drawn",
                      file.string(), quote_for_message(task.stratum)));
    ids.insert(task.id);
  }
  return ids;
}

}  // namespace

CheckedAnswers read_answers(const JudgedCollection& collection, const AnswerFiles& files, const StopFlag& stop) {
  std::optional<std::unordered_set<std::string>> tasks;
  if (!files.tasks.empty()) tasks = read_task_ids(collection, files.tasks);
  CheckedAnswers checked;
  auto& problems = checked.problems;
  auto answers = read_lines(files, problems);
  std::vector<LabelKey> keys;
  std::vector<bool> fits(answers.size(), false);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    auto& placed = answers[i];
    auto what = problem_of_form(placed.answer, files.annotators);
    if (what.empty()) what = find_decision(collection, placed);
    if (what.empty()) {
      fits[i] = true;
      keys.push_back(placed.key);
    } else {
      add_problem(problems, placed.place, what);
    }
  }
  const auto questions = questions_of(collection, keys, stop);
  std::unordered_map<std::string, std::string> lines;  ///< by id, or by themselves
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (!fits[i]) continue;
    auto& [place, answer, key] = answers[i];
    const auto what = problem_with_question(answer, questions.at(key), tasks ? &*tasks : nullptr);
    if (!what.empty()) {
      add_problem(problems, place, what);
      continue;
    }
    auto line = formats::labeling::annotation_line(answer);
    const auto [at, is_new] = lines.try_emplace(answer.id.empty() ? line : answer.id, line);
    if (is_new) {
      checked.answers[key].push_back(std::move(answer));
      ++checked.count;
    } else if (at->second == line) {
      ++checked.repeated;
    } else {
      add_problem(
          problems, place,
          fmt::format("has the id {} of another answer; give it an id of its own", quote_for_message(answer.id)));
    }
  }
  return checked;
}

}  // namespace touchstone::pipeline::audit
