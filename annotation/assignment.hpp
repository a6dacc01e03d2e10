#pragma once

#include "common/options.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace touchstone {
namespace annotation {

/// In which order an annotator gets tasks, and which.
enum class TaskOrder : std::uint8_t {
  kRandom,  ///< in an order of the annotator's own
  kTopic,   ///< likewise, topic by topic
  kPairs    ///< topic by topic; each topic is given to two annotators, by round robin over all pairs of them
};

struct AssignmentOptions {
  std::uint32_t overlap = 3;  ///< annotators that judge a task; 2 with kPairs
  TaskOrder order = TaskOrder::kRandom;
  std::uint64_t seed = 1;
  std::chrono::seconds lease{900};  ///< how long a task is kept for an annotator who was given it
};

/// What the assignment has to know of a task.
struct AssignedTask {
  std::string id, topic;
  bool for_all = false;  ///< a shared probe or a check against gold: every annotator gets it
};

/// Who gets which task. Tasks that have votes already come first, so that few are left half judged. Tasks for all are
/// spread evenly over what an annotator has to do. A task is kept for who was given it until a lease ends; leases are
/// in memory only, since the page tells which tasks it holds whenever it asks for more. Not thread-safe.
class Assignment {
 public:
  using Clock = std::chrono::steady_clock;
  using Number = std::uint32_t;  ///< of a task or an annotator

  /// \param active  whether each annotator still judges; empty: all do. Nobody waits for the others.
  Assignment(std::vector<AssignedTask> tasks, const std::vector<std::string>& annotators, AssignmentOptions options,
             std::vector<bool> active = {});

  /// Somebody answered. \param counts  false for a task that was skipped
  void add_answer(Number annotator, Number task, bool counts);
  /// Takes an answer out of the counts. Does nothing if this annotator has not answered the task.
  /// \param ask_again  the same annotator gets the task once more, and the place is kept; else another one gets it
  void take_back(Number annotator, Number task, bool ask_again);

  enum class State : std::uint8_t {
    kTask,
    kWait,  ///< others hold the tasks that are left
    kDone   ///< no task is left for this annotator
  };
  struct Choice {
    State state = State::kDone;
    Number task = 0;
  };
  /// The next task for an annotator, who holds it from now on.
  Choice next(Number annotator, Clock::time_point now);
  /// The annotator's page holds these tasks, and they are kept longer. It does not have others that it was given, since
  /// the reply was lost or the browser forgot them; those are free again.
  /// At most 200 are kept.
  void keep_only(Number annotator, const std::vector<Number>& tasks, Clock::time_point now);

  bool has_answered(Number annotator, Number task) const { return people_[annotator].answered.contains(task); }
  std::uint32_t votes(Number task) const { return states_[task].votes; }
  /// How many tasks an annotator has answered or skipped, and will have to, if all do the same.
  std::size_t answered(Number annotator) const { return people_[annotator].answered.size(); }
  std::size_t expected(Number annotator) const;
  /// Votes that all tasks together need, and those that they have.
  std::uint64_t wanted_votes() const noexcept { return wanted_votes_; }
  std::uint64_t counted_votes() const noexcept { return counted_votes_; }

 private:
  struct Lease {
    Number annotator;
    Clock::time_point until;
  };
  struct TaskState {
    std::uint32_t votes = 0;
    std::uint32_t kept = 0;  ///< places of people who are asked again
    std::vector<Lease> leases;
  };
  struct Person {
    std::vector<Number> order;  ///< tasks that are left, the next one last; made when it is needed
    bool has_order = false;
    bool is_active = true;
    std::size_t assigned = 0;                   ///< tasks that are not for all, with kPairs
    std::vector<Number> checks;                 ///< tasks for all, in the person's order
    std::vector<Number> again;                  ///< to be asked once more
    std::unordered_map<Number, bool> answered;  ///< whether the answer counts
    std::unordered_map<Number, Clock::time_point> held;
  };

  bool is_assigned(Number annotator, Number task) const;
  void make_pairs();
  void make_order(Number annotator);
  /// Puts a task that has lost a vote in front of the orders of all who may answer it: it may be gone from them.
  void offer_again(Number task);
  std::uint32_t wanted(Number task) const;
  /// Whether nobody else needs to answer. Forgets leases that have ended.
  bool is_taken(Number annotator, Number task, Clock::time_point now);
  /// Likewise, whatever the leases are.
  bool is_closed(Number annotator, Number task) const;
  void hold(Number annotator, Number task, Clock::time_point now);
  void end_lease(Number annotator, Number task);

  std::vector<AssignedTask> tasks_;
  std::vector<std::uint64_t> names_;  ///< hashes of the annotators' names
  AssignmentOptions options_;
  std::vector<TaskState> states_;
  std::vector<Person> people_;
  std::uint32_t active_ = 0;     ///< people who still judge
  std::vector<Number> pair_of_;  ///< by task, with kPairs
  std::vector<std::pair<Number, Number>> pairs_;
  std::uint64_t wanted_votes_ = 0, counted_votes_ = 0;
};

/// All pairs of `count` people, so that each person comes about as often in every beginning of the list: round after
/// round of a tournament in which each meets each. Empty for fewer than two.
std::vector<std::pair<std::uint32_t, std::uint32_t>> round_robin_pairs(std::uint32_t count);

}  // namespace annotation

template <>
struct Choices<annotation::TaskOrder> {
  using Order = annotation::TaskOrder;
  static constexpr Choice<Order> table[] = {
      {"random", Order::kRandom}, {"topic", Order::kTopic}, {"pairs", Order::kPairs}};
};

}  // namespace touchstone
