#include "llm_client/batch_requester.hpp"

#include "common/error.hpp"
#include "common/files.hpp"
#include "common/log.hpp"
#include "tests/unit/llm_client/served_model_fixture.hpp"

#include <filesystem>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace touchstone::llm_client {
namespace {

class BatchRequesterTest : public ServedModelTest, public ::testing::WithParamInterface<providers::Protocol> {
 protected:
  void SetUp() override {
    configure_log(LogLevel::kError, LogFormat::kText);
    if (!IsSkipped()) requester.emplace(served, store, budget, stop);
  }
  bool stored(const std::string& member) const { return store.find(request(served, member).digest).has_value(); }
  /// What `finish` says when it ends the run.
  std::string interruption(BatchRequester& of) {
    try {
      of.finish();
    } catch (const Interrupted& error) {
      return error.what();
    }
    return "";
  }
  /// Files of the folder whose names end so.
  std::size_t files(const std::string& ending) const {
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(served.server.batch.folder))
      count += entry.path().string().ends_with(ending) ? 1 : 0;
    return count;
  }

  ServedModel served = served_model(GetParam());
  std::optional<BatchRequester> requester;
};

TEST_P(BatchRequesterTest, ResultsAreStoredUnderTheDigestsOfOnlineRequests) {
  requester->resume();
  for (const auto* member : {"a", "b", "c"}) requester->ask(request(served, member));
  requester->finish();
  for (const auto* member : {"a", "b", "c"}) EXPECT_TRUE(stored(member)) << member;
  const auto reply = store.find(request(served, "a").digest);
  EXPECT_EQ(served.model.read(static_cast<int>(reply->status), reply->reply, {"A lighthouse.", {}, {}}).state,
            JudgmentState::kJudged);
  EXPECT_EQ(files(".merged"), 1U);
}

TEST_P(BatchRequesterTest, AFileHoldsNoMoreRequestsThanAllowed) {
  served.server.batch.limits.requests = 2;
  requester->resume();
  for (const auto* member : {"a", "b", "c", "d", "e"}) requester->ask(request(served, member));
  requester->finish();
  EXPECT_EQ(store.size(), 5U);
  EXPECT_EQ(files(".merged"), 3U);
}

TEST_P(BatchRequesterTest, AJobThatARunLeftIsFetchedByTheNext) {
  requester->resume();
  requester->ask(request(served, "a"));
  served.server.batch.poll_interval = std::chrono::seconds(600);
  stop.request();  // the run ends while it waits for the job
  EXPECT_NE(interruption(*requester), "");
  EXPECT_EQ(store.size(), 0U);

  StopFlag go_on;
  served.server.batch.poll_interval = std::chrono::seconds(0);
  BatchRequester next(served, store, budget, go_on);
  next.resume();
  EXPECT_TRUE(stored("a"));
}

TEST_P(BatchRequesterTest, WhatDoesNotFitTheBudgetIsSaidAfterTheOthersAreStored) {
  Budget small({0, 2, 0});
  BatchRequester capped(served, store, small, stop);
  capped.resume();
  for (const auto* member : {"a", "b", "c"}) capped.ask(request(served, member));
  EXPECT_NE(interruption(capped).find("--max-calls"), std::string::npos);
  EXPECT_EQ(store.size(), 2U);
}

TEST_P(BatchRequesterTest, WithoutSubmittingTheUserBringsTheResults) {
  served.server.batch.submit = false;
  requester->resume();
  requester->ask(request(served, "a"));
  EXPECT_NE(interruption(*requester).find("1 requests are in 1 files"), std::string::npos);
  EXPECT_EQ(server.counts()["others"], 0);

  const auto digest = request(served, "a").digest;
  write_file_atomically(
      served.server.batch.folder / "mine.results.jsonl",
      GetParam() == providers::Protocol::kOpenAi
          ? fmt::format(R"({{"custom_id":"{}","response":{{"status_code":200,"body":{{"x":1}}}}}})", digest) + "\n"
          : fmt::format(R"({{"custom_id":"{}","result":{{"type":"succeeded","message":{{"x":1}}}}}})", digest) + "\n");
  BatchRequester next(served, store, budget, stop);
  next.resume();
  EXPECT_EQ(store.find(digest)->reply, R"({"x":1})");
}

