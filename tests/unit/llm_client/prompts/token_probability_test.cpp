#include "llm_client/prompts/token_probability.hpp"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::llm_client::prompts {
namespace {

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

TEST(TokenProbability, TheLowestGradeOfEvidenceCanBeChosen) {
  const auto of = [](int evidence_grade) {
    return evidence_probability(
        AnswerKind::kScore, "##final score: 2",
        tokens({{"##", {}}, {"final score:", {}}, {" 2", {{" 2", .5}, {" 0", .25}, {"3", .15}, {"1", .1}}}}),
        evidence_grade);
  };
  EXPECT_NEAR(of(1).value_or(-1), .75, 1e-9);
  EXPECT_NEAR(of(2).value_or(-1), .65, 1e-9);
  EXPECT_NEAR(of(3).value_or(-1), .15, 1e-9);
}

TEST(TokenProbability, ABareWordCountsInAnyCaseAndNotAsPartOfAnother) {
  const auto p = evidence_probability(
      AnswerKind::kYesNo, "Yes.",
      tokens({{"Yes", {{"Yes", .5}, {"yes", .1}, {"NO", .1}, {"No", .1}, {"Not", .15}, {"Nobody", .04}}}, {".", {}}}));
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

}  // namespace
}  // namespace touchstone::llm_client::prompts
