#include "annotation/assignment.hpp"

#include "common/digest.hpp"
#include "common/error.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace touchstone::annotation {
namespace {

/// How many tasks of an annotator's order are looked at for the one with the most votes.
constexpr std::size_t kWindow = 256;
/// Most tasks that a page can hold.
constexpr std::size_t kMostHeld = 200;

}  // namespace

std::vector<std::pair<std::uint32_t, std::uint32_t>> round_robin_pairs(std::uint32_t count) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  if (count < 2) return pairs;
  // The circle method: the last seat stays, the others move on by one each round. An odd one out pauses.
  const std::uint32_t seats = count + count % 2;
  for (std::uint32_t round = 0; round + 1 < seats; ++round) {
    for (std::uint32_t i = 0; i < seats / 2; ++i) {
      const auto seat = [&](std::uint32_t at) { return at == seats - 1 ? at : (at + round) % (seats - 1); };
      const auto first = seat(i), second = seat(seats - 1 - i);
      if (first < count && second < count) pairs.emplace_back(std::min(first, second), std::max(first, second));
    }
  }
  return pairs;
}

Assignment::Assignment(std::vector<AssignedTask> tasks, const std::vector<std::string>& annotators,
                       AssignmentOptions options, std::vector<bool> active)
    : tasks_(std::move(tasks)), options_(options), states_(tasks_.size()), people_(annotators.size()) {
  for (const auto& name : annotators) names_.push_back(xxh3_64(name, options_.seed));
  for (Number annotator = 0; annotator < people_.size(); ++annotator) {
    people_[annotator].is_active = active.empty() || active[annotator];
    active_ += people_[annotator].is_active ? 1 : 0;
  }
  if (options_.order == TaskOrder::kPairs) make_pairs();
  for (Number task = 0; task < tasks_.size(); ++task) {
    wanted_votes_ += wanted(task);
    if (!tasks_[task].for_all) continue;
    for (auto& person : people_) person.checks.push_back(task);
  }
  for (Number annotator = 0; annotator < people_.size(); ++annotator) {
    auto& checks = people_[annotator].checks;
    std::sort(checks.begin(), checks.end(), [&](Number a, Number b) {
      return xxh3_64(tasks_[a].id, names_[annotator]) < xxh3_64(tasks_[b].id, names_[annotator]);
    });
  }
}

void Assignment::make_pairs() {
  std::vector<Number> active;
  for (Number annotator = 0; annotator < people_.size(); ++annotator) {
    if (people_[annotator].is_active) active.push_back(annotator);
  }
  for (const auto& [first, second] : round_robin_pairs(active_)) pairs_.emplace_back(active[first], active[second]);
  TS_CHECK(!pairs_.empty(), "pairs need two annotators");
  std::map<std::uint64_t, std::vector<Number>> topics;  // in an order that does not follow their names
  for (Number task = 0; task < tasks_.size(); ++task)
    topics[xxh3_64(tasks_[task].topic, options_.seed)].push_back(task);
  pair_of_.resize(tasks_.size());
  std::size_t number = 0;
  for (const auto& [hash, members] : topics) {
    const auto pair = number++ % pairs_.size();
    for (const auto task : members) {
      pair_of_[task] = static_cast<Number>(pair);
      if (tasks_[task].for_all) continue;
      ++people_[pairs_[pair].first].assigned;
      ++people_[pairs_[pair].second].assigned;
    }
  }
}

std::uint32_t Assignment::wanted(Number task) const {
  return tasks_[task].for_all ? active_ : std::min(options_.overlap, active_);
}

bool Assignment::is_assigned(Number annotator, Number task) const {
  if (options_.order != TaskOrder::kPairs) return true;
  const auto& [first, second] = pairs_[pair_of_[task]];
  return annotator == first || annotator == second;
}

void Assignment::make_order(Number annotator) {
  auto& person = people_[annotator];
  struct Place {
    std::uint64_t topic, task;
    Number number;
  };
  std::vector<Place> places;
  for (Number task = 0; task < tasks_.size(); ++task) {
    if (tasks_[task].for_all || !is_assigned(annotator, task) || person.answered.contains(task)) continue;
    const auto topic = options_.order == TaskOrder::kRandom ? 0 : xxh3_64(tasks_[task].topic, names_[annotator]);
    places.push_back({topic, xxh3_64(tasks_[task].id, names_[annotator]), task});
  }
  std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) {
    return std::tie(a.topic, a.task, a.number) > std::tie(b.topic, b.task, b.number);
  });
  person.order.clear();
  for (const auto& at : places) person.order.push_back(at.number);
  person.has_order = true;
}

void Assignment::add_answer(Number annotator, Number task, bool counts) {
  auto& person = people_[annotator];
  const auto [known, is_new] = person.answered.emplace(task, counts);
  const bool counted = !is_new && known->second;
  known->second = counts;
  if (counts != counted) {
    states_[task].votes += counts ? 1 : -1;
    counted_votes_ += counts ? 1 : -1;
  }
  const bool was_kept = std::erase(person.again, task) > 0 && person.is_active;
  if (was_kept) --states_[task].kept;
  if (!counts && (counted || was_kept)) offer_again(task);
  person.held.erase(task);
  end_lease(annotator, task);
}

