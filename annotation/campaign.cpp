#include "annotation/campaign.hpp"

#include "annotation/kept_options.hpp"
#include "annotation/rotation.hpp"
#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/log.hpp"
#include "common/unicode.hpp"

#include <algorithm>
#include <ctime>
#include <tuple>

#include <fmt/format.h>

namespace touchstone::annotation {
namespace {

constexpr std::string_view kLogFile = "answers.log";
constexpr std::uint64_t kMostVisibleMs = std::uint64_t{24} * 3600 * 1000;
constexpr std::size_t kMaxIdBytes = 64;

std::vector<AssignedTask> assigned(const std::vector<Task>& tasks) {
  std::vector<AssignedTask> facts;
  for (const auto& task : tasks) facts.push_back({task.id, task.topic, task.probe || task.gold.has_value()});
  return facts;
}

std::vector<std::string> pseudonyms(const Access& access) {
  std::vector<std::string> names;
  for (const auto& annotator : access.annotators()) names.push_back(annotator.pseudonym);
  return names;
}

std::vector<bool> active(const Access& access) {
  std::vector<bool> listed;
  for (const auto& annotator : access.annotators()) listed.push_back(annotator.is_listed);
  return listed;
}

CampaignOptions checked(CampaignOptions options, const Access& access) {
  const auto people = active(access);
  if (options.assignment.order == TaskOrder::kPairs && std::count(people.begin(), people.end(), true) < 2)
    throw ConfigError("--order pairs needs two annotators; name more with --annotators");
  return options;
}

/// Milliseconds since the machine started, also while it slept. Nobody sets this clock.
std::int64_t since_boot_ms() {
  timespec now{};
  TS_CHECK(::clock_gettime(CLOCK_BOOTTIME, &now) == 0, "Linux has this clock");
  return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

/// Ids are unique for each annotator only.
std::string key_of(std::string_view annotator, std::string_view id) {
  return std::string(annotator).append("/").append(id);
}

bool is_plain_id(std::string_view id) {
  return !id.empty() && id.size() <= kMaxIdBytes && std::all_of(id.begin(), id.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
  });
}

}  // namespace

Campaign::Campaign(const std::filesystem::path& folder, std::vector<Task> tasks, CampaignOptions options,
                   const Access& access)
    : tasks_(std::move(tasks)),
      options_(checked(std::move(options), access)),
      access_(access),
      guidelines_version_(sha256_hex(options_.guidelines).substr(0, 12)),
      judge_yes_grade_(formats::labeling::judge_yes_grade(tasks_)),
      assignment_(assigned(tasks_), pseudonyms(access_), options_.assignment, active(access_)) {
  TS_CHECK(!tasks_.empty(), "a campaign has tasks");
  id_ = keep_options(folder, options_, kind());
  for (std::uint32_t task = 0; task < tasks_.size(); ++task) {
    numbers_.emplace(tasks_[task].id, task);
    sizes_.push_back(static_cast<std::uint32_t>(count_code_points(tasks_[task].text)));
  }
  std::int64_t last_ms = 0;
  log_ = std::make_unique<AnswerLog>(folder / kLogFile, [&](const Event& event) {
    last_ms = std::max(last_ms, event.answer.judged_at_ms);
    apply(event);
  });
  using std::chrono::duration_cast, std::chrono::milliseconds;
  auto start_ms = duration_cast<milliseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
  if (last_ms > start_ms) {
    log_warn("the clock is {} s behind the last answer of {}: times of new answers go on from there",
             (last_ms - start_ms) / 1000, folder.string());
    start_ms = last_ms;
  }
  boot_to_unix_ms_ = start_ms - since_boot_ms();
  if (unknown_ > 0) {
    log_warn("{} answers in {} are to tasks or by people that are not here now; they are kept and do not count",
             unknown_, folder.string());
  }
}

std::int64_t Campaign::now_ms() const {
  return boot_to_unix_ms_ + since_boot_ms();
}

void Campaign::apply(const Event& event) {
  const std::lock_guard lock(mutex_);
  ids_.insert(key_of(event.answer.annotator, event.answer.id));
  const auto annotator = access_.find_pseudonym(event.answer.annotator);
  const auto task = numbers_.find(event.answer.task);
  if (!annotator || task == numbers_.end()) {
    ++unknown_;
    return;
  }
  const auto who = static_cast<std::uint32_t>(*annotator);
  if (event.kind == EventKind::kAnswer) {
    assignment_.add_answer(who, task->second, !event.answer.skipped);
    answers_[{who, task->second}] = {std::make_shared<const Annotation>(event.answer), ++order_};
  } else if (answers_.erase({who, task->second}) > 0) {
    assignment_.take_back(who, task->second, event.kind == EventKind::kReopen);
  }
}

bool Campaign::is_rotated(std::size_t annotator, std::uint32_t task) const {
  if (!options_.rotate) return false;
  return xxh3_64(access_.annotators()[annotator].pseudonym + '\n' + tasks_[task].id, options_.assignment.seed) % 2 == 1;
}

ShownTask Campaign::shown(std::size_t annotator, std::uint32_t task) const {
  ShownTask result{&tasks_[task], is_rotated(annotator, task), tasks_[task].text, tasks_[task].mentions, {}};
  if (tasks_[task].judge) result.judge_spans = tasks_[task].judge->spans;
  if (result.rotated) {
    const Rotation rotation(tasks_[task].text);
    result.text = rotation.shown();
    result.mentions = rotation.to_shown(result.mentions);
    result.judge_spans = rotation.to_shown(result.judge_spans);
  }
  return result;
}

Progress Campaign::progress_of(std::size_t annotator) const {
  const auto who = static_cast<std::uint32_t>(annotator);
  return {assignment_.answered(who), assignment_.expected(who)};
}

Progress Campaign::progress(std::size_t annotator) const {
  const std::lock_guard lock(mutex_);
  return progress_of(annotator);
}

std::uint64_t Campaign::wanted_votes() const {
  return assignment_.wanted_votes();
}

Campaign::Next Campaign::next(std::size_t annotator, std::size_t count, const std::vector<std::string>& have) {
  const auto who = static_cast<std::uint32_t>(annotator);
  const auto now = Clock::now();
  std::vector<std::uint32_t> given;
  Next result;
  {
    const std::lock_guard lock(mutex_);
    std::vector<std::uint32_t> held;
    for (const auto& id : have) {
      const auto task = numbers_.find(id);
      if (task != numbers_.end()) held.push_back(task->second);
    }
    assignment_.keep_only(who, held, now);
    while (given.size() < count) {
      const auto choice = assignment_.next(who, now);
      result.state = choice.state;
      if (choice.state != Assignment::State::kTask) break;
      given.push_back(choice.task);
    }
    result.progress = progress_of(annotator);
  }
  for (const auto task : given) result.tasks.push_back(shown(annotator, task));
  return result;
}

std::optional<std::string> Campaign::problem_of(const PostedAnswer& answer, const Annotation& made,
                                                std::uint32_t number) const {
  const auto& task = tasks_[number];
  if (!is_plain_id(answer.id)) return "the answer has no id of letters, digits and hyphens";
  if (answer.withdraw) return std::nullopt;
  if (answer.reason.size() > kMaxReasonBytes)
    return fmt::format("the reason has more than {} bytes; make it shorter", kMaxReasonBytes);
  if (!is_valid_utf8(answer.reason)) return "the reason is not UTF-8";
  if (answer.visible_ms > kMostVisibleMs) return "the time is longer than a day";
  if (answer.spans.size() > kMaxSpans) return fmt::format("more than {} parts are selected", kMaxSpans);
  const auto size = made.rotated ? Rotation(task.text).shown_size() : sizes_[number];
  for (const auto& [begin, end] : answer.spans) {
    if (begin >= end || end > size) return "a selected part is outside of the passage; select it again";
  }
  if (answer.skipped) {
    if (answer.grade) return "a task cannot be both graded and skipped";
    return std::nullopt;
  }
  if (task.kind == TaskKind::kSpans) {
    if (answer.grade) return "this task asks for parts of the passage and has no grades";
    return std::nullopt;
  }
  if (!answer.grade) return "the answer has no grade; choose one, or skip the task";
  const int highest = task.kind == TaskKind::kGrade ? formats::labeling::kHighestGrade : 1;
  if (*answer.grade < 0 || *answer.grade > highest)
    return fmt::format("the grade {} is not one of 0 to {}", *answer.grade, highest);
  if (task.kind == TaskKind::kGrade && *answer.grade >= options_.spans_from && made.spans.empty())
    return "this grade needs the words that answer the query; select them";
  return std::nullopt;
}

Annotation Campaign::annotation_of(std::size_t annotator, const PostedAnswer& answer, std::uint32_t number) const {
  const auto& task = tasks_[number];
  Annotation made;
  made.id = answer.id;
  made.annotator = access_.annotators()[annotator].pseudonym;
  made.task = task.id;
  made.kind = task.kind;
  made.topic = task.topic;
  made.docid = task.docid;
  made.member = task.member;
  made.judged_at_ms = now_ms();
  if (answer.withdraw) return made;
  made.grade = answer.grade;
  made.rotated = is_rotated(annotator, number);
  made.spans = made.rotated ? Rotation(task.text).to_text(answer.spans) : merge_spans(answer.spans);
  made.skipped = answer.skipped;
  made.difficult = answer.difficult;
  made.reason = answer.reason;
  made.mode = options_.mode;
  made.guidelines = is_plain_id(answer.guidelines) ? answer.guidelines : guidelines_version_;
  made.visible_ms = answer.visible_ms;
  return made;
}

std::vector<PostResult> Campaign::post(std::size_t annotator, const std::vector<PostedAnswer>& answers) {
  std::vector<PostResult> results(answers.size());
  std::vector<std::optional<Annotation>> good(answers.size());
  std::vector<std::string> keys;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const auto& answer = answers[i];
    keys.push_back(key_of(access_.annotators()[annotator].pseudonym, answer.id));
    const auto task = numbers_.find(answer.task);
    if (task == numbers_.end()) {
      results[i] = {PostState::kRejected, "this task is not here any more; go on with the next one"};
      continue;
    }
    good[i] = annotation_of(annotator, answer, task->second);
    if (auto problem = problem_of(answer, *good[i], task->second)) {
      results[i] = {PostState::kRejected, std::move(*problem)};
      good[i].reset();
    }
  }
  std::vector<Event> events;
  std::vector<std::string> own;
  {
    std::unique_lock lock(mutex_);
    // The same answers may be on their way to the disk for another request. All are waited for before one is begun:
    // two requests could wait for each other else.
    const auto is_free = [&](const std::string& key) { return !under_way_.contains(key); };
    ++waiting_;
    finished_.wait(lock, [&] { return std::all_of(keys.begin(), keys.end(), is_free); });
    --waiting_;
    for (std::size_t i = 0; i < answers.size(); ++i) {
      if (!good[i]) continue;
      if (ids_.contains(keys[i]) || !under_way_.insert(keys[i]).second) {
        results[i].state = PostState::kDuplicate;
        continue;
      }
      own.push_back(keys[i]);
      events.push_back({answers[i].withdraw ? EventKind::kReopen : EventKind::kAnswer, std::move(*good[i]), false});
    }
  }
  store(std::move(events), own);
  return results;
}

