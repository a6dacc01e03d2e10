#include "extractors/sql/sql_dump.hpp"

#include "common/error.hpp"
#include "extractors/sql/wiki_tables.hpp"
#include "tests/support/memory_source.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::extractors::sql {
namespace {

const std::string kHead =
    "-- MySQL dump 10.19\n--\n-- Host: db1    Database: tinywiki\n\n/*!40101 SET NAMES utf8 */;\n"
    "DROP TABLE IF EXISTS `redirect`;\nCREATE TABLE `redirect` (\n  `rd_from` int(8) NOT NULL DEFAULT 0,\n"
    "  `rd_namespace` int(11) NOT NULL,\n  `rd_title` varbinary(255) DEFAULT ';',\n  PRIMARY KEY (`rd_from`),\n"
    "  KEY `rd_ns_title` (`rd_namespace`,`rd_title`)\n) ENGINE=InnoDB;\n";
const std::string kTail = "UNLOCK TABLES;\n-- Dump completed on 2026-01-01\n";

std::unique_ptr<testing::MemorySource> source(std::string bytes, std::vector<std::size_t> pieces = {}) {
  return std::make_unique<testing::MemorySource>(std::move(bytes), std::move(pieces), "redirect.sql");
}

/// All values of all rows, with "~" for NULL.
std::vector<std::vector<std::string>> rows_of(const std::string& bytes, std::vector<std::size_t> pieces = {}) {
  SqlDumpReader reader(source(bytes, std::move(pieces)));
  std::vector<std::vector<std::string>> rows;
  SqlRow row;
  while (reader.next(row)) {
    auto& values = rows.emplace_back();
    for (const auto& value : row) values.push_back(value.is_null ? "~" : std::string(value.text));
  }
  return rows;
}

std::string message_of(const std::string& bytes) {
  try {
    rows_of(bytes);
  } catch (const FormatError& error) {
    return error.what();
  }
  return "";
}

using Rows = std::vector<std::vector<std::string>>;

TEST(SqlDump, ReadsTheColumnsAndTheWikiFromTheHead) {
  SqlDumpReader reader(source(kHead + "INSERT INTO `redirect` VALUES (1,0,'A');\n" + kTail));
  EXPECT_EQ(reader.table().name, "redirect");
  EXPECT_EQ(reader.table().database, "tinywiki");
  EXPECT_EQ(reader.table().columns, (std::vector<std::string>{"rd_from", "rd_namespace", "rd_title"}));
  EXPECT_EQ(wiki_table_of(reader), WikiTable::kRedirect);
}

TEST(SqlDump, UndoesEscapesAndTellsNullFromItsName) {
  const auto rows = rows_of(kHead +
                            "INSERT INTO `redirect` VALUES (1,-2,'O\\'Neill \\\\ it''s'),\n(2,0,NULL) , (3,0,'NULL');\n"
                            "INSERT INTO `redirect` VALUES (4,1.5e3,'\\n\\t\\0\\Z'),(5,0x4A,_binary '),(');\n" +
                            kTail);
  EXPECT_EQ(rows, (Rows{{"1", "-2", "O'Neill \\ it's"},
                        {"2", "0", "~"},
                        {"3", "0", "NULL"},
                        {"4", "1.5e3", std::string("\n\t\0\x1A", 4)},
                        {"5", "0x4A", "),("}}));
}

TEST(SqlDump, RowsAreTheSameHoweverTheBytesCome) {
  const std::string bytes = kHead + "INSERT INTO `redirect` VALUES (1,0,'a\\'b'),(2,0,'c''d');" +
                            "INSERT INTO `redirect` VALUES (3,0,'" + std::string(300, 'x') + "');\n" + kTail;
  const auto whole = rows_of(bytes);
  ASSERT_EQ(whole.size(), 3U);
  for (std::size_t piece = 1; piece < 40; ++piece) EXPECT_EQ(rows_of(bytes, {piece}), whole) << piece;
}

TEST(SqlDump, ATableWithoutRowsIsComplete) {
  EXPECT_TRUE(rows_of(kHead + kTail).empty());
}

TEST(SqlDump, EveryPlaceAtWhichAFileIsCutIsNoticed) {
  const std::string bytes = kHead + "INSERT INTO `redirect` VALUES (1,0,'A'),(2,0,'B');\n" + kTail;
  const auto last_line = bytes.find("-- Dump completed");
  for (std::size_t size = 0; size < last_line; ++size) EXPECT_NE(message_of(bytes.substr(0, size)), "") << size;
  EXPECT_NE(message_of(bytes.substr(0, bytes.find(",(2"))).find("after 1 rows of redirect; the file is cut off"),
            std::string::npos);
}

TEST(SqlDump, ACutBetweenTwoStatementsIsNoticedWithoutComments) {
  const std::string create = "CREATE TABLE `redirect` (\n  `rd_from` int\n) ENGINE=InnoDB;\n";
  const std::string rows = "INSERT INTO `redirect` VALUES (1),(2);\n";
  const std::pair<std::string, std::string> brackets[] = {
      {"/*!40000 ALTER TABLE `redirect` DISABLE KEYS */;\n", "/*!40000 ALTER TABLE `redirect` ENABLE KEYS */;\n"},
      {"/*!40111 SET @OLD_SQL_NOTES=@@SQL_NOTES, SQL_NOTES=0 */;\n", "/*!40111 SET SQL_NOTES=@OLD_SQL_NOTES */;\n"},
      {"LOCK TABLES `redirect` WRITE;\n", "UNLOCK TABLES;\n"}};
  for (const auto& [opens, closes] : brackets) {
    EXPECT_EQ(rows_of(create + opens + rows + rows + closes).size(), 4U);
    EXPECT_NE(message_of(create + opens + rows).find("after 2 rows of redirect; the file is cut off"),
              std::string::npos)
        << message_of(create + opens + rows);
  }
  EXPECT_EQ(rows_of(create + rows).size(), 2U) << "nothing says where this was to end";
}

TEST(SqlDump, AByteOfValueZeroIsAHoleInTheFile) {
  const std::string rows = "INSERT INTO `redirect` VALUES (1,0,'A'),(2,0,'B'),(3,0,'C');\n";
  for (std::size_t place = 0; place < rows.size(); ++place) {
    auto damaged = rows;
    damaged[place] = '\0';
    const auto message = message_of(kHead + damaged + kTail);
    EXPECT_NE(message.find("byte " + std::to_string(kHead.size() + place) + ": a byte is zero"), std::string::npos)
        << message;
  }
}

TEST(SqlDump, AByteOrderMarkIsSkipped) {
  EXPECT_EQ(rows_of("\xEF\xBB\xBF" + kHead + "INSERT INTO `redirect` VALUES (1,0,'A');\n" + kTail).size(), 1U);
  EXPECT_NE(message_of(kHead + "\xEF\xBB\xBF" + kTail), "");
}

TEST(SqlDump, BytesThatAreNoDumpAreNamed) {
  EXPECT_NE(message_of("<mediawiki><page/></mediawiki>").find("redirect.sql: byte 0: this is no dump of SQL"),
            std::string::npos);
  EXPECT_NE(message_of("").find("no CREATE TABLE"), std::string::npos);
  EXPECT_NE(message_of("INSERT INTO `redirect` VALUES (1);").find("before CREATE TABLE"), std::string::npos);
}

TEST(SqlDump, RowsThatDoNotMatchTheColumnsAreRefused) {
  EXPECT_NE(message_of(kHead + "INSERT INTO `redirect` VALUES (1,0,'A'),(2,0);\n" + kTail)
                .find("row 2 does not match the 3 columns of redirect"),
            std::string::npos);
  EXPECT_NE(message_of(kHead + "INSERT INTO `redirect` VALUES (1,0,'A','B');\n" + kTail), "");
  EXPECT_NE(message_of(kHead + "INSERT INTO `redirect` VALUES (1,0,'A')(2,0,'B');\n" + kTail), "");
  EXPECT_NE(message_of(kHead + "INSERT INTO `page` VALUES (1,0,'A');\n" + kTail).find("adds rows to page"),
            std::string::npos);
  EXPECT_NE(message_of(kHead + kHead + kTail).find("a second table"), std::string::npos);
}

TEST(SqlDump, ARowLongerThanTheBoundEndsTheReading) {
  SqlDumpOptions options;
  options.read_bytes = 512;
  options.max_row_bytes = 2000;
  SqlDumpReader reader(
      source(kHead + "INSERT INTO `redirect` VALUES (1,0,'" + std::string(9000, 'x') + "');\n" + kTail), options);
  SqlRow row;
  EXPECT_THROW(reader.next(row), FormatError);
}

TEST(WikiTables, AnotherTableIsRefusedWithTheListOfThoseThatAreRead) {
  SqlDumpReader reader(source("CREATE TABLE `user` (\n  `user_id` int\n) ENGINE=InnoDB;\n"));
  try {
    wiki_table_of(reader);
    FAIL() << "no error";
  } catch (const FormatError& error) {
    EXPECT_NE(std::string(error.what()).find("holds the table user, which is not used; the tables that are: page"),
              std::string::npos);
  }
}

TEST(WikiTables, PagelinksGiveATitleOrANumber) {
  const auto read = [](const std::string& columns, const std::string& row) {
    SqlDumpReader reader(
        source("CREATE TABLE `pagelinks` (\n" + columns + ") E;\nINSERT INTO `pagelinks` VALUES " + row + ";\n"));
    EXPECT_EQ(wiki_table_of(reader), WikiTable::kPagelinks);
    SqlRow values;
    EXPECT_TRUE(reader.next(values));
    const auto link = PageLinkColumns(reader.table()).read(values, reader);
    return std::pair(std::string(link.title), link.target_number);
  };
  const std::string from = "  `pl_from` int,\n", title = "  `pl_namespace` int,\n  `pl_title` blob,\n";
  const std::string number = "  `pl_target_id` bigint\n";
  EXPECT_EQ(read(from + title, "(1,0,'A_b')"), (std::pair<std::string, std::uint64_t>("A_b", 0)));
  EXPECT_EQ(read(from + number, "(1,77)"), (std::pair<std::string, std::uint64_t>("", 77)));
  EXPECT_EQ(read(from + title + number, "(1,0,'A_b',NULL)"), (std::pair<std::string, std::uint64_t>("A_b", 0)));
  EXPECT_THROW(read(from + number, "(99999999999,1)"), FormatError);
}

TEST(WikiTables, ItemsAreNumbers) {
  EXPECT_EQ(item_number("Q42"), 42U);
  for (const auto* wrong : {"", "Q", "42", "Q0", "Q4x", "P31", "Q-1"}) EXPECT_FALSE(item_number(wrong)) << wrong;
}

}  // namespace
}  // namespace touchstone::extractors::sql
