#include "llm_client/llm_judge.hpp"

#include "llm_client/budget.hpp"
#include "llm_client/quotes.hpp"
#include "llm_client/token_probability.hpp"
#include "llm_client/vote.hpp"

#include <cmath>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace touchstone::llm_client {
namespace {

using Json = nlohmann::json;

LlmJudge judge(const std::string& prompt = "evidence-binary", ChatParameters parameters = {.model = "m"}) {
  return {Protocol::kOpenAi, std::move(parameters), PromptTemplate::load(prompt)};
}

JudgeRequest request() {
  JudgeRequest asked;
  asked.page = "List of lights of Ostrand";
  asked.section_path = {"North"};
  asked.column = "Name";
  asked.member = "Amber Light";
  asked.aliases = {"Amber"};
  asked.passage_title = "Coast";
  asked.passage_text = "The  Amber Light is a light\tof Ostrand. Ä.";
  return asked;
}

std::string reply_body(const std::string& text, std::uint64_t prompt_tokens = 500) {
  return Json{{"choices", {{{"message", {{"content", text}}}, {"finish_reason", "stop"}}}},
              {"usage", {{"prompt_tokens", prompt_tokens}}}}
      .dump();
}

JudgeReply read(const LlmJudge& by, const std::string& body, int status = 200, double tokens_per_word = 0) {
  const auto asked = request();
  return by.read(status, body, {asked.passage_text, by.question(asked, 0).size, {true, tokens_per_word}});
}

TEST(LlmJudge, TheDigestIsOfModelParametersAndTexts) {
  std::set<std::string> digests;
  const auto add = [&](const LlmJudge& by, const JudgeRequest& asked, std::uint32_t sample) {
    EXPECT_TRUE(digests.insert(by.question(asked, sample).digest).second);
  };
  auto asked = request();
  add(judge(), asked, 0);
  add(judge(), asked, 1);
  add(judge("evidence-spans"), asked, 0);
  add(judge("evidence-binary", {.model = "n"}), asked, 0);
  add(judge("evidence-binary", {.model = "m", .temperature = 1}), asked, 0);
  add(judge("evidence-binary", {.model = "m", .max_reply_tokens = 9}), asked, 0);
  add({Protocol::kAnthropic, {.model = "m"}, PromptTemplate::load("evidence-binary")}, asked, 0);
  for (auto* text :
       {&asked.page, &asked.section_path[0], &asked.column, &asked.member, &asked.passage_title, &asked.passage_text}) {
    *text += "x";
    add(judge(), asked, 0);
  }
  auto same = request();
  same.own_article = true;  // nothing that the prompt says
  same.mentions = {{1, 2}};
  EXPECT_EQ(judge().question(same, 0).digest, judge().question(request(), 0).digest);
  EXPECT_EQ(LlmJudge(Protocol::kOpenAi, {.model = "m"}, PromptTemplate::load("evidence-binary"), "label")
                .question(request(), 0)
                .digest,
            judge().question(request(), 0).digest);
}

TEST(LlmJudge, ABodyIsThatOfTheProtocol) {
  auto asked = request();
  asked.passage_text += " \"@user@\" \n \xFF";
  for (const auto protocol : {Protocol::kOpenAi, Protocol::kAnthropic}) {
    const LlmJudge by(protocol, {.model = "\"@user@\""}, PromptTemplate::load("evidence-binary"));
    const auto question = by.question(asked, 0);
    for (const ServerLimits limits :
         {ServerLimits{}, ServerLimits{true, false}, ServerLimits{false, true}, ServerLimits{true, true}})
      EXPECT_EQ(by.body(question, limits),
                chat_body(protocol, question.prompt, AnswerKind::kBinary, by.parameters(), limits));
  }
}

TEST(LlmJudge, OnlyAnAnswerToAWholePromptIsAGrade) {
  EXPECT_EQ(read(judge(), reply_body(R"({"evidence": "yes"})")).grade, 1);
  EXPECT_EQ(read(judge(), reply_body(R"({"evidence": "yes"})"), 500).state, JudgmentState::kFailed);
  EXPECT_EQ(read(judge(), reply_body("yes")).state, JudgmentState::kUnparseable);
  EXPECT_EQ(read(judge(), reply_body("I'm sorry, but 1")).state, JudgmentState::kRefused);
  const auto cut = read(judge(), reply_body(R"({"evidence": "yes"})", 60));
  EXPECT_EQ(cut.state, JudgmentState::kTruncatedPrompt);
  EXPECT_FALSE(cut.grade);
  EXPECT_NE(cut.reason.find("60 tokens"), std::string::npos);
}

TEST(LlmJudge, KnowingTheServersTokensMakesCutsShow) {
  const auto words = judge().question(request(), 0).size.words;
  const auto tokens = static_cast<std::uint64_t>(words);  // fewer than 1.35 a word, more than without calibration
  EXPECT_EQ(read(judge(), reply_body(R"({"evidence": "no"})", tokens)).state, JudgmentState::kJudged);
  EXPECT_EQ(read(judge(), reply_body(R"({"evidence": "no"})", tokens), 200, 1.5).state,
            JudgmentState::kTruncatedPrompt);
}

TEST(LlmJudge, ACountThatIsNotTrustedCutsNothing) {
  const auto asked = request();
  const auto size = judge().question(asked, 0).size;
  const auto body = reply_body(R"({"evidence": "no"})", 12);
  EXPECT_EQ(judge().read(200, body, {asked.passage_text, size, {true, 0}}).state, JudgmentState::kTruncatedPrompt);
  EXPECT_EQ(judge().read(200, body, {asked.passage_text, size, {false, 0.01}}).state, JudgmentState::kJudged);
  EXPECT_EQ(least_tokens(size, {true, 0.01}), least_tokens(size, {})) << "a rate from a cut prompt";
}

TEST(LlmJudge, QuotesThatAreNotThereAreCountedNotKept) {
  const auto reply = read(
      judge("evidence-spans"),
      reply_body(R"({"evidence": "yes", "quotes": ["The Amber Light", "a light of Ostrand", "a lamp", "Ä", " "]})"));
  EXPECT_EQ(reply.grade, 1);
  EXPECT_EQ(reply.spans, (decltype(reply.spans){{0, 16}, {20, 38}, {40, 41}}));
  EXPECT_EQ(reply.quotes_not_found, 2U);
}

TEST(Quotes, WhiteSpaceIsFoldedAndNothingElse) {
  EXPECT_EQ(find_quote("a  b\u00A0c", "a b c"), (std::pair<std::uint32_t, std::uint32_t>(0, 6)));
  EXPECT_EQ(find_quote("ääb c", "b  c"), (std::pair<std::uint32_t, std::uint32_t>(2, 5)));
  EXPECT_FALSE(find_quote("a b c", "A b"));
  EXPECT_FALSE(find_quote("a b c", "a c"));
  EXPECT_FALSE(find_quote("a b c", "\n"));
  EXPECT_FALSE(find_quote("", "a"));
}

TEST(Quotes, OverlappingSpansBecomeOne) {
  using Spans = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
  EXPECT_EQ(merge_spans({{5, 9}, {0, 2}, {8, 12}, {2, 3}}), (Spans{{0, 3}, {5, 12}}));
}

std::vector<TokenProbability> tokens(
    const std::vector<std::pair<std::string, std::vector<std::pair<std::string, double>>>>& list) {
  std::vector<TokenProbability> out;
  for (const auto& [token, alternatives] : list) {
    TokenProbability entry{token, -0.001, {}};
    for (const auto& [text, probability] : alternatives) {
      entry.alternatives.emplace_back(text, std::log(probability));
      if (text == token) entry.logprob = std::log(probability);
    }
    out.push_back(std::move(entry));
  }
  return out;
}

TEST(TokenProbability, TheAllowedValuesShareTheMass) {
  const auto p = evidence_probability(AnswerKind::kBinary, R"({"evidence": "yes"})",
                                      tokens({{"{\"", {}},
                                              {"evidence", {}},
                                              {"\": \"", {}},
                                              {"yes", {{"yes", .6}, {"no", .2}, {"maybe", .19}}},
                                              {"\"}", {}}}));
  ASSERT_TRUE(p);
  EXPECT_NEAR(*p, .75, 1e-9);
}

TEST(TokenProbability, TokensMayBringTheQuotationMarkAlongOrCutTheWord) {
  const auto with_mark =
      evidence_probability(AnswerKind::kBinary, R"({"evidence": "no"})",
                           tokens({{R"({"evidence":)", {}},
                                   {" \"no", {{" \"no", .9}, {" \"yes", .05}, {"yes", .04}, {"\n", .01}}},
                                   {"\"}", {}}}));
  ASSERT_TRUE(with_mark);
  EXPECT_NEAR(*with_mark, .09 / .99, 1e-9);
  const auto cut =
      evidence_probability(AnswerKind::kBinary, R"({"evidence":"yes"})",
                           tokens({{R"({"evidence":")", {}}, {"y", {{"y", .7}, {"n", .3}}}, {"es", {}}, {"\"}", {}}}));
  ASSERT_TRUE(cut);
  EXPECT_NEAR(*cut, .7, 1e-9);
}

