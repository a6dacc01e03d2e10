#pragma once

#include "annotation/access.hpp"
#include "annotation/answer_log.hpp"
#include "annotation/assignment.hpp"
#include "formats/labeling/annotation.hpp"
#include "formats/labeling/task.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace touchstone::annotation {

using formats::labeling::Annotation;
using formats::labeling::ShownMode;
using formats::labeling::Span;
using formats::labeling::Task;
using formats::labeling::TaskKind;

/// How people judge a set of tasks.
struct CampaignOptions {
  AssignmentOptions assignment;
  ShownMode mode = ShownMode::kBlind;
  bool rotate = false;     ///< half of the (annotator, task) pairs show the halves of the passage in reverse order
  int spans_from = 2;      ///< lowest grade that needs a span, of tasks with grades
  std::string guidelines;  ///< text that is shown beside the task
  std::string title;
};

/// Most annotators of a task.
inline constexpr std::uint32_t kMaxOverlap = 1'000;
/// Most tasks of a campaign: all of them are in memory.
inline constexpr std::size_t kMaxTasks = 1'000'000;
/// Most spans of an answer, and most bytes of its reason.
inline constexpr std::size_t kMaxSpans = 1'000, kMaxReasonBytes = 4'000;

/// What the page sends: an answer, or the wish to take one back.
struct PostedAnswer {
  std::string id;
  std::string task;
  std::optional<int> grade;
  std::vector<Span> spans;  ///< of the text as it was shown
  bool skipped = false, difficult = false, withdraw = false;
  std::string reason, guidelines;
  std::uint64_t visible_ms = 0;
};

enum class PostState : std::uint8_t { kStored, kDuplicate, kRejected };

struct PostResult {
  PostState state = PostState::kStored;
  std::string problem;  ///< of kRejected: a sentence for the annotator
};

/// A task as one annotator sees it: perhaps with its halves in reverse order.
struct ShownTask {
  const Task* task = nullptr;
  bool rotated = false;
  std::string text;
  std::vector<Span> mentions, judge_spans;  ///< as places in it
};

struct Progress {
  std::size_t answered = 0, total = 0;
};

/// Which answers of a campaign the owner means: those that have all that is set.
struct AnswerFilter {
  std::optional<std::string> annotator, topic, task;
  std::optional<int> grade;
  std::optional<std::int64_t> from_ms, to_ms;   ///< judged in [from, to)
  std::optional<std::uint64_t> faster_than_ms;  ///< visible for less
};

/// What a change by filter did.
struct Changed {
  std::size_t matched = 0, changed = 0;
};

/// People judging tasks: who gets what, what was answered, and what counts. All answers are in `answers.log` of the
/// folder before they count. Thread-safe.
class Campaign {
 public:
  using Clock = Assignment::Clock;

  /// Reads what an earlier run left in the folder. Throws StorageError, also where another server has the folder;
  /// ConfigError where `options` and the folder do not fit; FormatError for files that cannot be used.
  Campaign(const std::filesystem::path& folder, std::vector<Task> tasks, CampaignOptions options, const Access& access);

  const CampaignOptions& options() const noexcept { return options_; }
  const std::vector<Task>& tasks() const noexcept { return tasks_; }
  const Access& access() const noexcept { return access_; }
  /// Of all tasks; of the first one.
  TaskKind kind() const noexcept { return tasks_.front().kind; }
  /// Lowest grade with which the judge of the tasks says yes.
  int judge_yes_grade() const noexcept { return judge_yes_grade_; }
  const std::string& guidelines_version() const noexcept { return guidelines_version_; }
  /// Names the folder: the page keeps what it has not sent under it.
  const std::string& id() const noexcept { return id_; }

  struct Next {
    std::vector<ShownTask> tasks;
    Assignment::State state = Assignment::State::kTask;  ///< why there are not more
    Progress progress;
  };
  /// Up to `count` further tasks for an annotator, who holds those of `have`.
  Next next(std::size_t annotator, std::size_t count, const std::vector<std::string>& have);

  /// Stores answers, each once: an id that is known of this annotator is a duplicate. Throws StorageError; no answer of
  /// the call counts then.
  std::vector<PostResult> post(std::size_t annotator, const std::vector<PostedAnswer>& answers);

  struct Answered {
    ShownTask task;
    Annotation answer;  ///< spans as places in what is shown
  };
  /// The newest answers of an annotator that count, newest first.
  std::vector<Answered> history(std::size_t annotator, std::size_t limit) const;

  /// Takes answers back by filter. Throws StorageError; nothing has changed then.
  /// \param reopen   the same annotators are asked again
  /// \param dry_run  only counts
  Changed take_back(const AnswerFilter& filter, bool reopen, bool dry_run);

  Progress progress(std::size_t annotator) const;
  std::uint64_t wanted_votes() const;

  /// The answers that count, by (topic, docid, member, annotator).
  std::vector<Annotation> annotations() const;

 private:
  struct Known {
    std::shared_ptr<const Annotation> answer;  ///< so that many can be listed while others are stored
    std::uint64_t order = 0;                   ///< later answers have higher numbers
  };

  void apply(const Event& event);
  /// Stores events, which `ids` of under_way_ belong to.
  void store(std::vector<Event> events, const std::vector<std::string>& ids);
  std::optional<std::string> problem_of(const PostedAnswer& answer, const Annotation& made, std::uint32_t task) const;
  Annotation annotation_of(std::size_t annotator, const PostedAnswer& answer, std::uint32_t task) const;
  bool is_rotated(std::size_t annotator, std::uint32_t task) const;
  ShownTask shown(std::size_t annotator, std::uint32_t task) const;
  Progress progress_of(std::size_t annotator) const;
  /// Unix time; never goes back or jumps while the program runs, and goes on while the machine sleeps.
  std::int64_t now_ms() const;

  const std::vector<Task> tasks_;
  const CampaignOptions options_;
  const Access access_;
  std::string guidelines_version_, id_;
  const int judge_yes_grade_;
  std::unordered_map<std::string, std::uint32_t> numbers_;  ///< of tasks by id
  std::vector<std::uint32_t> sizes_;                        ///< code points of the texts
  std::int64_t boot_to_unix_ms_ = 0;  ///< what now_ms() adds to the time since the machine started

  mutable std::mutex mutex_;  ///< of all below
  std::condition_variable finished_;
  std::size_t waiting_ = 0;  ///< threads that wait for it
  Assignment assignment_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Known> answers_;  ///< by annotator and task
  std::unordered_set<std::string> ids_;                               ///< of answers that are stored, with annotators
  std::unordered_set<std::string> under_way_;                         ///< likewise, that are being written
  std::uint64_t order_ = 0;
  std::size_t unknown_ = 0;  ///< stored answers to tasks or by people that are not here

  std::unique_ptr<AnswerLog> log_;
};

/// Writes the answers that count to `annotations.jsonl` of the folder, and all events to `history.jsonl`. Throws
/// StorageError.
void export_answers(const Campaign& campaign, const std::filesystem::path& folder);

}  // namespace touchstone::annotation
