#include "formats/trec/qrels.hpp"

#include "common/error.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/text_file.hpp"

#include <gtest/gtest.h>

namespace touchstone::formats::trec {
namespace {

using touchstone::testing::message_of;
using touchstone::testing::TemporaryFolder;
using touchstone::testing::write_text;

TEST(TrecQrels, ReadsLinesWithAnySpacesAndTabs) {
  const auto qrel = parse_qrel("  q1\t0  d-1 \t -2 ");
  ASSERT_TRUE(qrel);
  EXPECT_EQ(qrel->topic, "q1");
  EXPECT_EQ(qrel->docid, "d-1");
  EXPECT_EQ(qrel->grade, -2);
  EXPECT_EQ(qrel_line(*qrel), "q1 0 d-1 -2\n");
}

TEST(TrecQrels, RefusesOtherNumbersOfFields) {
  EXPECT_NE(parse_qrel("q1 0 d1").error().find("has 3 fields"), std::string::npos);
  EXPECT_NE(parse_qrel("q1 0 d1 1 x").error().find("has more than 4 fields"), std::string::npos);
  EXPECT_NE(parse_qrel("").error().find("has 0 fields"), std::string::npos);
}

TEST(TrecQrels, RefusesGradesThatAreNoIntegersInRange) {
  for (const char* grade : {"x", "1.0", "+1", "128", "-128", "99999999999999999999", "1x", "0x1"}) {
    EXPECT_FALSE(parse_qrel(std::string("q 0 d ") + grade)) << grade;
  }
  EXPECT_EQ(parse_qrel("q 0 d -127")->grade, -127);
  EXPECT_EQ(parse_qrel("q 0 d 127")->grade, 127);
}

TEST(TrecQrels, ReadsAFileWithCrLfAndBlankLines) {
  const TemporaryFolder folder;
  write_text(folder / "q.txt", "q1 0 d1 1\r\n\r\nq1 0 d2 0");
  const auto qrels = read_qrels(folder / "q.txt");
  ASSERT_EQ(qrels.size(), 2U);
  EXPECT_EQ(qrels[1].docid, "d2");
}

TEST(TrecQrels, NamesFileAndLineOfTheFirstBadLine) {
  const TemporaryFolder folder;
  write_text(folder / "q.txt", "q1 0 d1 1\nq1 0 d2\n");
  const std::string message = message_of<FormatError>([&] { read_qrels(folder / "q.txt"); });
  EXPECT_NE(message.find("q.txt:2: has 3 fields"), std::string::npos) << message;
}

TEST(TrecQrels, RefusesAPairThatIsJudgedTwice) {
  const TemporaryFolder folder;
  write_text(folder / "q.txt", "q1 0 d1 1\nq2 0 d1 1\nq1 0 d1 0\n");
  const std::string message = message_of<FormatError>([&] { read_qrels(folder / "q.txt"); });
  EXPECT_NE(message.find("q.txt:3: judges docid \"d1\" of topic \"q1\" a second time after line 1"), std::string::npos)
      << message;
}

TEST(TrecQrels, RefusesAByteOrderMark) {
  const TemporaryFolder folder;
  write_text(folder / "q.txt", "\xEF\xBB\xBFq1 0 d1 1\n");
  EXPECT_NE(message_of<FormatError>([&] { read_qrels(folder / "q.txt"); }).find("byte-order mark"), std::string::npos);
}

TEST(TrecQrels, RefusesALineWithoutEnd) {
  const TemporaryFolder folder;
  write_text(folder / "q.txt", std::string(std::size_t{3} << 20, 'x'));
  EXPECT_NE(message_of<FormatError>([&] { read_qrels(folder / "q.txt"); }).find("is longer than"), std::string::npos);
}

TEST(TrecQrels, AMissingFileIsAStorageError) {
  const TemporaryFolder folder;
  EXPECT_THROW(read_qrels(folder / "none.txt"), StorageError);
}

}  // namespace
}  // namespace touchstone::formats::trec