TEST(TokenProbability, ThoughtsAndWhiteSpaceMayGoBeforeTheReply) {
  const auto p = evidence_probability(AnswerKind::kBinary, R"({"evidence":"yes"})",
                                      tokens({{"maybe {\"evidence\":\"", {}},
                                              {"no", {{"no", .9}, {"yes", .1}}},
                                              {"\"} </think>", {}},
                                              {"\n\n{\"evidence\":\"", {}},
                                              {"yes", {{"yes", .7}, {"no", .3}}},
                                              {"\"}", {}},
                                              {"<|end|>", {}}}));
  ASSERT_TRUE(p);
  EXPECT_NEAR(*p, .7, 1e-9);
}

TEST(TokenProbability, GradesFromOneOnAreEvidence) {
  const auto p = evidence_probability(
      AnswerKind::kGraded, R"({"grade": 2})",
      tokens({{R"({"grade": )", {}}, {"2", {{"2", .5}, {"0", .25}, {"3", .15}, {"1", .1}}}, {"}", {}}}));
  ASSERT_TRUE(p);
  EXPECT_NEAR(*p, .75, 1e-9);
}

TEST(TokenProbability, WhatCannotBeTrustedGivesNone) {
  const std::string text = R"({"evidence": "yes"})";
  const auto with = [&](const std::vector<std::pair<std::string, double>>& alternatives) {
    return evidence_probability(AnswerKind::kBinary, text,
                                tokens({{R"({"evidence": ")", {}}, {"yes", alternatives}, {"\"}", {}}}));
  };
  EXPECT_TRUE(with({{"yes", .9}, {"no", .1}}));
  EXPECT_TRUE(with({{"yes", .99}})) << "what is left is too little to matter";
  EXPECT_FALSE(with({})) << "no alternatives";
  EXPECT_FALSE(with({{"no", .6}, {"I", .4}})) << "the taken token is not listed, as under a grammar";
  EXPECT_FALSE(with({{"yes", .2}, {"no", .1}, {"The", .7}})) << "the model wanted to say something else";
  EXPECT_FALSE(with({{"yes", .6}, {"Yes", .2}})) << "no is missing, and much mass open";
  EXPECT_FALSE(with({{"yes", 1.5}, {"no", .1}})) << "no probabilities";
  EXPECT_FALSE(with({{"yes", std::nan("")}, {"no", .1}}));
  EXPECT_FALSE(evidence_probability(AnswerKind::kBinary, text, tokens({{"something", {}}, {"else", {}}})))
      << "the tokens do not spell the text";
  EXPECT_FALSE(evidence_probability(AnswerKind::kBinary, text, {}));
  EXPECT_FALSE(evidence_probability(AnswerKind::kBinary, R"({"x": 1, "evidence": "yes"})",
                                    {{R"({"x": 1, "evidence": "yes"})", 0, {}}}));
}

