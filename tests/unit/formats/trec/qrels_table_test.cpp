#include "formats/trec/qrels_table.hpp"

#include "common/digest.hpp"
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

TEST(QrelsTable, LooksGradesUpAndCountsThem) {
  const TemporaryFolder folder;
  write_text(folder / "q", "# comment\n2 0 a 1\n10 0 b 3\r\n2 0 c 0\n2 0 d -1\n2 0 e 1\n");
  const QrelsTable qrels(folder / "q");
  ASSERT_EQ(qrels.topic_count(), 2U);
  EXPECT_EQ(qrels.topic(0), "10");
  EXPECT_EQ(qrels.find_topic("2"), 1U);
  EXPECT_EQ(qrels.find_topic("3"), std::nullopt);
  const auto grade = [&](std::string_view docid) {
    const auto at = qrels.find(1, docid, xxh3_64(docid));
    return at == QrelsTable::kNone ? -99 : qrels.judgments(1)[at].grade;
  };
  EXPECT_EQ(grade("a"), 1);
  EXPECT_EQ(grade("c"), 0);
  EXPECT_EQ(grade("d"), -1);
  EXPECT_EQ(grade("b"), -99);
  const auto counts = qrels.grade_counts(1);
  EXPECT_EQ(std::vector<std::uint32_t>(counts.begin(), counts.end()), (std::vector<std::uint32_t>{1, 2}));
}

TEST(QrelsTable, ReadsFacetsOnlyWhenAsked) {
  const TemporaryFolder folder;
  write_text(folder / "q", "1 x a 1\n1 y a 2\n1 y b 0\n");
  EXPECT_NE(message_of([&] { QrelsTable qrels(folder / "q"); }).find("a second time after line 1"), std::string::npos);
  const QrelsTable qrels(folder / "q", {true, false});
  EXPECT_EQ(qrels.facet_count(0), 2U);
  ASSERT_EQ(qrels.facet_grades(0).size(), 3U);
  EXPECT_EQ(qrels.facet_grades(0)[1].facet, 1U);
  EXPECT_EQ(qrels.facet_grades(0)[1].grade, 2);
  EXPECT_EQ(qrels.judgments(0)[0].grade, 2);
  write_text(folder / "twice", "1 x a 1\n1 y a 2\n1 x a 0\n");
  EXPECT_NE(message_of([&] {
              QrelsTable twice(folder / "twice", {true, false});
            }).find("twice:3: judges docid \"a\""),
            std::string::npos);
}

TEST(QrelsTable, AnyWhiteSpacePartsFields) {
  const TemporaryFolder folder;
  write_text(folder / "parted", "1\v0\fa 1\n");
  EXPECT_EQ(QrelsTable(folder / "parted").judgments(0)[0].docid, "a");
  write_text(folder / "within", "1 0 a\vb 1\n");
  EXPECT_NE(message_of([&] { QrelsTable q(folder / "within"); }).find("within:1: has more than 4 fields"),
            std::string::npos);
}

TEST(QrelsTable, SaysWhatIsWrongWithFileAndLine) {
  const TemporaryFolder folder;
  write_text(folder / "few", "1 0 a 1\n1 0 b\n");
  write_text(folder / "grade", "1 0 a 1.5\n");
  write_text(folder / "none", "\n");
  EXPECT_NE(message_of([&] { QrelsTable q(folder / "few"); }).find("few:2: has 3 fields instead of the 4"),
            std::string::npos);
  EXPECT_NE(message_of([&] { QrelsTable q(folder / "grade"); }).find("grade:1: has the grade \"1.5\""),
            std::string::npos);
  EXPECT_NE(message_of([&] { QrelsTable q(folder / "none"); }).find("holds no judgment"), std::string::npos);
}

}  // namespace
}  // namespace touchstone::formats::trec
