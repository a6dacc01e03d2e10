#include "formats/fira/judgments.hpp"

#include "tests/support/error_message.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/text_file.hpp"

#include <gtest/gtest.h>

namespace touchstone::formats::fira {
namespace {

using touchstone::testing::message_of;
using touchstone::testing::TemporaryFolder;
using touchstone::testing::write_text;

constexpr const char* kHeader =
    "id\trelevanceLevel\trelevanceCharacterRanges\tdurationUsedToJudgeMs\tjudgedAtUnixTS\tdocumentId\tqueryId\tuserId"
    "\n";

TEST(FiraJudgments, ReadsLevelsAndRanges) {
  const TemporaryFolder folder;
  write_text(folder / "j", std::string(kHeader) + "1\t2_GOOD_ANSWER\t0-4;6-9\t10\t11\tD1_0\tq1\tu1\n" +
                               "2\t0_NOT_RELEVANT\t<no ranges selected>\t10\t11\tD1_1\tq1\tu1\n" +
                               "3\t-1_MISLEADING_ANSWER\t\t10\t11\tD1_1\tq1\tu2\n");
  const auto judgments = read_judgments(folder / "j", LinesOf::kJudges);
  ASSERT_EQ(judgments.size(), 3U);
  EXPECT_EQ(judgments[0].topic + judgments[0].docid, "q1D1_0");
  EXPECT_EQ(judgments[0].grade, 2);
  ASSERT_EQ(judgments[0].ranges.size(), 2U);
  EXPECT_EQ(judgments[0].ranges[1].first, 6U);
  EXPECT_EQ(judgments[0].ranges[1].last, 9U);
  EXPECT_FALSE(judgments[0].rotated.has_value());
  EXPECT_TRUE(judgments[1].ranges.empty());
  EXPECT_EQ(judgments[2].grade, -1);
}

TEST(FiraJudgments, ASystemNeedsNoLevel) {
  const TemporaryFolder folder;
  write_text(folder / "s", "queryId\tdocumentId\trelevanceCharacterRanges\nq1\tD1_0\t3-3\n");
  EXPECT_EQ(read_judgments(folder / "s", LinesOf::kSystems).size(), 1U);
  EXPECT_NE(message_of([&] {
              read_judgments(folder / "s", LinesOf::kJudges);
            }).find("s:1: the header has no column relevanceLevel"),
            std::string::npos);
}

TEST(FiraJudgments, SaysWhereAndWhyALineIsWrong) {
  const std::string header = "queryId\tdocumentId\trelevanceCharacterRanges\trelevanceLevel\trotate\n";
  const TemporaryFolder folder;
  const auto message = [&](const std::string& line) {
    write_text(folder / "j", header + line + "\n");
    return message_of([&] { read_judgments(folder / "j", LinesOf::kJudges); });
  };
  for (const auto& [line, part] : std::initializer_list<std::pair<const char*, const char*>>{
           {"q\td\t1-2\t2\ttrue\tmore", "j:2: there are 6 columns and the header has 5"},
           {"\td\t1-2\t2\ttrue", "is empty"},
           {"q\td\t1-2\tGOOD\ttrue", "relevanceLevel \"GOOD\""},
           {"q\td\t1-2\t2\tyes", "rotate is \"yes\""},
           {"q\td\t4-2\t2\ttrue", "the range \"4-2\""},
           {"q\td\t1-2;\t2\ttrue", "the range \"\""},
           {"q\td\t5-9;2-3\t2\ttrue", "begins before the end"},
           {"", "no line below a header"}})
    EXPECT_NE(message(line).find(part), std::string::npos) << line << ": " << message(line);
}

TEST(FiraTexts, KeepsTheFirstTextOfWhatIsWanted) {
  const TemporaryFolder folder;
  write_text(folder / "d", "doc_id\tdoc_text\nD1_0\ta b\nD1_1\tc\nD1_0\tother\n");
  const auto texts = read_texts(folder / "d", {"D1_0", "D9_0"});
  ASSERT_EQ(texts.size(), 1U);
  EXPECT_EQ(texts.at("D1_0"), "a b");
  write_text(folder / "d", "D1_0 a b\n");
  EXPECT_NE(message_of([&] { read_texts(folder / "d", {}); }).find("d:1: there is no tab"), std::string::npos);
}

}  // namespace
}  // namespace touchstone::formats::fira
