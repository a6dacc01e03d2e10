#include "llm_client/prompts/answer.hpp"

#include "common/json_tree.hpp"

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace touchstone::llm_client::prompts {
namespace {

std::optional<int> grade(AnswerKind kind, std::string_view text) {
  const auto answer = parse_answer(kind, text);
  return answer ? answer->grade : std::nullopt;
}

TEST(Answer, TheFormThatWasAskedForIsRead) {
  EXPECT_EQ(grade(AnswerKind::kBinary, R"({"evidence": "yes"})"), 1);
  EXPECT_EQ(grade(AnswerKind::kBinary, R"({"evidence":"no"})"), 0);
  for (int i = 0; i <= 3; ++i) EXPECT_EQ(grade(AnswerKind::kGraded, "{\"grade\": " + std::to_string(i) + "}"), i);
  const auto spans = parse_answer(AnswerKind::kSpans, R"({"quotes": ["a b", "ä"], "evidence": "yes"})");
  ASSERT_TRUE(spans);
  EXPECT_EQ(spans->grade, 1);
  EXPECT_EQ(spans->quotes, (std::vector<std::string>{"a b", "ä"}));
  const auto reasoned = parse_answer(AnswerKind::kGradedReason, R"({"grade": 3, "reason": " it says so "})");
  ASSERT_TRUE(reasoned);
  EXPECT_EQ(reasoned->grade, 3);
  EXPECT_EQ(reasoned->reason, "it says so");
  for (const auto* text : {R"({"evidence": "yes"})", R"({"evidence": "yes", "reason": 1})", R"({"reason": "yes"})"})
    EXPECT_FALSE(parse_answer(AnswerKind::kReason, text)) << text;
  EXPECT_EQ(parse_answer(AnswerKind::kQuery, R"({"query": " lights of Ostrand "})")->query, "lights of Ostrand");
}

TEST(Answer, WhiteSpaceMarkFenceAndThoughtsAroundItAreAllowed) {
  for (const std::string_view text :
       {" \n{\"grade\":2}\r\n", "\xEF\xBB\xBF{\"grade\":2}", "```json\n{\"grade\":2}\n```", "```\n{\"grade\":2}\n```",
        "```json{\"grade\" :2} ```", "```{\"grade\":2}```", "<think>maybe 3? {\"grade\":1}</think>\n{\"grade\":2}"}) {
    EXPECT_EQ(grade(AnswerKind::kGraded, text), 2) << text;
  }
}

TEST(Answer, NoStrayDigitOrWordBecomesAGrade) {
  for (const std::string_view text : {"",
                                      " ",
                                      "2",
                                      "\"2\"",
                                      "grade: 2",
                                      "Grade 2.",
                                      "{\"grade\": \"2\"}",
                                      "{\"grade\": 2.0}",
                                      "{\"grade\": 2.5}",
                                      "{\"grade\": 4}",
                                      "{\"grade\": -1}",
                                      "{\"grade\": 1e0}",
                                      "{\"grade\": true}",
                                      "{\"grade\": null}",
                                      "{\"grade\": [2]}",
                                      "{\"Grade\": 2}",
                                      "{\"grade\": 2, \"why\": \"x\"}",
                                      "{\"grade\": 1, \"grade\": 2}",
                                      "{}",
                                      "[{\"grade\": 2}]",
                                      "{\"grade\": 2} {\"grade\": 2}",
                                      "The answer is {\"grade\": 2}",
                                      "{\"grade\": 2} I think",
                                      "{\"grade\": 2",
                                      "{'grade': 2}",
                                      "{grade: 2}",
                                      "<think>{\"grade\": 2}",
                                      "```json\n{\"grade\": 2}",
                                      "``` {\"grade\": 2} ``` or 3",
                                      "```python\n{\"grade\":2}\n```",
                                      "{\"grade\": 02}",
                                      "{\"evidence\": \"yes\"}",
                                      "{\"grade\": 99999999999999999999}",
                                      "{\"grade\": 2}\xFF"}) {
    EXPECT_FALSE(parse_answer(AnswerKind::kGraded, text)) << text;
  }
  for (const std::string_view text : {"yes", "Yes.", "{\"evidence\": true}", "{\"evidence\": \"Yes\"}",
                                      "{\"evidence\": \"yes \"}", "{\"evidence\": 1}", "{\"evidence\": \"maybe\"}",
                                      "{\"evidence\": \"yes\", \"quotes\": []}", "no {\"evidence\": \"yes\"}"}) {
    EXPECT_FALSE(parse_answer(AnswerKind::kBinary, text)) << text;
  }
  for (const std::string_view text : {"{\"evidence\": \"yes\"}", "{\"evidence\": \"yes\", \"quotes\": \"a\"}",
                                      "{\"evidence\": \"yes\", \"quotes\": [1]}", "{\"quotes\": []}"}) {
    EXPECT_FALSE(parse_answer(AnswerKind::kSpans, text)) << text;
  }
  for (const std::string_view text :
       {"{\"query\": \"\"}", "{\"query\": \" \"}", "{\"query\": \"a\\nb\"}", "{\"query\": 1}"})
    EXPECT_FALSE(parse_answer(AnswerKind::kQuery, text)) << text;
}

TEST(Answer, ABareWordIsReadInAnyCaseAndNothingAroundIt) {
  for (const std::string_view text : {"yes", "Yes", "YES", "Yes.", "\"yes\"", "\"Yes.\"", "\"Yes\".", " \nyes\r\n",
                                      "\xEF\xBB\xBFyes", "<think>no, or yes?</think> yes", "```\nyes\n```"})
    EXPECT_EQ(grade(AnswerKind::kYesNo, text), 1) << text;
  for (const std::string_view text : {"no", "No.", "\"NO\""}) EXPECT_EQ(grade(AnswerKind::kYesNo, text), 0) << text;
  for (const std::string_view text : {"",
                                      ".",
                                      "\"\"",
                                      "\"",
                                      "y",
                                      "yes no",
                                      "Yes, I would add it.",
                                      "yes!",
                                      "yes..",
                                      "\"\"yes\"\"",
                                      "'yes'",
                                      "**yes**",
                                      "The answer is yes",
                                      "not",
                                      "none",
                                      "1",
                                      "true",
                                      "{\"evidence\": \"yes\"}",
                                      "<think>yes",
                                      "<think>x</think>",
                                      "yes\nno",
                                      "да"})
    EXPECT_FALSE(parse_answer(AnswerKind::kYesNo, text)) << text;
}

TEST(Answer, AScoreIsItsLineOrTheDigit) {
  for (const std::string_view text : {"##final score: 2", "## Final Score : 2", "##final score:2.", "final score: 2",
                                      "2", "2.", "\"2\"", "\n##final score: 2\n", "<think>3</think>2"})
    EXPECT_EQ(grade(AnswerKind::kScore, text), 2) << text;
  for (int i = 0; i <= 3; ++i) EXPECT_EQ(grade(AnswerKind::kScore, "##final score: " + std::to_string(i)), i);
  for (const std::string_view text : {"",
                                      "##",
                                      "##2",
                                      "##: 2",
                                      "##final score",
                                      "##final score:",
                                      "##final score: 4",
                                      "##final score: -1",
                                      "##final score: 2.5",
                                      "##final score: 22",
                                      "##final score: two",
                                      "##final score: 2 ##final score: 3",
                                      "##final score: 2 because",
                                      "M: 2\nT: 1\n##final score: 2",
                                      "score: 2",
                                      "4",
                                      "02",
                                      "2/3",
                                      "{\"grade\": 2}",
                                      "##final score: score",
                                      "###final score: 2",
                                      "##final  score: 2",
                                      "\xD9\xA2"})
    EXPECT_FALSE(parse_answer(AnswerKind::kScore, text)) << text;
}

TEST(Answer, ABareQueryIsOneLine) {
  const auto query = [](std::string_view text) {
    const auto answer = parse_answer(AnswerKind::kLine, text);
    return answer ? answer->query : "";
  };
  EXPECT_EQ(query(" names of lights in Ostrand\n"), "names of lights in Ostrand");
  EXPECT_EQ(query("\"names of lights\""), "names of lights");
  EXPECT_EQ(query("a\nb"), "");
  EXPECT_EQ(query("\" \""), "");
  EXPECT_EQ(query(std::string(501, 'a')), "");
  EXPECT_FALSE(parse_answer(AnswerKind::kLine, "lights")->grade);
}

TEST(Answer, KindsKnowTheirGradesAndForms) {
  for (const auto kind :
       {AnswerKind::kBinary, AnswerKind::kGraded, AnswerKind::kSpans, AnswerKind::kReason, AnswerKind::kGradedReason,
        AnswerKind::kQuery, AnswerKind::kYesNo, AnswerKind::kScore, AnswerKind::kLine}) {
    EXPECT_EQ(answer_kind(answer_kind_name(kind)), kind);
    EXPECT_EQ(decisive_values(kind).size(), is_query(kind) ? 0U : static_cast<std::size_t>(highest_grade(kind)) + 1);
    EXPECT_EQ(evidence_grade(kind, 2), highest_grade(kind) > 1 ? 2 : 1);
  }
  EXPECT_EQ(answer_kind("Graded"), std::nullopt);
  EXPECT_EQ(answer_kind_names(),
            "name one of binary, graded, spans, reason, graded-reason, query, yes-no, score and line");
}

TEST(Answer, DeepAndLongTextsAreNoAnswers) {
  EXPECT_FALSE(parse_answer(AnswerKind::kGraded, std::string(100'000, '[')));
  EXPECT_FALSE(parse_answer(AnswerKind::kGraded, "{\"grade\": 2}" + std::string(300'000, ' ')));
  std::string quotes = "{\"evidence\":\"yes\",\"quotes\":[\"a\"";
  for (int i = 0; i < 64; ++i) quotes += ",\"a\"";
  EXPECT_FALSE(parse_answer(AnswerKind::kSpans, quotes + "]}"));
}

TEST(Answer, SchemasAreJsonAndAllowWhatIsRead) {
  for (const auto kind : {AnswerKind::kBinary, AnswerKind::kGraded, AnswerKind::kSpans, AnswerKind::kReason,
                          AnswerKind::kGradedReason, AnswerKind::kQuery}) {
    const auto schema = parse_json(answer_schema(kind));
    EXPECT_EQ(schema.at("additionalProperties"), false);
    EXPECT_EQ(schema.at("required").size(), schema.at("properties").size());
  }
}

// Any change of one byte of an answer gives the same grade, another one that the changed text spells out, or none.
TEST(AnswerProperty, AGradeIsAlwaysSpelledInTheText) {
  std::mt19937 random(20'261'120);
  const std::vector<std::pair<AnswerKind, std::string>> seeds = {
      {AnswerKind::kGraded, R"({"grade": 2})"},
      {AnswerKind::kBinary, R"({"evidence": "yes"})"},
      {AnswerKind::kSpans, R"({"evidence": "no", "quotes": ["1"]})"},
      {AnswerKind::kScore, "##final score: 2"},
      {AnswerKind::kYesNo, "\"Yes.\""}};
  for (int round = 0; round < 30'000; ++round) {
    auto [kind, text] = seeds[static_cast<std::size_t>(round) % seeds.size()];
    for (auto edits = 1 + random() % 3; edits > 0; --edits) {
      const auto at = random() % text.size();
      switch (random() % 3) {
        case 0:
          text[at] = static_cast<char>(random() % 256);
          break;
        case 1:
          text.erase(at, 1);
          break;
        default:
          text.insert(at, 1, "0123{}\":, yes"[random() % 13]);
      }
      if (text.empty()) text = " ";
    }
    const auto answer = parse_answer(kind, text);
    if (!answer) continue;
    if (!has_schema(kind)) {
      const auto place = decisive_value(kind, text);
      ASSERT_TRUE(place) << text;
      const auto value = text.substr(place->begin, place->end - place->begin);
      if (kind == AnswerKind::kScore) {
        EXPECT_EQ(value, std::to_string(*answer->grade)) << text;
      } else {
        EXPECT_EQ(value.size(), *answer->grade == 1 ? 3U : 2U) << text;
      }
      continue;
    }
    const auto json = parse_json(answer_object(text));
    EXPECT_EQ(json.size(), kind == AnswerKind::kSpans ? 2U : 1U) << text;
    if (kind == AnswerKind::kGraded) {
      EXPECT_EQ(json.at("grade"), *answer->grade) << text;
    } else {
      EXPECT_EQ(json.at("evidence"), *answer->grade == 1 ? "yes" : "no") << text;
    }
  }
}

}  // namespace
}  // namespace touchstone::llm_client::prompts
