#include "annotation/server/messages.hpp"

#include "common/error.hpp"
#include "tests/unit/annotation/campaign_folder.hpp"

namespace touchstone::annotation::server {
namespace {

std::string refused(const std::function<void()>& call) {
  return message_of<FormatError>(call);
}

TEST(ReadAnswers, AllFieldsOfAnAnswer) {
  const auto answers = read_answers(
      R"({"answers":[{"id":"a-1","task":"t","grade":3,"spans":[[2,8],[9,14]],"difficult":true,"reason":"é","guidelines":"v","visible_ms":12},)"
      R"({"id":"b","task":"t","grade":null,"skipped":true},{"id":"c","task":"t","withdraw":true}]})");
  ASSERT_EQ(answers.size(), 3U);
  EXPECT_EQ(answers[0].grade, 3);
  EXPECT_EQ(answers[0].spans, (std::vector<Span>{{2, 8}, {9, 14}}));
  EXPECT_TRUE(answers[0].difficult);
  EXPECT_EQ(answers[0].reason, "é");
  EXPECT_EQ(answers[0].guidelines, "v");
  EXPECT_EQ(answers[0].visible_ms, 12U);
  EXPECT_FALSE(answers[1].grade);
  EXPECT_TRUE(answers[1].skipped);
  EXPECT_TRUE(answers[2].withdraw);
}

TEST(ReadAnswers, WhatIsNotARequestIsRefusedInOneSentence) {
  EXPECT_TRUE(refused([] { read_answers(""); }).starts_with("the request is no JSON"));
  EXPECT_TRUE(refused([] { read_answers("{\"answers\":[{\"id\":\"a\""); }).starts_with("the request is no JSON"));
  EXPECT_TRUE(refused([] { read_answers("{\"answers\":[{\"id\":\"\xFF\"}]}"); }).starts_with("the request is no JSON"));
  EXPECT_EQ(refused([] { read_answers("{}"); }), "the request has no field \"answers\"; add it");
  EXPECT_EQ(refused([] { read_answers(R"({"answers":[{"id":1}]})"); }),
            "the request has a field \"answers.id\" that is not a string; correct it");
  for (const auto* const spans :
       {"[[1]]", "[[1,2,3]]", "[[-1,2]]", "[[1.5,2]]", "[[1,4294967296]]", "[1,2]", "{}", "null"}) {
    const auto body = std::string(R"({"answers":[{"id":"a","task":"t","spans":)") + spans + "}]}";
    EXPECT_EQ(refused([&] { read_answers(body); }),
              "the request has a field \"answers.spans\" that is not a list of [start, end] pairs; correct it");
  }
  for (const auto* const grade : {"1.5", "\"2\"", "99999999999", "true"})
    EXPECT_THROW(read_answers(std::string(R"({"answers":[{"id":"a","task":"t","grade":)") + grade + "}]}"),
                 FormatError);
}

TEST(ReadAnswers, DeepAndLargeRequestsAreRefused) {
  EXPECT_THROW(read_answers(std::string(100'000, '[')), FormatError);
  std::string many = R"({"answers":[)";
  for (std::size_t i = 0; i <= kMaxAnswers; ++i) many += R"({"id":"a","task":"t"},)";
  many.back() = ']';
  EXPECT_EQ(refused([&] { read_answers(many + "}"); }), "the request has too many answers; send fewer at once");
}

TEST(ReadNext, CountAndWhatThePageHolds) {
  const auto wish = read_next(R"({"count":3,"have":["t1","t2"]})");
  EXPECT_EQ(wish.count, 3U);
  EXPECT_EQ(wish.have, (std::vector<std::string>{"t1", "t2"}));
  EXPECT_THROW(read_next(R"({"count":11})"), FormatError);
  EXPECT_THROW(read_next(R"({"count":-1})"), FormatError);
  std::string many = R"({"count":1,"have":["t")";
  for (int i = 0; i < 100; ++i) many += ",\"t\"";
  EXPECT_EQ(refused([&] { read_next(many + "]}"); }), "the request names too many tasks");
}

TEST(ReadTakeBack, AFilterAndWhatToDo) {
  const auto wish = read_take_back(
      R"({"filter":{"annotator":"A1","topic":"q","task":"","grade":2,"from_ms":5,"to_ms":9,"faster_than_ms":1000},"action":"reopen","dry_run":true})");
  EXPECT_EQ(wish.filter.annotator, "A1");
  EXPECT_EQ(wish.filter.topic, "q");
  EXPECT_FALSE(wish.filter.task);
  EXPECT_EQ(wish.filter.grade, 2);
  EXPECT_EQ(wish.filter.from_ms, 5);
  EXPECT_EQ(wish.filter.to_ms, 9);
  EXPECT_EQ(wish.filter.faster_than_ms, 1000U);
  EXPECT_TRUE(wish.reopen);
  EXPECT_TRUE(wish.dry_run);
}

TEST(ReadTakeBack, AMisspeltFilterTakesNothingBack) {
  EXPECT_EQ(refused([] { read_take_back(R"({"filter":{"anotator":"A1"},"action":"withdraw"})"); }),
            "the request has a field \"filter.anotator\" that is not known; remove it");
  EXPECT_EQ(refused([] { read_take_back(R"({"filter":{},"action":"withdraw","dryrun":true})"); }),
            "the request has a field \"dryrun\" that is not known; remove it");
  EXPECT_EQ(refused([] { read_take_back(R"({"filter":{},"action":"delete"})"); }),
            "the request has an action other than withdraw and reopen");
}

class MessagesTest : public CampaignFolder {};

TEST_F(MessagesTest, ATaskTellsNothingThatAnAnnotatorMayNotKnow) {
  auto made = tasks(4);
  for (auto& task : made) {
    task.gold = 3;
    task.stratum = "secret stratum";
    task.judge = formats::labeling::JudgeDecision{2, 0.75, "the judge's reason", {{2, 8}}};
  }
  for (const auto mode : {ShownMode::kBlind, ShownMode::kShown}) {
    std::filesystem::remove_all(folder_ / "campaign.json");
    CampaignOptions options;
    options.mode = mode;
    const auto access = people();
    Campaign campaign(folder_, made, options, access);
    const auto text = next_json(campaign, campaign.next(0, 4, {}));
    for (const auto* const hidden : {"gold", "probe", "stratum"})
      EXPECT_EQ(text.find(hidden), std::string::npos) << text;
    EXPECT_EQ(text.find("the judge's reason") != std::string::npos, mode == ShownMode::kShown);
    for (const auto& annotator : access.annotators()) EXPECT_EQ(text.find(annotator.name), std::string::npos);
    const auto session = session_json(campaign, 0);
    EXPECT_EQ(session.find(access.annotators()[0].token), std::string::npos);
    EXPECT_EQ(session.find(access.annotators()[0].name), std::string::npos);
  }
}

TEST_F(MessagesTest, TheJudgesAnswerHasTheNamesOfItsOwnScale) {
  const auto shown = [&](std::optional<int> first, int second) {
    std::filesystem::remove_all(folder_ / "campaign.json");
    auto made = tasks(2);
    made[0].judge = formats::labeling::JudgeDecision{first, std::nullopt, "", {}};
    made[1].judge = formats::labeling::JudgeDecision{second, std::nullopt, "", {}};
    CampaignOptions options;
    options.mode = ShownMode::kShown;
    const auto access = people();
    Campaign campaign(folder_, made, options, access);
    return next_json(campaign, campaign.next(0, 2, {}));
  };
  const auto graded = shown(1, 3);
  EXPECT_NE(graded.find(R"("answer":"Topic")"), std::string::npos) << graded;
  EXPECT_NE(graded.find(R"("answer":"Perfect")"), std::string::npos) << graded;
  const auto binary = shown(1, 0);
  EXPECT_NE(binary.find(R"("answer":"Yes")"), std::string::npos) << binary;
  EXPECT_NE(binary.find(R"("answer":"No")"), std::string::npos) << binary;
  EXPECT_NE(shown(std::nullopt, 0).find(R"("answer":"no grade")"), std::string::npos);
}

TEST_F(MessagesTest, TheJudgesWordsAreShownAtTheirPlacesInARotatedPassage) {
  auto made = tasks(40);
  for (auto& task : made) task.judge = formats::labeling::JudgeDecision{2, std::nullopt, "", {{0, 8}}};
  CampaignOptions options;
  options.mode = ShownMode::kShown;
  options.rotate = true;
  const auto access = people();
  Campaign campaign(folder_, made, options, access);
  const auto next = campaign.next(0, 40, {});
  bool any = false;
  for (const auto& shown : next.tasks) {
    EXPECT_EQ(shown.judge_spans, (std::vector<Span>{shown.rotated ? Span{14, 22} : Span{0, 8}}));
    any = any || shown.rotated;
  }
  EXPECT_TRUE(any);
}

}  // namespace
}  // namespace touchstone::annotation::server
