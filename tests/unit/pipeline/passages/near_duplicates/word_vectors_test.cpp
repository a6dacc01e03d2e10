#include "pipeline/passages/near_duplicates/word_vectors.hpp"

#include "common/error.hpp"
#include "pipeline/passages/near_duplicates/word_bigrams.hpp"
#include "tests/support/temporary_folder.hpp"

#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::passages::near_duplicates {
namespace {

class WordVectorsTest : public ::testing::Test {
 protected:
  WordVectors read(std::string_view text, const WordVectorLimits& limits = {}) {
    std::ofstream(folder_ / "v.txt", std::ios::binary) << text;
    return WordVectors::read(folder_ / "v.txt", limits);
  }
  std::string failure(std::string_view text, const WordVectorLimits& limits = {}) {
    try {
      read(text, limits);
    } catch (const FormatError& error) {
      return error.what();
    }
    return "no failure";
  }
  static std::vector<float> find(const WordVectors& vectors, std::string_view word) {
    const auto found = vectors.find(WordHasher().words(word).at(0));
    return {found.begin(), found.end()};
  }

  const testing::TemporaryFolder folder_;
};

TEST_F(WordVectorsTest, ReadsWordsAndNumbers) {
  const auto vectors = read("the 0.5 -1e-1 3\nShrine 1 2 3 \r\n, 9 9 9\nshrine 4 5 6\n");
  EXPECT_EQ(vectors.dimensions(), 3U);
  EXPECT_EQ(vectors.size(), 2U);
  EXPECT_EQ(find(vectors, "the"), (std::vector<float>{0.5F, -0.1F, 3}));
  EXPECT_EQ(find(vectors, "SHRINE"), (std::vector<float>{1, 2, 3}));
  EXPECT_TRUE(find(vectors, "absent").empty());
}

TEST_F(WordVectorsTest, TheHeaderOfWord2vecIsSkipped) {
  const auto vectors = read("2 3\nthe 1 2 3\nof 4 5 6\n");
  EXPECT_EQ(vectors.dimensions(), 3U);
  EXPECT_EQ(vectors.size(), 2U);
}

TEST_F(WordVectorsTest, WordsWithBlanksArePassedOver) {
  EXPECT_EQ(read("the 1 2\nat name 3 4\n").size(), 1U);
}

TEST_F(WordVectorsTest, BadLinesAreNamed) {
  EXPECT_NE(failure("the 1 2\nof 1\n").find("v.txt line 2: fewer numbers than on the first line, which has 2"),
            std::string::npos);
  EXPECT_NE(failure("the 1 2\nof 1 x\n").find("line 2: \"x\" where number 2 of 2"), std::string::npos);
  EXPECT_NE(failure("the 1 nan\n").find("line 1: \"nan\""), std::string::npos);
  EXPECT_NE(failure("the 1 1e99\n").find("line 1: \"1e99\""), std::string::npos);
  EXPECT_NE(failure("the\n").find("line 1: a word without numbers"), std::string::npos);
  EXPECT_NE(failure("").find("no word with a vector"), std::string::npos);
  EXPECT_NE(failure("! 1 2\n").find("no word with a vector"), std::string::npos);
}

TEST_F(WordVectorsTest, LimitsHold) {
  EXPECT_NE(failure("the 1 2 3\n", {.max_dimensions = 2}).find("at most 2 dimensions"), std::string::npos);
  EXPECT_NE(failure("the 1 2\nof 1 2\n", {.max_bytes = 8}).find("line 2: the vectors need more than"),
            std::string::npos);
  EXPECT_NE(failure("the " + std::string(1 << 19, '1') + "\n"), "no failure");
}

TEST_F(WordVectorsTest, AMissingFileIsNamed) {
  EXPECT_THROW(WordVectors::read(folder_ / "absent"), StorageError);
}

}  // namespace
}  // namespace touchstone::pipeline::passages::near_duplicates
