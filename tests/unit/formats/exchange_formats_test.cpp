#include "collection/collection_counter.hpp"
#include "collection/collection_lines.hpp"
#include "collection/validation/id_table.hpp"
#include "common/error.hpp"
#include "formats/beir/beir_lines.hpp"
#include "formats/trec/qrels.hpp"
#include "formats/trec/topics.hpp"
#include "tests/support/error_message.hpp"
#include "tests/unit/collection/sample_collection.hpp"

#include <gtest/gtest.h>

namespace touchstone::formats {
namespace {

using testing::TemporaryFolder;
using testing::write_text;
using touchstone::testing::message_of;

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

TEST(TopicsTsv, ReadsIdAndText) {
  const auto topic = parse_topic("q1\tgreen teas of China");
  ASSERT_TRUE(topic);
  EXPECT_EQ(topic->id, "q1");
  EXPECT_EQ(topic->text, "green teas of China");
}

TEST(TopicsTsv, WritesTheTextAsOneLine) {
  EXPECT_EQ(topic_line("q1", "a\tb\r\nc\rd"), "q1\ta b  c d\n");
}

TEST(TopicsTsv, RefusesOtherNumbersOfColumnsEmptyTextsAndIdsWithSpaces) {
  EXPECT_NE(parse_topic("q1 text").error().find("has no tab"), std::string::npos);
  EXPECT_NE(parse_topic("q1\ta\tb").error().find("has more than 2 columns"), std::string::npos);
  EXPECT_NE(parse_topic("q1\t \xC2\xA0").error().find("has no text"), std::string::npos);
  EXPECT_NE(parse_topic("q 1\ta").error().find("holds white space"), std::string::npos);
  EXPECT_NE(parse_topic("\ta").error().find("is empty"), std::string::npos);
}

TEST(TopicsTsv, RefusesAnIdThatComesTwice) {
  const TemporaryFolder folder;
  write_text(folder / "t.tsv", "q1\ta\nq2\tb\nq1\tc\n");
  EXPECT_NE(message_of<FormatError>([&] {
              read_topics(folder / "t.tsv");
            }).find("t.tsv:3: has topic \"q1\" a second time after line 1"),
            std::string::npos);
}

TEST(BeirLines, ReadsDocumentsOfAnyMaker) {
  BeirLineReader reader;
  const auto full =
      reader.document(R"({"_id":"d1","title":"T","text":"x","metadata":{"url":"u"},"more":[1,{"a":null}]})");
  ASSERT_TRUE(full);
  EXPECT_EQ(full->id, "d1");
  EXPECT_EQ(full->title, "T");
  const auto short_one = reader.document(R"({"text":"x","_id":"d2"})");
  ASSERT_TRUE(short_one);
  EXPECT_EQ(short_one->title, "");
}

TEST(BeirLines, SaysWhatIsWrongWithALine) {
  BeirLineReader reader;
  EXPECT_NE(reader.document("{").error().find("is no JSON"), std::string::npos);
  EXPECT_NE(reader.document("[]").error().find("is no JSON object"), std::string::npos);
  EXPECT_NE(reader.document(R"({"_id":3,"text":"x"})").error().find("\"_id\" that is not a string"), std::string::npos);
  EXPECT_NE(reader.query(R"({"_id":"q"})").error().find("has no field \"text\""), std::string::npos);
  EXPECT_NE(reader.query("{\"_id\":\"\xFF\",\"text\":\"\"}").error().find("is no JSON"), std::string::npos);
  EXPECT_FALSE(reader.query(std::string(5000, '[')));
  EXPECT_FALSE(reader.query(""));
}

TEST(BeirLines, ReadsAndWritesQrelsWithThreeColumns) {
  const auto qrel = parse_beir_qrel("q1\td1\t1");
  ASSERT_TRUE(qrel);
  EXPECT_EQ(beir_qrel_line(*qrel), "q1\td1\t1\n");
  EXPECT_NE(parse_beir_qrel("q1 d1 1").error().find("has 1 columns"), std::string::npos);
  EXPECT_NE(parse_beir_qrel("q1\t0\td1\t1").error().find("has more than 3 columns"), std::string::npos);
  EXPECT_NE(parse_beir_qrel("q1\t\t1").error().find("empty id"), std::string::npos);
  EXPECT_NE(parse_beir_qrel("q1\td1\t0.5").error().find("no integer"), std::string::npos);
}

TEST(CollectionLines, AJudgmentReadsBackToTheSameBytes) {
  JudgmentRecord judgment = testing::sample_judgment("t", 7, "w-7-0");
  judgment.probability = 1.0 / 3;
  judgment.mentions = {{0, 2}, {5, 9}};
  judgment.reason = "\"quoted\"\n</b> é";
  const std::string line = internal::judgment_line(judgment);
  EXPECT_NE(line.find("\"probability\":0.333333,"), std::string::npos) << line;
  internal::CollectionLineReader reader;
  const auto back = reader.judgment(line.substr(0, line.size() - 1));
  ASSERT_TRUE(back) << back.error();
  EXPECT_EQ(internal::judgment_line(*back), line);
  EXPECT_EQ(back->mentions, judgment.mentions);
  EXPECT_EQ(back->reason, judgment.reason);
}

TEST(CollectionLines, AMissingNestedFieldIsNamedWithItsPath) {
  internal::CollectionLineReader reader;
  const auto passage = reader.passage(R"({"_id":"d","title":"t","text":"x","metadata":{"page_id":1}})");
  ASSERT_FALSE(passage);
  EXPECT_EQ(passage.error(), "has no field \"metadata.ordinal\"; add it");
}

TEST(CollectionLines, NumbersThatDoNotFitAreRefused) {
  internal::CollectionLineReader reader;
  EXPECT_FALSE(reader.passage(
      R"({"_id":"d","title":"t","text":"x","metadata":{"page_id":1,"ordinal":4294967296,"section":[]}})"));
  EXPECT_FALSE(
      reader.member(R"({"topic":"t","title":"m","page_id":-1,"qid":null,"aliases":[],"candidates":0,"evidence":0})"));
}

TEST(CollectionCounter, BucketsAreTensThenHundredsThenThousands) {
  using internal::member_bucket;
  using Range = std::pair<std::uint64_t, std::uint64_t>;
  EXPECT_EQ(member_bucket(0), Range(0, 0));
  EXPECT_EQ(member_bucket(1), Range(1, 10));
  EXPECT_EQ(member_bucket(10), Range(1, 10));
  EXPECT_EQ(member_bucket(11), Range(11, 20));
  EXPECT_EQ(member_bucket(100), Range(91, 100));
  EXPECT_EQ(member_bucket(101), Range(101, 200));
  EXPECT_EQ(member_bucket(1000), Range(901, 1000));
  EXPECT_EQ(member_bucket(1001), Range(1001, 2000));
}

TEST(IdTable, NumbersIdsInOrderAndFindsThemAgain) {
  internal::IdTable table;
  EXPECT_FALSE(table.find("a"));
  for (std::uint32_t i = 0; i < 5000; ++i) {
    EXPECT_EQ(table.insert("id-" + std::to_string(i)), std::pair(i, true));
  }
  for (std::uint32_t i = 0; i < 5000; ++i) {
    EXPECT_EQ(table.find("id-" + std::to_string(i)), i);
    EXPECT_EQ(table[i], "id-" + std::to_string(i));
  }
  EXPECT_EQ(table.insert("id-7"), std::pair(std::uint32_t{7}, false));
  EXPECT_FALSE(table.find("id"));
}

}  // namespace
}  // namespace touchstone::formats
