#include "annotation/assignment.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <set>

#include <gtest/gtest.h>

namespace touchstone::annotation {
namespace {

using namespace std::chrono_literals;
using State = Assignment::State;
using Number = Assignment::Number;

const Assignment::Clock::time_point kStart{};

std::vector<AssignedTask> tasks(std::size_t count, std::size_t for_all = 0, std::size_t of_topic = 10) {
  std::vector<AssignedTask> made;
  for (std::size_t i = 0; i < count; ++i)
    made.push_back({"t" + std::to_string(i), "q" + std::to_string(i / of_topic), i < for_all});
  return made;
}

std::vector<std::string> people(std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) names.push_back("A" + std::to_string(i + 1));
  return names;
}

AssignmentOptions options(std::uint32_t overlap, TaskOrder order = TaskOrder::kRandom) {
  AssignmentOptions made;
  made.overlap = overlap;
  made.order = order;
  return made;
}

/// What somebody gets who answers everything at once.
std::vector<Number> work_off(Assignment& assignment, Number who, std::size_t most = 1'000'000) {
  std::vector<Number> got;
  while (got.size() < most) {
    const auto choice = assignment.next(who, kStart);
    if (choice.state != State::kTask) break;
    got.push_back(choice.task);
    assignment.add_answer(who, choice.task, true);
  }
  return got;
}

TEST(RoundRobinPairs, EachPairComesOnceAndEveryBeginningIsBalanced) {
  EXPECT_TRUE(round_robin_pairs(0).empty());
  EXPECT_TRUE(round_robin_pairs(1).empty());
  for (std::uint32_t count = 2; count < 40; ++count) {
    const auto pairs = round_robin_pairs(count);
    ASSERT_EQ(pairs.size(), count * (count - 1) / 2);
    std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
    std::vector<int> turns(count);
    for (const auto& [first, second] : pairs) {
      ASSERT_LT(first, second);
      ASSERT_LT(second, count);
      ASSERT_TRUE(seen.emplace(first, second).second);
      ++turns[first];
      ++turns[second];
      const auto [least, most] = std::minmax_element(turns.begin(), turns.end());
      ASSERT_LE(*most - *least, 2) << count;
    }
  }
}

TEST(Assignment, ATaskIsHeldByAsManyPeopleAsAreToJudgeIt) {
  Assignment assignment(tasks(1), people(3), options(2));
  EXPECT_EQ(assignment.next(0, kStart).state, State::kTask);
  EXPECT_EQ(assignment.next(1, kStart).state, State::kTask);
  EXPECT_EQ(assignment.next(2, kStart).state, State::kWait);
  assignment.add_answer(0, 0, true);
  EXPECT_EQ(assignment.next(2, kStart).state, State::kWait);
  assignment.add_answer(1, 0, true);
  EXPECT_EQ(assignment.next(2, kStart).state, State::kDone);
}

TEST(Assignment, WhatIsNotAnsweredInTimeGoesToAnother) {
  Assignment assignment(tasks(1), people(2), options(1));
  EXPECT_EQ(assignment.next(0, kStart).state, State::kTask);
  EXPECT_EQ(assignment.next(1, kStart + 899s).state, State::kWait);
  assignment.keep_only(0, {0}, kStart + 899s);
  EXPECT_EQ(assignment.next(1, kStart + 1000s).state, State::kWait);
  EXPECT_EQ(assignment.next(1, kStart + 1799s).state, State::kTask);
}

TEST(Assignment, WhatThePageDoesNotHoldIsFreeAgain) {
  Assignment assignment(tasks(2), people(2), options(1));
  const auto first = assignment.next(0, kStart), second = assignment.next(0, kStart);
  EXPECT_EQ(assignment.next(1, kStart).state, State::kWait);
  assignment.keep_only(0, {second.task}, kStart);
  EXPECT_EQ(assignment.next(1, kStart).task, first.task);
}

TEST(Assignment, ThoseWhoHoldATaskDoNotGetItOnceMore) {
  Assignment assignment(tasks(2), people(1), options(1));
  const auto first = assignment.next(0, kStart), second = assignment.next(0, kStart);
  EXPECT_NE(first.task, second.task);
  EXPECT_EQ(assignment.next(0, kStart).state, State::kDone);
  EXPECT_EQ(assignment.next(0, kStart + 901s).state, State::kTask);
}

TEST(Assignment, ASkippedTaskGoesToOthersAndDoesNotComeBack) {
  Assignment assignment(tasks(1), people(2), options(1));
  EXPECT_EQ(assignment.next(0, kStart).state, State::kTask);
  assignment.add_answer(0, 0, false);
  EXPECT_EQ(assignment.next(0, kStart).state, State::kDone);
  EXPECT_EQ(assignment.next(1, kStart).state, State::kTask);
  EXPECT_EQ(assignment.counted_votes(), 0U);
}

TEST(Assignment, AnAnswerThatBecomesASkipLeavesItsPlaceToOthers) {
  Assignment assignment(tasks(1'000), people(2), options(1));
  EXPECT_EQ(work_off(assignment, 0).size(), 1'000U);
  EXPECT_EQ(assignment.next(1, kStart).state, State::kDone);
  assignment.add_answer(0, 7, false);
  const auto choice = assignment.next(1, kStart);
  EXPECT_EQ(choice.state, State::kTask);
  EXPECT_EQ(choice.task, 7U);
}

TEST(Assignment, WhoeverIsAskedAgainKeepsThePlace) {
  Assignment assignment(tasks(1), people(2), options(1));
  work_off(assignment, 0);
  assignment.take_back(0, 0, true);
  EXPECT_EQ(assignment.next(1, kStart).state, State::kDone);
  EXPECT_EQ(assignment.next(0, kStart).state, State::kTask);
  assignment.add_answer(0, 0, true);
  EXPECT_EQ(assignment.votes(0), 1U);
  EXPECT_EQ(assignment.next(1, kStart).state, State::kDone);
}

TEST(Assignment, WhoeverSkipsWhenAskedAgainLeavesThePlace) {
  Assignment assignment(tasks(600), people(2), options(1));
  work_off(assignment, 0);
  assignment.take_back(0, 5, true);
  EXPECT_EQ(assignment.next(1, kStart).state, State::kDone);
  assignment.add_answer(0, 5, false);
  EXPECT_EQ(assignment.next(1, kStart).task, 5U);
}

TEST(Assignment, AWithdrawnAnswerIsAskedOfOthers) {
  Assignment assignment(tasks(1'000), people(2), options(1));
  work_off(assignment, 0);
  EXPECT_EQ(assignment.next(1, kStart).state, State::kDone);
  assignment.take_back(0, 3, false);
  EXPECT_EQ(assignment.next(0, kStart).state, State::kDone);
  const auto choice = assignment.next(1, kStart);
  EXPECT_EQ(choice.state, State::kTask);
  EXPECT_EQ(choice.task, 3U);
}

TEST(Assignment, WhatWasNeverAnsweredCannotBeTakenBack) {
  Assignment assignment(tasks(1), people(2), options(1));
  work_off(assignment, 0);
  assignment.take_back(1, 0, true);
  EXPECT_EQ(assignment.next(1, kStart).state, State::kDone);
  EXPECT_EQ(assignment.votes(0), 1U);
}

TEST(Assignment, TasksForAllGoToEverybodyEvenlySpread) {
  Assignment assignment(tasks(500, 10), people(5), options(1));
  // In turn, so that everybody has a fifth of the others.
  std::vector<std::vector<Number>> got(5);
  for (bool any = true; any;) {
    any = false;
    for (Number who = 0; who < 5; ++who) {
      const auto one = work_off(assignment, who, 1);
      any = any || !one.empty();
      got[who].insert(got[who].end(), one.begin(), one.end());
    }
  }
  std::set<std::vector<Number>> orders;
  for (const auto& list : got) {
    ASSERT_EQ(list.size(), 108U);
    std::vector<Number> checks;
    for (std::size_t at = 0; at < list.size(); ++at) {
      if (list[at] >= 10) continue;
      const auto due = (static_cast<double>(checks.size()) + 0.5) / 10 * 108;
      EXPECT_NEAR(static_cast<double>(at), due, 2);
      checks.push_back(list[at]);
    }
    EXPECT_EQ(checks.size(), 10U);
    orders.insert(checks);
  }
  EXPECT_EQ(orders.size(), 5U) << "everybody has an order of their own";
}

TEST(Assignment, TasksThatHaveVotesComeFirst) {
  Assignment assignment(tasks(100), people(3), options(3));
  const auto first = work_off(assignment, 0, 10);
  auto second = work_off(assignment, 1, 10), third = work_off(assignment, 2, 10);
  const std::set<Number> expected(first.begin(), first.end());
  EXPECT_EQ(std::set<Number>(second.begin(), second.end()), expected);
  EXPECT_EQ(std::set<Number>(third.begin(), third.end()), expected);
}

TEST(Assignment, TopicByTopicMeansThatATopicIsFinishedBeforeTheNextBegins) {
  Assignment assignment(tasks(400), people(3), options(2, TaskOrder::kTopic));
  work_off(assignment, 0, 35);
  const auto got = work_off(assignment, 1);
  std::set<Number> left;
  for (std::size_t at = 0; at < got.size(); ++at) {
    if (at > 0 && got[at] / 10 != got[at - 1] / 10) {
      EXPECT_TRUE(left.insert(got[at - 1] / 10).second) << "topic " << got[at - 1] / 10 << " was left twice";
    }
  }
  EXPECT_EQ(got.size(), 400U);
}

TEST(Assignment, WithPairsOnlyTwoPeopleGetATopic) {
  constexpr std::size_t kPeople = 5;
  Assignment assignment(tasks(200), people(kPeople), options(2, TaskOrder::kPairs));
  std::map<Number, std::set<Number>> of_topic;
  std::vector<std::size_t> load(kPeople);
  for (Number who = 0; who < kPeople; ++who) {
    EXPECT_EQ(assignment.expected(who), 80U);
    for (const auto task : work_off(assignment, who)) {
      of_topic[task / 10].insert(who);
      ++load[who];
    }
  }
  std::set<std::set<Number>> pairs;
  for (const auto& [topic, who] : of_topic) {
    EXPECT_EQ(who.size(), 2U);
    pairs.insert(who);
  }
  EXPECT_EQ(of_topic.size(), 20U);
  EXPECT_EQ(pairs.size(), 10U) << "every pair has topics";
  for (const auto tasks_of_person : load) EXPECT_EQ(tasks_of_person, 80U);
  EXPECT_EQ(assignment.counted_votes(), assignment.wanted_votes());
}

TEST(Assignment, PeopleWhoLeftGetNoTopicsAndNobodyWaitsForThem) {
  Assignment pairs(tasks(60), people(3), options(2, TaskOrder::kPairs), {true, false, true});
  EXPECT_EQ(work_off(pairs, 0).size(), 60U);
  EXPECT_EQ(work_off(pairs, 2).size(), 60U);
  Assignment shared(tasks(10), people(3), options(3), {true, false, true});
  shared.add_answer(1, 0, true);
  work_off(shared, 0);
  work_off(shared, 2);
  EXPECT_EQ(shared.wanted_votes(), 20U);
  for (Number task = 0; task < 10; ++task) EXPECT_EQ(shared.votes(task), 2U);
}

TEST(Assignment, OnePersonCannotHoldEverything) {
  Assignment assignment(tasks(1'000), people(2), options(1));
  std::vector<Number> all(1'000);
  std::iota(all.begin(), all.end(), Number{0});
  assignment.keep_only(0, all, kStart);
  EXPECT_EQ(assignment.next(1, kStart).state, State::kTask);
}

TEST(Assignment, TheSameSeedGivesTheSameTasksAndAnotherSeedOthers) {
  const auto first_of = [](std::uint64_t seed) {
    auto made = options(2);
    made.seed = seed;
    Assignment assignment(tasks(300, 3), people(4), made);
    return work_off(assignment, 2);
  };
  EXPECT_EQ(first_of(1), first_of(1));
  EXPECT_NE(first_of(1), first_of(2));
}

TEST(Assignment, AFullCampaignEndsWithAsManyVotesAsAreWanted) {
  // People come and go, skip, lose what they hold, change and take back answers.
  constexpr std::size_t kTasks = 10'000, kPeople = 50;
  for (const auto order : {TaskOrder::kRandom, TaskOrder::kTopic}) {
    Assignment assignment(tasks(kTasks, 5), people(kPeople), options(3, order));
    std::mt19937 random(11);
    auto now = kStart;
    std::vector<std::vector<Number>> held(kPeople);
    std::vector<std::set<Number>> lost(kPeople);
    std::size_t idle = 0;
    for (std::size_t step = 0; idle < 20 * kPeople; ++step) {
      ASSERT_LT(step, 1'000'000U);
      const auto who = static_cast<Number>(random() % kPeople);
      now += 1s;
      if (held[who].empty()) {
        for (int i = 0; i < 5; ++i) {
          const auto choice = assignment.next(who, now);
          if (choice.state != State::kTask) break;
          ASSERT_FALSE(assignment.has_answered(who, choice.task));
          held[who].push_back(choice.task);
        }
        idle = held[who].empty() ? idle + 1 : 0;
        if (random() % 50 == 0) held[who].clear();  // a lost laptop
        continue;
      }
      assignment.keep_only(who, held[who], now);
      const auto task = held[who].back();
      held[who].pop_back();
      assignment.add_answer(who, task, task < 5 || random() % 100 != 0);
      if (random() % 200 == 0) assignment.take_back(who, task, true);
      if (random() % 2'000 == 0 && task >= 5) assignment.take_back(who, task, false);
      ASSERT_LE(assignment.votes(task), task < 5 ? kPeople : 3U);
    }
    // Whoever still holds something, or was asked again, finishes.
    now += 1h;
    for (Number who = 0; who < kPeople; ++who) {
      for (auto choice = assignment.next(who, now); choice.state == State::kTask; choice = assignment.next(who, now))
        assignment.add_answer(who, choice.task, true);
    }
    for (Number task = 0; task < kTasks; ++task) ASSERT_EQ(assignment.votes(task), task < 5 ? kPeople : 3U) << task;
    EXPECT_EQ(assignment.counted_votes(), assignment.wanted_votes());
  }
}

}  // namespace
}  // namespace touchstone::annotation
