#include "pipeline/answers/answer_file.hpp"

#include "common/error.hpp"
#include "tests/support/temporary_folder.hpp"

#include <fstream>
#include <string>

#include <gtest/gtest.h>

namespace touchstone::pipeline::answers {
namespace {

class AnswersInAFile : public ::testing::Test {
 protected:
  testing::TemporaryFolder folder;

  AnswerFile read(const std::string& text, bool lenient = false) {
    const auto path = folder.path() / "answers.jsonl";
    std::ofstream(path) << text;
    return read_answers(path, lenient);
  }
};

TEST_F(AnswersInAFile, AreSortedByTopicWithTheirLines) {
  const auto file =
      read("{\"topic\":\"b\",\"answer\":\"x\"}\n\n{\"topic\":\"a\",\"answer\":\"\",\"citations\":[\"d\"]}\r\n");
  ASSERT_EQ(file.answers.size(), 2U);
  EXPECT_EQ(file.answers[0].topic, "a");
  EXPECT_EQ(file.answers[0].line, 3U);
  EXPECT_EQ(file.answers[0].citations.at(0).docid, "d");
  EXPECT_FALSE(file.answers[0].citations.at(0).range);
  EXPECT_EQ(file.answers[1].text, "x");
}

TEST_F(AnswersInAFile, KeepTheirOffsetsWhenTheTextIsNormalised) {
  const auto file = read(
      "{\"topic\":\"a\",\"answer\":\"e\\u0301 e\\u0301f\",\"citations\":[{\"docid\":\"d\",\"begin\":3,\"end\":6}]}\n");
  EXPECT_EQ(file.answers.at(0).text, "\u00e9 \u00e9f");
  EXPECT_EQ(file.answers.at(0).citations.at(0).range, (std::pair<std::uint32_t, std::uint32_t>(2, 4)));
}

TEST_F(AnswersInAFile, AreRefusedWhenBadOrSkippedAndCounted) {
  const std::string good = "{\"topic\":\"a\",\"answer\":\"x\"}\n";
  for (const std::string bad : {"{", "{\"topic\":\"b\"}", "{\"topic\":\"a\",\"answer\":\"y\"}", "[1]",
                                "{\"topic\":\"b\",\"answer\":\"y\",\"citations\":[{}]}"}) {
    EXPECT_THROW(read(good + bad + "\n"), FormatError) << bad;
    const auto file = read(good + bad + "\n", true);
    EXPECT_EQ(file.skipped, 1U) << bad;
    EXPECT_EQ(file.answers.size(), 1U) << bad;
    EXPECT_EQ(file.answers.at(0).text, "x") << bad;
  }
  EXPECT_THROW(read("{\n", true), FormatError) << "no line is left";
}

}  // namespace
}  // namespace touchstone::pipeline::answers
