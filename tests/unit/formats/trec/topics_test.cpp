#include "formats/trec/topics.hpp"

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

}  // namespace
}  // namespace touchstone::formats::trec
