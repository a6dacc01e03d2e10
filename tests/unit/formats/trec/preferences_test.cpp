#include "formats/trec/preferences.hpp"

#include "common/error.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/text_file.hpp"

#include <string>

#include <gtest/gtest.h>

namespace touchstone::formats::trec {
namespace {

using touchstone::testing::message_of;
using touchstone::testing::TemporaryFolder;
using touchstone::testing::write_text;

/// The message about a file with this text.
std::string why(const std::string& text, PreferenceForm form = PreferenceForm::kPreferences) {
  const TemporaryFolder folder;
  write_text(folder / "p", text);
  return message_of([&] { PreferenceTable table(folder / "p", form); });
}

TEST(ParsePreference, ReadsFiveFieldsPartedByWhiteSpace) {
  const auto line = parse_preference("  t1\tuser1  part1 d1   2.5 \r", PreferenceForm::kPreferences);
  ASSERT_TRUE(line);
  EXPECT_EQ(line->topic, "t1");
  EXPECT_EQ(line->group, "user1");
  EXPECT_EQ(line->subgroup, "part1");
  EXPECT_EQ(line->docid, "d1");
  EXPECT_EQ(line->level, 2.5);
}

TEST(ParsePreference, ReadsQrelsAsOneSubgroupForEachGroup) {
  const auto line = parse_preference("t1 user1 d1 2", PreferenceForm::kQrels);
  ASSERT_TRUE(line);
  EXPECT_EQ(line->group, "user1");
  EXPECT_EQ(line->subgroup, "0");
  EXPECT_EQ(line->docid, "d1");
}

TEST(ParsePreference, RefusesLevelsThatAreNotNumbersOfAtLeastZero) {
  for (const std::string level : {"x", "-1", "nan", "inf", "1e999", "1,5", "2x", "0x10"}) {
    const auto line = parse_preference("t g s d " + level, PreferenceForm::kPreferences);
    ASSERT_FALSE(line) << level;
    EXPECT_EQ(line.error(), LineFault::kNumber) << level;
  }
  for (const std::string text : {"", "t", "t g s d", "t g s d 1 2"})
    EXPECT_EQ(parse_preference(text, PreferenceForm::kPreferences).error(), LineFault::kFields) << text;
}

TEST(PreferenceTable, GroupsLinesInAnyOrder) {
  const TemporaryFolder folder;
  write_text(folder / "p", "# comment\n2 b 0 d3 1\n10 a 0 d1 1\n\n2 a 1 d2 4\n2 a 0 d3 1\n2 a 1 d3 0.5\n");
  const PreferenceTable table(folder / "p", PreferenceForm::kPreferences);
  ASSERT_EQ(table.topics().size(), 2U);
  EXPECT_EQ(table.topics()[0].id, "10");
  EXPECT_EQ(table.find_topic("2"), 1U);
  EXPECT_EQ(table.find_topic("3"), std::nullopt);
  const auto& topic = table.topics()[1];
  EXPECT_EQ(topic.docids, (std::vector<std::string_view>{"d2", "d3"}));
  ASSERT_EQ(topic.groups.size(), 2U);
  EXPECT_EQ(topic.groups[0].id, "a");
  ASSERT_EQ(topic.groups[0].subgroups.size(), 2U);
  EXPECT_EQ(topic.groups[0].subgroups[0].size(), 1U);
  ASSERT_EQ(topic.groups[0].subgroups[1].size(), 2U);
  EXPECT_EQ(topic.groups[0].subgroups[1][0].docid, 0U);
  EXPECT_EQ(topic.groups[0].subgroups[1][0].level, 4);
  EXPECT_EQ(topic.groups[0].subgroups[1][1].level, 0.5);
  EXPECT_EQ(topic.groups[1].id, "b");
}

TEST(PreferenceTable, SaysWhatIsWrongWithFileAndLine) {
  EXPECT_NE(
      why("t g s d 1\nt g s e\n").find("p:2: has 4 fields instead of the 5 of \"topic group subgroup docid level\""),
      std::string::npos);
  EXPECT_NE(why("t g s d 1\n", PreferenceForm::kQrels)
                .find("p:1: has 5 fields instead of the 4 of \"topic group docid level\""),
            std::string::npos);
  EXPECT_NE(why("t g s d -1\n").find("p:1: has the level \"-1\", which is not a number of at least 0"),
            std::string::npos);
  EXPECT_NE(why("t g d -1\n", PreferenceForm::kQrels).find("has the level \"-1\""), std::string::npos);
  EXPECT_NE(why("t g s d 1\nt h s d 1\nt g s d 2\n")
                .find("p:3: judges docid \"d\" of topic \"t\" a second time in the same group after line 1"),
            std::string::npos);
  EXPECT_NE(why("\n# only a comment\n").find("holds no preference; lines are \"topic group"), std::string::npos);
}

TEST(PreferenceTable, TheFirstBadLineOfTheFileIsReported) {
  EXPECT_NE(why("t g s d 1\nt g s d 2\nt g s e x\n").find("p:2: judges"), std::string::npos);
  EXPECT_NE(why("t g s e x\nt g s d 1\nt g s d 2\n").find("p:1: has the level"), std::string::npos);
}

TEST(PreferenceTable, LenientSkipsAndCounts) {
  const TemporaryFolder folder;
  write_text(folder / "p", "t g s d 1\nt g s\nt g s e x\nt g s d 2\nt g s d 3\n");
  const PreferenceTable table(folder / "p", PreferenceForm::kPreferences, true);
  EXPECT_EQ(table.topics()[0].groups[0].subgroups[0][0].level, 1);
  EXPECT_EQ(table.faults().count, (std::array<std::uint64_t, kLineFaults>{1, 1, 2}));
}

TEST(PreferenceTable, RefusesATopicWithMoreDocidsThanCanBeCompared) {
  std::string text;
  for (std::size_t i = 0; i <= PreferenceTable::kMaxDocids; ++i) text += "t g d" + std::to_string(i) + " 1\n";
  EXPECT_NE(why(text, PreferenceForm::kQrels).find("topic \"t\" has 20001 docids"), std::string::npos);
}

}  // namespace
}  // namespace touchstone::formats::trec
