#include "formats/beir/beir_lines.hpp"

#include <gtest/gtest.h>

namespace touchstone::formats::beir {
namespace {

TEST(BeirLines, ReadsDocumentsOfAnyMaker) {
  LineReader reader;
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
  LineReader reader;
  EXPECT_NE(reader.document("{").error().find("is no JSON"), std::string::npos);
  EXPECT_NE(reader.document("[]").error().find("is no JSON object"), std::string::npos);
  EXPECT_NE(reader.document(R"({"_id":3,"text":"x"})").error().find("\"_id\" that is not a string"), std::string::npos);
  EXPECT_NE(reader.query(R"({"_id":"q"})").error().find("has no field \"text\""), std::string::npos);
  EXPECT_NE(reader.query("{\"_id\":\"\xFF\",\"text\":\"\"}").error().find("is no JSON"), std::string::npos);
  EXPECT_FALSE(reader.query(std::string(5000, '[')));
  EXPECT_FALSE(reader.query(""));
}

TEST(BeirLines, ReadsAndWritesQrelsWithThreeColumns) {
  const auto qrel = parse_qrel("q1\td1\t1");
  ASSERT_TRUE(qrel);
  EXPECT_EQ(beir::qrel_line(*qrel), "q1\td1\t1\n");
  EXPECT_NE(parse_qrel("q1 d1 1").error().find("has 1 columns"), std::string::npos);
  EXPECT_NE(parse_qrel("q1\t0\td1\t1").error().find("has more than 3 columns"), std::string::npos);
  EXPECT_NE(parse_qrel("q1\t\t1").error().find("empty id"), std::string::npos);
  EXPECT_NE(parse_qrel("q1\td1\t0.5").error().find("no integer"), std::string::npos);
}

}  // namespace
}  // namespace touchstone::formats::beir
