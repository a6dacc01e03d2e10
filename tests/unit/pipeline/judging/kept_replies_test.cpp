#include "pipeline/judging/kept_replies.hpp"

#include "pipeline/judging/model/model_judge.hpp"
#include "pipeline/judging/stage/panel_config.hpp"
#include "tests/support/memory_reply_store.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace touchstone::pipeline::judging {
namespace {

constexpr const char* kBefore = "Amber is a light. It was lit in 1900. It is red.";
constexpr const char* kAfter = "Amber is a light. It was lit in 1901. It is red.";
constexpr const char* kYes = R"({"evidence": "yes", "quotes": ["is a light"]})";

/// Spans of a quote in `kBefore`.
std::vector<std::pair<std::uint32_t, std::uint32_t>> at(const std::string& quote) {
  const auto begin = static_cast<std::uint32_t>(std::string(kBefore).find(quote));
  return {{begin, begin + static_cast<std::uint32_t>(quote.size())}};
}

TEST(MarkedSentences, AreThereWhereOthersWereEdited) {
  EXPECT_TRUE(has_marked_sentences(kAfter, kBefore, at("is a light")));
  EXPECT_TRUE(has_marked_sentences(kAfter, kBefore, at("It is red.")));
  EXPECT_FALSE(has_marked_sentences(kAfter, kBefore, at("lit")));
  EXPECT_FALSE(has_marked_sentences(kAfter, kBefore, at("light. It was")));
  EXPECT_TRUE(has_marked_sentences("It is red.\nAmber is a light.", kBefore, {{0, 5}, {40, 42}})) << "in any order";
}

TEST(MarkedSentences, AreThereAsWholeSentences) {
  EXPECT_FALSE(has_marked_sentences("Until 1950, Amber is a light.", kBefore, at("Amber is a light.")));
  EXPECT_FALSE(has_marked_sentences("Amber is a light. It is red", kBefore, at("red.")));
}

TEST(MarkedSentences, OffsetsAreCodePoints) {
  EXPECT_TRUE(has_marked_sentences("Ünal ist rot. Er dreht.", "Ünäl ist röt. Er dreht.", {{14, 16}}));
  EXPECT_FALSE(has_marked_sentences("Ünal ist rot. Er dreht.", "Ünäl ist röt. Er dreht.", {{12, 13}}));
}

TEST(MarkedSentences, WithoutSpansNothingIsMarked) {
  EXPECT_FALSE(has_marked_sentences(kBefore, kBefore, {}));
}

/// A panel of models with the prompt that asks for quotes; a test writes the replies.
class KeptRepliesTest : public ::testing::Test {
 protected:
  JudgePanel panel(std::uint32_t samples = 1, bool reads_kept = true, const std::string& prompt = "evidence-spans") {
    stage::JudgeOptions config;
    config.kind = stage::JudgeKind::kOpenAi;
    config.base_url = {"http://127.0.0.1:1/v1"};
    config.model = "m";
    std::vector<std::unique_ptr<Judge>> judges;
    judges.push_back(
        std::make_unique<model::ModelJudge>(stage::served_model(config, prompt), samples, model::RequestRoute::kOnline,
                                            model::JudgeServices{store, budget, stop, progress, reads_kept}));
    return {std::move(judges), {}};
  }
  static JudgeQuestion about(const std::string& text) {
    return {{"List", {}, "Name", "Amber", {}, "Amber", text, {}, true}, PageId{7}};
  }
  static PanelReading read(const JudgePanel& by, const JudgeQuestion& question, Ungraded ungraded = Ungraded::kKeep) {
    return read_panel(by, "t", question, ungraded);
  }
  /// Replies to what is pending about a passage, sample by sample.
  void answer(const JudgePanel& by, const std::string& passage, const std::vector<std::string>& texts) {
    const auto pending = read(by, about(passage)).pending;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const nlohmann::json body = {{"choices", {{{"message", {{"content", texts[i]}}}, {"finish_reason", "stop"}}}}};
      store.add({{pending.at(i).request.digest, {"m", body.dump()}}});
    }
  }
  std::vector<llm_client::ReplyStore::Entry> kept(const JudgePanel& by, Ungraded ungraded = Ungraded::kKeep) {
    const auto question = about(kAfter);
    return kept_replies(by, "t", question, read(by, question, ungraded), before, store);
  }

  testing::MemoryReplyStore store;
  llm_client::Budget budget{{}};
  StopFlag stop;
  ProgressCounters progress;
  passages::PagePassages before{PageId{1}, "Amber", {}, {{0, {}, "Something else.", {}}, {1, {}, kBefore, {}}}};
};

