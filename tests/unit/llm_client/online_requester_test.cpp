#include "llm_client/online_requester.hpp"

#include "common/error.hpp"
#include "tests/unit/llm_client/served_model_fixture.hpp"

#include <string>

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

}  // namespace
}  // namespace touchstone::llm_client
