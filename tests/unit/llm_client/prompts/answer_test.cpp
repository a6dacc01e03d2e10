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

TEST(Answer, DeepAndLongTextsAreNoAnswers) {
  EXPECT_FALSE(parse_answer(AnswerKind::kGraded, std::string(100'000, '[')));
  EXPECT_FALSE(parse_answer(AnswerKind::kGraded, "{\"grade\": 2}" + std::string(300'000, ' ')));
  std::string quotes = "{\"evidence\":\"yes\",\"quotes\":[\"a\"";
  for (int i = 0; i < 64; ++i) quotes += ",\"a\"";
  EXPECT_FALSE(parse_answer(AnswerKind::kSpans, quotes + "]}"));
}

TEST(Answer, SchemasAreJsonAndAllowWhatIsRead) {
  for (const auto kind : {AnswerKind::kBinary, AnswerKind::kGraded, AnswerKind::kSpans, AnswerKind::kQuery}) {
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
      {AnswerKind::kSpans, R"({"evidence": "no", "quotes": ["1"]})"}};
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