TEST_P(BatchRequesterTest, RequestsThatExpiredHaveNoReply) {
  requester->resume();
  const auto digest = request(served, "a").digest;
  write_file_atomically(served.server.batch.folder / "late.results.jsonl",
                        GetParam() == providers::Protocol::kOpenAi
                            ? fmt::format(R"({{"custom_id":"{}","response":null,"error":{{}}}})", digest) + "\n"
                            : fmt::format(R"({{"custom_id":"{}","result":{{"type":"expired"}}}})", digest) + "\n");
  requester->resume();
  EXPECT_EQ(store.size(), 0U);
}

/// A line of results with such a reply.
std::string result_line(providers::Protocol protocol, const std::string& id, const std::string& reply) {
  return protocol == providers::Protocol::kOpenAi
             ? fmt::format(R"({{"custom_id":"{}","response":{{"status_code":200,"body":{}}}}})", id, reply) + "\n"
             : fmt::format(R"({{"custom_id":"{}","result":{{"type":"succeeded","message":{}}}}})", id, reply) + "\n";
}

TEST_P(BatchRequesterTest, ResultsOfRequestsThatNobodyAskedAreLeftOut) {
  served.server.batch.submit = false;
  requester->resume();
  requester->ask(request(served, "a"));
  interruption(*requester);
  BatchRequester again(served, store, budget, stop);  // whose files take the place of the first ones
  again.resume();
  again.ask(request(served, "b"));
  interruption(again);
  write_file_atomically(served.server.batch.folder / "mine.results.jsonl",
                        result_line(GetParam(), request(served, "c").digest, R"({"x":3})") +
                            result_line(GetParam(), request(served, "a").digest, R"({"x":1})") +
                            result_line(GetParam(), request(served, "b").digest, R"({"x":2})"));
  BatchRequester next(served, store, budget, stop);
  next.resume();
  EXPECT_TRUE(stored("a")) << "asked in a file that is gone";
  EXPECT_TRUE(stored("b"));
  EXPECT_FALSE(stored("c"));
}

TEST_P(BatchRequesterTest, ContradictingResultsStoreNothingAndEqualOnesCountOnce) {
  served.server.batch.submit = false;
  requester->resume();
  requester->ask(request(served, "a"));
  interruption(*requester);
  const auto file = served.server.batch.folder / "mine.results.jsonl";
  const auto line = result_line(GetParam(), request(served, "a").digest, R"({"x":1})");
  write_file_atomically(file, line + line + result_line(GetParam(), request(served, "a").digest, R"({"x":2})"));
  try {
    BatchRequester(served, store, budget, stop).resume();
    ADD_FAILURE();
  } catch (const FormatError& error) {
    EXPECT_NE(std::string(error.what()).find("line 3: gives another result than line 1"), std::string::npos)
        << error.what();
  }
  EXPECT_EQ(store.size(), 0U);
  write_file_atomically(file, line + line);
  BatchRequester(served, store, budget, stop).resume();
  EXPECT_EQ(store.size(), 1U);
}

TEST_P(BatchRequesterTest, ADamagedFileOfResultsIsNamedWithItsLine) {
  requester->resume();
  write_file_atomically(served.server.batch.folder / "bad.results.jsonl", "\nno result\n");
  try {
    requester->resume();
    ADD_FAILURE();
  } catch (const FormatError& error) {
    EXPECT_NE(std::string(error.what()).find("bad.results.jsonl line 2"), std::string::npos) << error.what();
  }
}

TEST_P(BatchRequesterTest, ADamagedListOfJobsIsNamedWithTheRemedy) {
  requester->resume();
  write_file_atomically(served.server.batch.folder / "jobs.json", "{");
  EXPECT_THROW(requester->resume(), FormatError);
}

TEST_P(BatchRequesterTest, TheProbeTravelsWithTheFirstFile) {
  served.server.probe = true;
  requester->resume();
  EXPECT_FALSE(requester->open());
  requester->ask(request(served, "a"));
  requester->finish();
  EXPECT_EQ(store.size(), 3U);
  EXPECT_TRUE(remembered_traits(served, store).probed);
}

INSTANTIATE_TEST_SUITE_P(Protocols, BatchRequesterTest,
                         ::testing::Values(providers::Protocol::kOpenAi, providers::Protocol::kAnthropic),
                         [](const auto& protocol) {
                           return protocol.param == providers::Protocol::kOpenAi ? "OpenAi" : "Anthropic";
                         });

}  // namespace
}  // namespace touchstone::llm_client