TEST_F(KeptRepliesTest, AReplyIsFoundAndReadAsTheAnswerOfToday) {
  const auto by = panel();
  answer(by, kBefore, {kYes});
  const auto asked = read(by, about(kBefore)).record;
  const auto entries = kept(by);
  ASSERT_EQ(entries.size(), 1U);
  EXPECT_EQ(entries[0].reply.kept_from, asked.digest);
  EXPECT_EQ(entries[0].digest, kept_digest(read(by, about(kAfter)).pending.at(0).request.digest));
  store.add(entries);
  const auto now = read(by, about(kAfter));
  EXPECT_TRUE(now.pending.empty());
  EXPECT_EQ(now.record.digest, entries[0].digest);
  EXPECT_EQ(now.record.kept_from, asked.digest);
  EXPECT_EQ(now.record.grade, 1);
  EXPECT_EQ(now.record.spans, asked.spans);
  EXPECT_EQ(read(panel(1, false), about(kAfter)).pending.size(), 1U) << "without the option it is asked";
}

TEST_F(KeptRepliesTest, AKeptReplyIsKeptOnceMoreFromTheFirstQuestion) {
  const auto by = panel();
  answer(by, kBefore, {kYes});
  const auto asked = read(by, about(kBefore)).record.digest;
  store.add(kept(by));
  before.passages = {{0, {}, kAfter, {}}};
  const auto question = about("Amber is a light. It is green.");
  const auto entries = kept_replies(by, "t", question, read(by, question), before, store);
  ASSERT_EQ(entries.size(), 1U);
  EXPECT_EQ(entries[0].reply.kept_from, asked);
}

TEST_F(KeptRepliesTest, AnAnswerToTheQuestionItselfCounts) {
  const auto by = panel();
  answer(by, kBefore, {kYes});
  const auto entries = kept(by);
  answer(by, kAfter, {R"({"evidence": "no", "quotes": []})"});
  store.add(entries);
  const auto record = read(by, about(kAfter)).record;
  EXPECT_EQ(record.grade, 0);
  EXPECT_EQ(record.kept_from, "");
}

TEST_F(KeptRepliesTest, TheSizeOfTheQuestionThatWasAskedCounts) {
  const auto by = panel();
  const auto pending = read(by, about(kBefore)).pending;
  const nlohmann::json body = {{"choices", {{{"message", {{"content", kYes}}}, {"finish_reason", "stop"}}}},
                               {"usage", {{"prompt_tokens", 600}, {"completion_tokens", 5}}}};
  store.add({{pending.at(0).request.digest, {"m", body.dump()}}});
  std::string longer = kAfter;
  for (int i = 0; i < 2000; ++i) longer += " So it goes.";
  const auto question = about(longer);
  const auto entries = kept_replies(by, "t", question, read(by, question), before, store);
  ASSERT_EQ(entries.size(), 1U);
  store.add(entries);
  EXPECT_EQ(read(by, question).record.state, JudgmentState::kJudged);
}

TEST_F(KeptRepliesTest, LabelsOfNoEvidenceAndThoseWithoutQuotesAreAsked) {
  for (const std::string text : {R"({"evidence": "no", "quotes": []})", R"({"evidence": "yes", "quotes": []})",
                                 R"({"evidence": "yes", "quotes": ["not there"]})",
                                 R"({"evidence": "yes", "quotes": ["lit in 1900"]})", "perhaps"}) {
    store.clear();
    const auto by = panel();
    answer(by, kBefore, {text});
    EXPECT_TRUE(kept(by).empty()) << text;
  }
}

TEST_F(KeptRepliesTest, AllSamplesAreKeptOrNone) {
  const auto by = panel(3);
  answer(by, kBefore, {kYes, kYes});
  EXPECT_TRUE(kept(by).empty());
  answer(by, kBefore, {R"({"evidence": "no", "quotes": []})"});
  auto entries = kept(by);
  EXPECT_EQ(entries.size(), 3U);
  // A crash left two of them.
  store.add({entries[0], entries[2]});
  entries = kept(by);
  ASSERT_EQ(entries.size(), 1U);
  store.add(entries);
  const auto record = read(by, about(kAfter)).record;
  EXPECT_EQ(record.grade, 1);
  EXPECT_EQ(record.probability, 0.6667);
  EXPECT_EQ(record.votes.size(), 3U);
}

TEST_F(KeptRepliesTest, WhatIsAskedAgainIsNotKept) {
  const auto by = panel();
  answer(by, kBefore, {kYes});
  answer(by, kAfter, {"perhaps"});
  EXPECT_TRUE(kept(by, Ungraded::kAskAgain).empty());
}

}  // namespace
}  // namespace touchstone::pipeline::judging
