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
  watch.take(reply("I would say yes"), {}, {}, false);
  watch.take(reply("I'm sorry"), {}, {}, false);
  EXPECT_FALSE(watch.verdict());
  watch.take(reply("well\\u001b[31m"), {}, {}, false);
  ASSERT_TRUE(watch.verdict());
  EXPECT_NE(watch.verdict()->find("2 are unparseable (the answer is not one JSON object), such as \"I would say yes\""),
            std::string::npos)
      << *watch.verdict();
}

TEST(UngradedWatch, OneGradeIsEnoughToGoOn) {
  const auto judge = model();
  UngradedWatch watch(judge, 2);
  watch.take(reply("no answer"), {}, {}, false);
  watch.take(reply(R"({\"evidence\":\"no\"})"), {}, {}, false);
  for (int i = 0; i < 10; ++i) watch.take(reply("no answer"), {}, {}, false);
  EXPECT_FALSE(watch.verdict());
}

TEST(UngradedWatch, QuestionsThatAreAskedAgainDoNotCount) {
  const auto judge = model();
  UngradedWatch watch(judge, 2), never(judge, 0);
  for (int i = 0; i < 10; ++i) {
    watch.take(reply("no answer"), {}, {}, true);
    never.take(reply("no answer"), {}, {}, false);
  }
  EXPECT_FALSE(watch.verdict());
  EXPECT_FALSE(never.verdict());
}

}  // namespace
}  // namespace touchstone::llm_client