TEST(Vote, AUniqueModeWinsAndTiesGoByTheRule) {
  EXPECT_EQ(majority_grade(std::vector{1, 0, 1}, TieRule::kNone), 1);
  EXPECT_EQ(majority_grade(std::vector{3, 0, 3, 0, 2}, TieRule::kLowest), 0);
  EXPECT_EQ(majority_grade(std::vector{3, 0, 3, 0, 2}, TieRule::kHighest), 3);
  EXPECT_EQ(majority_grade(std::vector{3, 0}, TieRule::kNone), std::nullopt);
  EXPECT_EQ(majority_grade(std::vector<int>{}, TieRule::kLowest), std::nullopt);
}

TEST(Budget, TheWorstCaseIsHeldBackUntilItIsSettled) {
  Budget budget({0, 10, 1000});
  EXPECT_TRUE(budget.reserve({0, 1, 600}));
  EXPECT_FALSE(budget.reserve({0, 1, 600}));
  budget.settle({0, 1, 600}, {0, 1, 100});
  EXPECT_TRUE(budget.reserve({0, 1, 600}));
  EXPECT_FALSE(budget.reserve({0, 1, 301}));
  EXPECT_NE(budget.obstacle({0, 1, 301}).find("--max-tokens"), std::string::npos);
  EXPECT_EQ(budget.spent().tokens, 100U);
}

TEST(Budget, CallsAndMoneyAreCapped) {
  Budget calls({0, 2, 0});
  EXPECT_TRUE(calls.reserve({0, 1, 0}));
  EXPECT_TRUE(calls.reserve({0, 1, 0}));
  EXPECT_FALSE(calls.reserve({0, 1, 0}));
  const Prices prices{2.5, 1.25, -1, 10, 1};
  EXPECT_EQ(prices.cost({1000, 400, 0, 100}), 600LL * 2'500'000 + 400 * 1'250'000 + 100LL * 10'000'000);
  EXPECT_EQ(prices.highest_cost(1000, 100), 1000LL * 2'500'000 + 100LL * 10'000'000);
  EXPECT_EQ((Prices{2.5, -1, -1, 10, .5}).cost({1000, 400, 0, 100}), 1000LL * 1'250'000 + 100 * 5'000'000);
  Budget money({0.001, 0, 0});
  EXPECT_TRUE(money.reserve({600'000'000, 1, 0}));
  EXPECT_FALSE(money.reserve({600'000'000, 1, 0}));
  Budget open({});
  EXPECT_TRUE(open.reserve({1'000'000'000'000'000, 1'000'000, 1'000'000'000}));
}

}  // namespace
}  // namespace touchstone::llm_client
