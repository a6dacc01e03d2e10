
#include "collection/evidence/collection_lines.hpp"
#include "tests/unit/collection/evidence/sample_collection.hpp"

#include <gtest/gtest.h>

namespace touchstone::collection::evidence {
namespace {

TEST(JudgmentJson, AJudgmentReadsBackToTheSameBytes) {
  JudgmentRecord judgment = testing::sample_judgment("t", 7, "w-7-0");
  judgment.probability = 1.0 / 3;
  judgment.mentions = {{0, 2}, {5, 9}};
  judgment.reason = "\"quoted\"\n</b> é";
  const std::string line = judgment_line(judgment);
  EXPECT_NE(line.find("\"probability\":0.333333,"), std::string::npos) << line;
  CollectionLineReader reader;
  const auto back = reader.judgment(line.substr(0, line.size() - 1));
  ASSERT_TRUE(back) << back.error();
  EXPECT_EQ(judgment_line(*back), line);
  EXPECT_EQ(back->mentions, judgment.mentions);
  EXPECT_EQ(back->reason, judgment.reason);
}

TEST(JudgmentJson, BetweenStagesProbabilitiesKeepAllTheirDigits) {
  JudgmentRecord judgment = testing::sample_judgment("t", 7, "w-7-0");
  judgment.probability = 1.0 / 3;
  judgment.votes = {{"a", 1, 1.0 / 3, JudgmentState::kJudged, "d1"}, {"b", {}, {}, JudgmentState::kTied, "d2"}};
  const std::string line = judgment_line(judgment, ProbabilityDigits::kAll);
  EXPECT_NE(line.find("\"probability\":0.3333333333333333,"), std::string::npos) << line;
  CollectionLineReader reader;
  const auto back = reader.judgment(line);
  ASSERT_TRUE(back) << back.error();
  EXPECT_EQ(back->probability, judgment.probability);
  ASSERT_EQ(back->votes.size(), 2U);
  EXPECT_EQ(back->votes[0].probability, judgment.probability);
  EXPECT_EQ(back->votes[1].state, JudgmentState::kTied);
  EXPECT_EQ(judgment_line(*back, ProbabilityDigits::kAll), line);
}

TEST(JudgmentJson, AVoteOnAnotherScaleReadsBack) {
  JudgmentRecord judgment = testing::sample_judgment("t", 7, "w-7-0");
  judgment.votes = {{"a", 1, 0.5, JudgmentState::kJudged, "d1", 3}, {"b", 0, {}, JudgmentState::kJudged, "d2"}};
  const std::string line = judgment_line(judgment);
  EXPECT_NE(line.find("\"digest\":\"d1\",\"own_grade\":3},{"), std::string::npos) << line;
  CollectionLineReader reader;
  const auto back = reader.judgment(line);
  ASSERT_TRUE(back) << back.error();
  EXPECT_EQ(back->votes[0].own_grade, 3);
  EXPECT_FALSE(back->votes[1].own_grade);
  EXPECT_EQ(judgment_line(*back), line);
}

TEST(JudgmentJson, TheSourceIsWrittenWhereItIsKnown) {
  JudgmentRecord judgment = testing::sample_judgment("t", 7, "w-7-0");
  EXPECT_EQ(judgment_line(judgment).find("source"), std::string::npos);
  CollectionLineReader reader;
  for (const auto& [source, name] : kCandidateSources) {
    judgment.source = source;
    const std::string line = judgment_line(judgment);
    EXPECT_NE(line.find("\"source\":\"" + std::string(name) + "\","), std::string::npos) << line;
    const auto back = reader.judgment(line);
    ASSERT_TRUE(back) << back.error();
    EXPECT_EQ(judgment_line(*back), line);
  }
  std::string line = judgment_line(judgment);
  line.replace(line.find("page\""), 5, "anchor\"");
  EXPECT_EQ(reader.judgment(line).error(),
            "has the source \"anchor\"; docs/collection.md lists the sources; correct it");
}

TEST(JudgmentJson, AStateThatIsNotInTheTableIsAnErrorUnlessItIsAskedFor) {
  std::string line = judgment_line(testing::sample_judgment("t", 7, "w-7-0"));
  line.replace(line.find("judged"), 6, "odd");
  CollectionLineReader reader;
  EXPECT_EQ(reader.judgment(line).error(), "has the state \"odd\"; docs/collection.md lists the states; correct it");
  std::optional<std::string> unknown_state;
  const auto judgment = reader.judgment(line, &unknown_state);
  ASSERT_TRUE(judgment);
  EXPECT_EQ(unknown_state, "odd");
  EXPECT_EQ(judgment->state, JudgmentState::kFailed);
}

}  // namespace
}  // namespace touchstone::collection::evidence