void Campaign::store(std::vector<Event> events, const std::vector<std::string>& ids) {
  const auto end = [&] {
    const std::lock_guard lock(mutex_);
    for (const auto& id : ids) under_way_.erase(id);
    if (waiting_ > 0) finished_.notify_all();
  };
  try {
    log_->add(std::move(events), [this](const Event& event) { apply(event); });
  } catch (...) {  // the next attempt may store what this one could not
    end();
    throw;
  }
  end();
}

std::vector<Campaign::Answered> Campaign::history(std::size_t annotator, std::size_t limit) const {
  std::vector<Known> newest;
  {
    const std::lock_guard lock(mutex_);
    const auto who = static_cast<std::uint32_t>(annotator);
    for (auto at = answers_.lower_bound({who, 0}); at != answers_.end() && at->first.first == who; ++at)
      newest.push_back(at->second);
  }
  std::sort(newest.begin(), newest.end(), [](const Known& a, const Known& b) { return a.order > b.order; });
  if (newest.size() > limit) newest.resize(limit);
  std::vector<Answered> answered;
  for (const auto& known : newest) {
    auto answer = *known.answer;
    const auto number = numbers_.at(answer.task);
    if (answer.rotated) answer.spans = Rotation(tasks_[number].text).to_shown(answer.spans);
    answered.push_back({shown(annotator, number), std::move(answer)});
  }
  return answered;
}