void Assignment::take_back(Number annotator, Number task, bool ask_again) {
  auto& person = people_[annotator];
  const auto known = person.answered.find(task);
  if (known == person.answered.end()) return;
  const bool counted = known->second;
  if (counted) {
    --states_[task].votes;
    --counted_votes_;
  }
  if (ask_again) {
    person.answered.erase(known);
  } else {
    known->second = false;
  }
  if (ask_again && counted) {
    person.again.push_back(task);
    states_[task].kept += person.is_active ? 1 : 0;
  } else {  // also a skipped task: others may have its place
    offer_again(task);
  }
}

void Assignment::offer_again(Number task) {
  if (tasks_[task].for_all) return;
  for (Number annotator = 0; annotator < people_.size(); ++annotator) {
    auto& person = people_[annotator];
    if (person.has_order && is_assigned(annotator, task) && !person.answered.contains(task))
      person.order.push_back(task);
  }
}

bool Assignment::is_closed(Number annotator, Number task) const {
  return people_[annotator].answered.contains(task) || states_[task].votes + states_[task].kept >= wanted(task);
}

bool Assignment::is_taken(Number annotator, Number task, Clock::time_point now) {
  auto& state = states_[task];
  std::erase_if(state.leases, [&](const Lease& lease) { return lease.until <= now; });
  std::size_t others = state.votes + state.kept;
  for (const auto& lease : state.leases) others += lease.annotator != annotator ? 1 : 0;
  return others >= wanted(task);
}

void Assignment::hold(Number annotator, Number task, Clock::time_point now) {
  end_lease(annotator, task);
  states_[task].leases.push_back({annotator, now + options_.lease});
  people_[annotator].held[task] = now + options_.lease;
}

void Assignment::end_lease(Number annotator, Number task) {
  std::erase_if(states_[task].leases, [&](const Lease& lease) { return lease.annotator == annotator; });
}

void Assignment::keep_only(Number annotator, const std::vector<Number>& tasks, Clock::time_point now) {
  for (const auto& [task, until] : people_[annotator].held) end_lease(annotator, task);
  people_[annotator].held.clear();
  for (const auto task : tasks) {
    if (people_[annotator].held.size() == kMostHeld) break;
    if (!has_answered(annotator, task)) hold(annotator, task, now);
  }
}

std::size_t Assignment::expected(Number annotator) const {
  const auto& person = people_[annotator];
  auto shared = person.assigned;
  if (options_.order != TaskOrder::kPairs && active_ > 0) {
    const auto rest = wanted_votes_ - person.checks.size() * active_;
    shared = (rest + active_ - 1) / active_;
  }
  return std::max(shared + person.checks.size(), answered(annotator));
}

Assignment::Choice Assignment::next(Number annotator, Clock::time_point now) {
  auto& person = people_[annotator];
  std::erase_if(person.held, [&](const auto& entry) { return entry.second <= now; });
  const auto give = [&](Number task) {
    hold(annotator, task, now);
    return Choice{State::kTask, task};
  };
  const auto is_open = [&](Number task) { return !person.answered.contains(task) && !person.held.contains(task); };

  for (const auto task : person.again) {
    if (is_open(task)) return give(task);
  }
  if (!person.checks.empty()) {
    // The i-th of n checks is due when (i + 1/2) / n of the work is done.
    const auto done = static_cast<double>(answered(annotator) + person.held.size());
    const auto all = static_cast<double>(expected(annotator));
    for (std::size_t i = 0; i < person.checks.size(); ++i) {
      const auto due = (static_cast<double>(i) + 0.5) / static_cast<double>(person.checks.size()) * all;
      if (due > done) break;
      if (is_open(person.checks[i])) return give(person.checks[i]);
    }
  }

  if (!person.has_order) make_order(annotator);
  bool waits = false;
  std::optional<Number> best;
  std::size_t seen = 0, closed = 0;
  for (std::size_t at = person.order.size(); at-- > 0 && seen < kWindow;) {
    const auto task = person.order[at];
    if (is_closed(annotator, task)) {
      ++closed;
      continue;
    }
    if (person.held.contains(task)) continue;
    if (is_taken(annotator, task, now)) {
      waits = true;
      continue;
    }
    if (best && options_.order != TaskOrder::kRandom && tasks_[task].topic != tasks_[*best].topic) break;
    ++seen;
    if (!best || states_[task].votes > states_[*best].votes) best = task;
    if (states_[task].votes + 1 == wanted(task)) break;
  }
  // offer_again() brings back what is left out here.
  if (closed > kWindow) std::erase_if(person.order, [&](Number task) { return is_closed(annotator, task); });
  if (best) return give(*best);
  for (const auto task : person.checks) {
    if (is_open(task)) return give(task);
  }
  return {waits ? State::kWait : State::kDone, 0};
}

}  // namespace touchstone::annotation
