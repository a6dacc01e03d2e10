#include "llm_client/online_requester.hpp"

#include "common/error.hpp"
#include "tests/unit/llm_client/served_model_fixture.hpp"

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::llm_client {
namespace {

class OnlineRequesterTest : public ServedModelTest {
 protected:
  ServedModel served = served_model();
  OnlineRequester requester{served, store, budget, stop, progress};
};

TEST_F(OnlineRequesterTest, RepliesAreStoredWhenItHasFinished) {
  requester.begin_lookup();
  requester.ask(request(served, "a"));
  requester.ask(request(served, "b"));
  requester.finish();
  for (const auto* member : {"a", "b"}) {
    const auto reply = store.find(request(served, member).digest);
    ASSERT_TRUE(reply);
    EXPECT_EQ(reply->status, 200U);
    EXPECT_GT(reply->prompt_tokens, 0U);
  }
  EXPECT_EQ(requester.counts().answered, 2U);
  EXPECT_EQ(progress.records, 2U);
}

TEST_F(OnlineRequesterTest, AQuestionThatComesAgainIsNotAskedAgain) {
  requester.begin_lookup();
  requester.ask(request(served, "a"));
  requester.ask(request(served, "a"));  // while it is under way
  requester.finish();
  requester.ask(request(served, "a"));  // when it is answered, but was looked for before
  requester.finish();
  EXPECT_EQ(server.counts()["requests"], 1);
  requester.begin_lookup();
  requester.ask(request(served, "b"));
  requester.finish();
  EXPECT_EQ(server.counts()["requests"], 2);
}

TEST_F(OnlineRequesterTest, ItKnowsWhichRequestsAskAgain) {
  auto again = request(served, "a");
  again.asks_again = true;
  requester.ask(again);
  requester.ask(request(served, "b"));
  requester.finish();
  EXPECT_TRUE(requester.asked_again(again.digest));
  EXPECT_FALSE(requester.asked_again(request(served, "b").digest));
}

TEST_F(OnlineRequesterTest, ABudgetThatIsUsedUpEndsTheRunWithWhatWasPaidStored) {
  Budget small({0, 1, 0});
  OnlineRequester capped(served, store, small, stop, progress);
  capped.ask(request(served, "a"));
  EXPECT_THROW(capped.ask(request(served, "b")), Interrupted);
  EXPECT_EQ(store.size(), 1U);
}

TEST_F(OnlineRequesterTest, ARequestWithoutAnyReplyHasFailedAndIsNotStored) {
  served.server.transport.max_attempts = 2;
  served.server.transport.backoff = std::chrono::milliseconds(1);
  server.set_rules(R"([{"do": "status", "status": 502, "match": "Stumbling"}])");
  OnlineRequester patient(served, store, budget, stop, progress);
  patient.ask(request(served, "Stumbling"));
  patient.ask(request(served, "b"));
  EXPECT_NO_THROW(patient.finish());
  EXPECT_TRUE(patient.failure(request(served, "Stumbling").digest));
  EXPECT_FALSE(patient.failure(request(served, "b").digest));
  EXPECT_EQ(store.size(), 1U);
}

TEST_F(OnlineRequesterTest, OpeningTriesTheServerOnceAndRemembersIt) {
  served.server.probe = true;
  const auto traits = requester.open();
  ASSERT_TRUE(traits);
  EXPECT_TRUE(traits->probed);
  EXPECT_TRUE(traits->gives_logprobs);
  const auto asked = server.counts()["requests"];
  EXPECT_EQ(requester.open()->gives_logprobs, traits->gives_logprobs);
  OnlineRequester later(served, store, budget, stop, progress);
  EXPECT_TRUE(later.open()->probed);
  EXPECT_EQ(server.counts()["requests"], asked);
}

TEST_F(OnlineRequesterTest, ADamagedReplyIsStoredAsAFailureAndNotAsAnAnswer) {
  served.server.transport.backoff = std::chrono::milliseconds(1);
  server.set_rules(R"([{"do": "gzip_checksum", "match": "Stumbling"}])");
  OnlineRequester other(served, store, budget, stop, progress);
  other.ask(request(served, "Stumbling"));
  for (int i = 0; i < 30; ++i) other.ask(request(served, "b" + std::to_string(i)));
  other.finish();
  const auto digest = request(served, "Stumbling").digest;
  if (const auto reply = store.find(digest)) {  // others passed in between
    EXPECT_EQ(reply->status, 0U);
    EXPECT_FALSE(reply->failure.empty());
    EXPECT_EQ(served.model.read(*reply, {"A lighthouse.", {}, {}}).state, JudgmentState::kFailed);
  } else {
    EXPECT_TRUE(other.failure(digest));
  }
}

TEST_F(OnlineRequesterTest, AttemptsAreCountedAsCallsAndChargedAtTheirWorst) {
  served.server.transport.backoff = std::chrono::milliseconds(1);
  served.server.prices = {1, -1, -1, 4, 1};
  server.set_rules(R"([{"do": "cut", "times": 2}])");
  Budget counted({0, 100, 0});
  OnlineRequester other(served, store, counted, stop, progress);
  other.ask(request(served, "a"));
  other.finish();
  EXPECT_EQ(counted.spent().calls, 3U);
  const auto worst = served.worst_case(request(served, "a").size).cost;
  EXPECT_EQ(counted.spent().cost, 2 * worst + store.find(request(served, "a").digest)->cost);
}

TEST_F(OnlineRequesterTest, NoAttemptPassesTheCap) {
  served.server.transport.backoff = std::chrono::milliseconds(1);
  server.set_rules(R"([{"do": "cut"}])");
  Budget two({0, 2, 0});
  OnlineRequester other(served, store, two, stop, progress);
  other.ask(request(served, "a"));
  other.finish();
  EXPECT_EQ(server.counts()["requests"], 2);
  EXPECT_FALSE(store.find(request(served, "a").digest)) << "the next run asks it";
}

TEST_F(OnlineRequesterTest, RepliesWithoutAnyGradeEndTheRun) {
  served.server.max_ungraded = 5;
  served.server.transport.in_flight = 2;
  server.set_rules(R"([{"do": "ignore_schema"}])");
  OnlineRequester other(served, store, budget, stop, progress);
  try {
    for (int i = 0; i < 100; ++i) other.ask(request(served, "a" + std::to_string(i)));
    other.finish();
    FAIL() << "it goes on";
  } catch (const Interrupted& error) {
    EXPECT_NE(std::string(error.what()).find("none of the first 5 replies holds a grade"), std::string::npos);
  }
  EXPECT_LT(server.counts()["requests"], 5 + 2);
}

class SlowReplyStore : public testing::MemoryReplyStore {
 public:
  void add_new(const std::vector<Entry>& entries) override {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    testing::MemoryReplyStore::add_new(entries);
  }
};

TEST_F(OnlineRequesterTest, RepliesThatNobodyHasReadYetAreNotFollowedByMoreUntilOneHoldsAGrade) {
  served.server.max_ungraded = 5;
  served.server.transport.in_flight = 2;
  server.set_rules(R"([{"do": "ignore_schema"}])");
  SlowReplyStore slow;
  OnlineRequester other(served, slow, budget, stop, progress);
  const auto ask_all = [&] {
    for (int i = 0; i < 100; ++i) other.ask(request(served, "a" + std::to_string(i)));
    other.finish();
  };
  EXPECT_THROW(ask_all(), Interrupted);
  EXPECT_LT(server.counts()["requests"], 5 + 2);
}

}  // namespace
}  // namespace touchstone::llm_client