Changed Campaign::take_back(const AnswerFilter& filter, bool reopen, bool dry_run) {
  std::vector<Event> events;
  const auto time = now_ms();
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [key, known] : answers_) {
      const auto& answer = *known.answer;
      if ((filter.annotator && *filter.annotator != answer.annotator) ||
          (filter.topic && *filter.topic != answer.topic) || (filter.task && *filter.task != answer.task) ||
          (filter.grade && filter.grade != answer.grade) || (filter.from_ms && answer.judged_at_ms < *filter.from_ms) ||
          (filter.to_ms && answer.judged_at_ms >= *filter.to_ms) ||
          (filter.faster_than_ms && answer.visible_ms >= *filter.faster_than_ms))
        continue;
      Event event{reopen ? EventKind::kReopen : EventKind::kWithdraw, {}, true};
      event.answer.id = answer.id + (reopen ? "-reopened-" : "-withdrawn-") + std::to_string(time);
      event.answer.annotator = answer.annotator;
      event.answer.task = answer.task;
      event.answer.topic = answer.topic;
      event.answer.docid = answer.docid;
      event.answer.member = answer.member;
      event.answer.kind = answer.kind;
      event.answer.judged_at_ms = time;
      events.push_back(std::move(event));
    }
  }
  const Changed changed{events.size(), dry_run ? 0 : events.size()};
  if (!dry_run) log_->add(std::move(events), [this](const Event& event) { apply(event); });
  return changed;
}

