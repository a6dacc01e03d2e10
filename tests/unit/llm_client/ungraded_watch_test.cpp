#include "llm_client/ungraded_watch.hpp"

#include <string>

#include <gtest/gtest.h>

namespace touchstone::llm_client {
namespace {

PromptedModel model() {
  return {providers::Protocol::kOpenAi, {.model = "m"}, prompts::PromptTemplate::load("evidence-binary")};
}

StoredReply reply(const std::string& text) {
  StoredReply reply;
  reply.reply = R"({"choices":[{"message":{"content":")" + text + R"("},"finish_reason":"stop"}]})";
  return reply;
}

TEST(UngradedWatch, FirstRepliesWithoutAnyGradeAreEnough) {
  const auto judge = model();
  UngradedWatch watch(judge, 3);
  watch.take("q1", reply("I would say yes"), {}, {}, false);
  watch.take("q2", reply("I'm sorry"), {}, {}, false);
  EXPECT_FALSE(watch.verdict());
  watch.take("q3", reply("well\\u001b[31m"), {}, {}, false);
  ASSERT_TRUE(watch.verdict());
  EXPECT_NE(watch.verdict()->find("2 are unparseable (the answer is not one JSON object), such as \"I would say yes\""),
            std::string::npos)
      << *watch.verdict();
}

TEST(UngradedWatch, OneGradeIsEnoughToGoOn) {
  const auto judge = model();
  UngradedWatch watch(judge, 2);
  watch.take("q4", reply("no answer"), {}, {}, false);
  watch.take("q5", reply(R"({\"evidence\":\"no\"})"), {}, {}, false);
  for (int i = 0; i < 10; ++i) watch.take(std::to_string(i), reply("no answer"), {}, {}, false);
  EXPECT_FALSE(watch.verdict());
}

TEST(UngradedWatch, QuestionsThatAreAskedAgainDoNotCount) {
  const auto judge = model();
  UngradedWatch watch(judge, 2), never(judge, 0);
  for (int i = 0; i < 10; ++i) {
    watch.take(std::to_string(i), reply("no answer"), {}, {}, true);
    never.take(std::to_string(i), reply("no answer"), {}, {}, false);
  }
  EXPECT_FALSE(watch.verdict());
  EXPECT_FALSE(never.verdict());
}

JudgeAnswer answer(JudgmentState state) {
  JudgeAnswer answer;
  answer.state = state;
  answer.reply = "I would say yes";
  return answer;
}

TEST(UngradedWatch, StoredRepliesCountOnceAFewNewOnesConfirmThem) {
  const auto judge = model();
  UngradedWatch watch(judge, 20);
  for (int i = 0; i < 18; ++i) watch.take_stored("s" + std::to_string(i), answer(JudgmentState::kUnparseable));
  for (int i = 0; i < 4; ++i) watch.take("n" + std::to_string(i), reply("no answer"), {}, {}, false);
  watch.take_stored("n3", answer(JudgmentState::kUnparseable));
  EXPECT_FALSE(watch.verdict()) << "the server may have been corrected";
  watch.take("n4", reply("no answer"), {}, {}, false);
  ASSERT_TRUE(watch.verdict());
  EXPECT_NE(watch.verdict()->find("none of the first 23 replies holds a grade, 23 are unparseable"), std::string::npos)
      << *watch.verdict();
}

TEST(UngradedWatch, AVerdictNoLongerChanges) {
  const auto judge = model();
  UngradedWatch watch(judge, 3);
  for (int i = 0; i < 3; ++i) watch.take("n" + std::to_string(i), reply("no answer"), {}, {}, false);
  const auto verdict = watch.verdict();
  for (int i = 0; i < 3; ++i) watch.take_stored("s" + std::to_string(i), answer(JudgmentState::kUnparseable));
  ASSERT_TRUE(verdict);
  EXPECT_EQ(watch.verdict(), verdict);
}

TEST(UngradedWatch, AServerThatWasCorrectedOrGradedBeforeGoesOn) {
  const auto judge = model();
  UngradedWatch corrected(judge, 20), graded(judge, 20);
  for (int i = 0; i < 20; ++i) {
    corrected.take_stored(std::to_string(i), answer(JudgmentState::kUnparseable));
    graded.take_stored(std::to_string(i), answer(JudgmentState::kUnparseable));
  }
  graded.take_stored("g", answer(JudgmentState::kJudged));
  for (int i = 0; i < 19; ++i) {
    const auto text = i == 2 ? R"({\"evidence\":\"no\"})" : "no answer";
    corrected.take("n" + std::to_string(i), reply(text), {}, {}, false);
    graded.take("n" + std::to_string(i), reply("no answer"), {}, {}, false);
  }
  EXPECT_FALSE(corrected.verdict());
  EXPECT_FALSE(graded.verdict());
  graded.take("n19", reply("no answer"), {}, {}, false);
  EXPECT_TRUE(graded.verdict()) << "its own limit holds";
}

}  // namespace
}  // namespace touchstone::llm_client
