#include "pipeline/judging/gold_labels.hpp"

#include "common/error.hpp"
#include "common/files.hpp"
#include "tests/support/temporary_folder.hpp"

#include <optional>
#include <string>

#include <gtest/gtest.h>

namespace touchstone::pipeline::judging {
namespace {

const std::string kHeader = "page\tsection\tcolumn\tmember\tpassage\tgrade\twhy\n";

class Gold : public ::testing::Test {
 protected:
  testing::TemporaryFolder folder;

  GoldLabels read(const std::string& text) {
    write_file_atomically(folder / "gold.tsv", text);
    return GoldLabels::read(folder / "gold.tsv");
  }
  std::string failure(const std::string& text) {
    try {
      read(text);
    } catch (const FormatError& error) {
      return error.what();
    }
    return "";
  }
};

TEST_F(Gold, LabelsAreFoundByTheirTexts) {
  const auto gold =
      read(kHeader + "List of x\t\tName\tAmber\tAmber\t1\tsays \"so\"\nList of x\tA » B\tName\tAmber\tBasil\t0\n");
  EXPECT_EQ(gold.size(), 2U);
  ASSERT_NE(gold.find({"List of x » Name", "Amber", "Amber"}), nullptr);
  EXPECT_EQ(gold.find({"List of x » Name", "Amber", "Amber"})->grade, 1);
  EXPECT_EQ(gold.find({"List of x » A » B » Name", "Amber", "Basil"})->grade, 0);
  EXPECT_EQ(gold.find({"List of x » Name", "Amber", "Basil"}), nullptr);
}

TEST_F(Gold, BlankLinesAndWindowsLineEndsAreFine) {
  EXPECT_EQ(read("page\tsection\tcolumn\tmember\tpassage\tgrade\r\n\r\np\ts\tc\tm\tq\t1\r\n").size(), 1U);
}

TEST_F(Gold, WhatIsWrongIsSaidWithItsLine) {
  EXPECT_NE(failure("a\tb\n").find("gold.tsv line 1: the first line must name the columns"), std::string::npos);
  EXPECT_NE(failure(kHeader + "p\ts\tc\tm\n").find("gold.tsv line 2: has fewer than six columns"), std::string::npos);
  EXPECT_NE(failure(kHeader + "p\ts\tc\tm\tq\t2\n").find("line 2: grade is \"2\""), std::string::npos);
  EXPECT_NE(failure(kHeader + "p\ts\tc\tm\tq\t1\np\ts\tc\tm\tq\t0\n").find("line 3: labels the same pair"),
            std::string::npos);
}

TEST_F(Gold, AMissingFileIsAnError) {
  EXPECT_THROW(GoldLabels::read(folder / "none.tsv"), StorageError);
}

TEST(GradeOfJudge, ALoneJudgesGradeIsThatOfTheJudgment) {
  collection::evidence::JudgmentRecord judgment;
  judgment.judge = "a";
  judgment.grade = 2;
  JudgeDescription judge;
  judge.id = "a";
  EXPECT_EQ(grade_of_judge(judgment, judge, TieRule::kLowest), 2);
  judge.id = "b";
  EXPECT_EQ(grade_of_judge(judgment, judge, TieRule::kLowest), std::nullopt) << "a cascade that did not ask it";
}

TEST(GradeOfJudge, SamplesVoteOnTheJudgesOwnScale) {
  collection::evidence::JudgmentRecord judgment;
  judgment.judge = "majority of a, b";
  judgment.grade = 1;
  const auto vote = [&](const std::string& judge, std::optional<int> grade, std::optional<int> own_grade) {
    judgment.votes.push_back({judge, grade, {}, JudgmentState::kJudged, "d", own_grade});
  };
  vote("a", 1, 3);
  vote("a", 0, 1);
  vote("a", 1, 3);
  vote("b", 0, std::nullopt);
  vote("c", std::nullopt, std::nullopt);
  JudgeDescription judge;
  const auto grade = [&](const std::string& id) {
    judge.id = id;
    return grade_of_judge(judgment, judge, TieRule::kLowest);
  };
  EXPECT_EQ(grade("a"), 3);
  EXPECT_EQ(grade("b"), 0);
  EXPECT_EQ(grade("c"), std::nullopt);
}

TEST(GoldAgreement, MeasuresComeFromTheFourCounts) {
  GoldAgreement agreement;
  for (int i = 0; i < 6; ++i) agreement.add(1, true);
  for (int i = 0; i < 2; ++i) agreement.add(0, true);
  for (int i = 0; i < 2; ++i) agreement.add(1, false);
  for (int i = 0; i < 10; ++i) agreement.add(0, false);
  EXPECT_EQ(agreement.judged(), 20U);
  EXPECT_DOUBLE_EQ(agreement.precision(), 0.75);
  EXPECT_DOUBLE_EQ(agreement.recall(), 0.75);
  EXPECT_DOUBLE_EQ(agreement.f1(), 0.75);
  EXPECT_DOUBLE_EQ(agreement.accuracy(), 0.8);
  // Chance: 0.4 x 0.4 + 0.6 x 0.6 = 0.52.
  EXPECT_NEAR(agreement.kappa(), (0.8 - 0.52) / 0.48, 1e-12);
}

TEST(GoldAgreement, WithoutLabelsEverythingIsZero) {
  const GoldAgreement none;
  EXPECT_EQ(none.precision(), 0);
  EXPECT_EQ(none.recall(), 0);
  EXPECT_EQ(none.f1(), 0);
  EXPECT_EQ(none.kappa(), 0);
}

}  // namespace
}  // namespace touchstone::pipeline::judging
