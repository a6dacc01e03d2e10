#include "formats/labeling/grade_names.hpp"

#include "tests/support/error_message.hpp"

#include <string>

#include <gtest/gtest.h>

namespace touchstone::formats::labeling {
namespace {

using touchstone::testing::message_of;
using Meaning = GradeNames::Meaning;

int grade(const GradeNames& names, std::string_view label) {
  const auto found = names.find(label);
  return found && found->meaning == Meaning::kGrade ? found->grade : -1;
}

TEST(GradeNames, KnowNumbersLevelsAndTheNamesOfThePage) {
  const GradeNames names;
  EXPECT_EQ(grade(names, "3"), 3);
  EXPECT_EQ(grade(names, "1_TOPIC_RELEVANT_DOES_NOT_ANSWER"), 1);
  EXPECT_EQ(grade(names, "Perfect"), 3);
  EXPECT_EQ(grade(names, "not-relevant"), 0);
  EXPECT_EQ(grade(names, "YES"), 1);
  EXPECT_EQ(names.find("skip")->meaning, Meaning::kSkip);
  EXPECT_EQ(names.find("ANSWER")->meaning, Meaning::kSpan);
  EXPECT_FALSE(names.find("4"));
  EXPECT_FALSE(names.find("2 apples"));
}

TEST(GradeNames, AreExtendedByTheUser) {
  GradeNames names;
  names.add("Teilweise=2");
  names.add("a=b=0");
  names.add("Keine Ahnung=skip");
  EXPECT_EQ(grade(names, "TEILWEISE"), 2);
  EXPECT_EQ(grade(names, "a=b"), 0);
  EXPECT_EQ(names.find("keine_ahnung")->meaning, Meaning::kSkip);
  EXPECT_NE(names.known().find("teilweise"), std::string::npos);
}

TEST(GradeNames, AnAssignmentThatIsNoneIsRefused) {
  GradeNames names;
  for (const char* text : {"name", "name=", "name=4", "name=-1", "=2"})
    EXPECT_NE(message_of<ConfigError>([&] { names.add(text); }).find("--label"), std::string::npos) << text;
}

}  // namespace
}  // namespace touchstone::formats::labeling