std::vector<Annotation> Campaign::annotations() const {
  std::vector<std::shared_ptr<const Annotation>> counted;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [key, known] : answers_) counted.push_back(known.answer);
  }
  std::vector<Annotation> all;
  all.reserve(counted.size());
  for (const auto& answer : counted) all.push_back(*answer);
  std::sort(all.begin(), all.end(), [](const Annotation& a, const Annotation& b) {
    return std::tie(a.topic, a.docid, a.member, a.annotator, a.task) <
           std::tie(b.topic, b.docid, b.member, b.annotator, b.task);
  });
  return all;
}

void export_answers(const Campaign& campaign, const std::filesystem::path& folder) {
  TextWriter answers(folder / "annotations.jsonl");
  for (const auto& annotation : campaign.annotations()) answers.write(annotation_line(annotation) + "\n");
  answers.finish();
  TextWriter history(folder / "history.jsonl");
  for_each_event(folder / kLogFile, [&](const Event& event) {
    constexpr std::string_view kNames[] = {"answer", "withdraw", "reopen"};
    history.write(fmt::format("{{\"event\":\"{}\",\"by\":\"{}\",\"answer\":{}}}\n",
                              kNames[static_cast<std::size_t>(event.kind)], event.by_owner ? "owner" : "annotator",
                              annotation_line(event.answer)));
  });
  history.finish();
}

}  // namespace touchstone::annotation
