#include "pipeline/judging/model/model_judge.hpp"

#include "pipeline/judging/stage/panel_config.hpp"
#include "tests/support/memory_reply_store.hpp"

#include <memory>
#include <optional>
#include <set>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace touchstone::pipeline::judging::model {
namespace {

/// A judge whose server is never reached; a test writes the replies.
class ModelJudgeTest : public ::testing::Test {
 protected:
  std::unique_ptr<Judge> judge(std::uint32_t samples = 1, const std::string& prompt = "evidence-binary") {
    stage::JudgeOptions config;
    config.kind = stage::JudgeKind::kOpenAi;
    config.base_url = {"http://127.0.0.1:1/v1"};
    config.model = "m";
    return std::make_unique<ModelJudge>(stage::served_model(config, prompt), samples, RequestRoute::kOnline,
                                        JudgeServices{store, budget, stop, progress});
  }
  static JudgeRequest request() {
    return {"List of lights", {"North", "Islands"}, "Name", "Amber", {"A"}, "Coast", "Amber is a light.", {}, false};
  }
  void store_reply(const std::string& digest, const std::string& text) {
    const nlohmann::json body = {{"choices", {{{"message", {{"content", text}}}, {"finish_reason", "stop"}}}}};
    store.add({{digest, {"m", body.dump()}}});
  }

  testing::MemoryReplyStore store;
  llm_client::Budget budget{{}};
  StopFlag stop;
  ProgressCounters progress;
};

constexpr const char* kYes = R"({"evidence": "yes"})";

TEST_F(ModelJudgeTest, AQuestionWithoutAReplyIsPending) {
  const auto reading = judge()->read("topic", request(), Ungraded::kKeep);
  EXPECT_TRUE(reading.samples.empty());
  ASSERT_EQ(reading.pending.size(), 1U);
  EXPECT_EQ(reading.pending[0].topic, "topic");
  EXPECT_FALSE(reading.pending[0].asks_again);
  EXPECT_NE(reading.pending[0].body.find("North » Islands"), std::string::npos);
}

TEST_F(ModelJudgeTest, TheTopicIsNamedInOne) {
  const auto by = judge(1, "dmerit-evidence");
  EXPECT_NE(by->read("t", request(), Ungraded::kKeep)
                .pending.at(0)
                .body.find("in the category hierarchy List of lights » North » Islands » Name, will you"),
            std::string::npos);
  EXPECT_FALSE(by->description().needs_queries);
}

TEST_F(ModelJudgeTest, AQueryIsPartOfTheQuestionWhereThePromptHoldsIt) {
  const auto by = judge(1, "umbrela-reworded");
  EXPECT_TRUE(by->description().needs_queries);
  EXPECT_EQ(by->description().highest_grade, 3);
  auto asked = request();
  asked.query = "lights in the north";
  const auto pending = by->read("t", asked, Ungraded::kKeep).pending.at(0);
  EXPECT_NE(pending.body.find("Query: lights in the north\\nPassage: <passage>Amber"), std::string::npos);
  asked.member = "Basil";
  EXPECT_EQ(by->read("t", asked, Ungraded::kKeep).pending.at(0).digest, pending.digest)
      << "members of a topic share the question";
  asked.query += "!";
  EXPECT_NE(by->read("t", asked, Ungraded::kKeep).pending.at(0).digest, pending.digest);
  EXPECT_EQ(judge()->read("t", asked, Ungraded::kKeep).pending.at(0).digest, [&] {
    asked.query.clear();
    return judge()->read("t", asked, Ungraded::kKeep).pending.at(0).digest;
  }());
}

TEST_F(ModelJudgeTest, AStoredReplyIsItsAnswer) {
  const auto by = judge();
  store_reply(by->read("t", request(), Ungraded::kKeep).pending.at(0).digest, kYes);
  const auto reading = by->read("t", request(), Ungraded::kKeep);
  ASSERT_EQ(reading.samples.size(), 1U);
  EXPECT_EQ(reading.samples[0].answer.grade, 1);
  EXPECT_TRUE(reading.samples[0].stored->reply.empty()) << "the text is in the answer";
}

TEST_F(ModelJudgeTest, TheDigestIsOfTheTextsThatThePromptHolds) {
  const auto by = judge();
  const auto digest = [&](const JudgeRequest& asked) {
    return by->read("t", asked, Ungraded::kKeep).pending.at(0).digest;
  };
  std::set<std::string> digests = {digest(request())};
  auto other = request();
  for (auto* text : {&other.page, &other.section_path[0], &other.column, &other.member, &other.aliases[0],
                     &other.passage_title, &other.passage_text}) {
    *text += "x";
    EXPECT_TRUE(digests.insert(digest(other)).second);
  }
  auto same = request();
  same.own_article = true;
  same.mentions = {{1, 2}};
  EXPECT_EQ(digest(same), digest(request()));
}

TEST_F(ModelJudgeTest, EachSampleIsARequestOfItsOwn) {
  const auto by = judge(3);
  const auto reading = by->read("t", request(), Ungraded::kKeep);
  ASSERT_EQ(reading.pending.size(), 3U);
  store_reply(reading.pending[1].digest, kYes);
  const auto next = by->read("t", request(), Ungraded::kKeep);
  EXPECT_EQ(next.pending.size(), 2U);
  EXPECT_EQ(next.samples.size(), 1U);
}

TEST_F(ModelJudgeTest, AReplyWithoutAGradeIsKeptUntilItIsAskedForAgain) {
  const auto by = judge();
  const auto first = by->read("t", request(), Ungraded::kKeep).pending.at(0).digest;
  store_reply(first, "perhaps");
  const auto kept = by->read("t", request(), Ungraded::kKeep);
  EXPECT_EQ(kept.samples.at(0).answer.state, JudgmentState::kUnparseable);

  const auto again = by->read("t", request(), Ungraded::kAskAgain);
  ASSERT_EQ(again.pending.size(), 1U);
  EXPECT_TRUE(again.pending[0].asks_again);
  EXPECT_NE(again.pending[0].digest, first);
}

TEST_F(ModelJudgeTest, TheLatestRoundCounts) {
  const auto by = judge();
  store_reply(by->read("t", request(), Ungraded::kKeep).pending.at(0).digest, "perhaps");
  const auto second = by->read("t", request(), Ungraded::kAskAgain).pending.at(0).digest;
  store_reply(second, kYes);
  for (const auto ungraded : {Ungraded::kKeep, Ungraded::kAskAgain}) {
    const auto reading = by->read("t", request(), ungraded);
    ASSERT_EQ(reading.samples.size(), 1U);
    EXPECT_EQ(reading.samples[0].digest, second);
    EXPECT_EQ(reading.samples[0].answer.grade, 1);
  }
}

TEST_F(ModelJudgeTest, AGradeIsNeverAskedForAgain) {
  const auto by = judge();
  store_reply(by->read("t", request(), Ungraded::kKeep).pending.at(0).digest, kYes);
  EXPECT_TRUE(by->read("t", request(), Ungraded::kAskAgain).pending.empty());
}

}  // namespace
}  // namespace touchstone::pipeline::judging::model
