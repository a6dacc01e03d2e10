#include "linking/linker.hpp"

#include "tests/unit/linking/small_dictionary.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::linking {
namespace {

/// Pages 1 to 9 are about cars, 20 to 29 about animals.
class LinkerTest : public ::testing::Test {
 protected:
  SmallDictionary small;
  LinkerOptions options;

  void SetUp() override {
    const auto car = small.entity("Jaguar Cars", {1, 2, 3, 4, 5, 6}, 30055);
    const auto cat = small.entity("Jaguar", {20, 21, 22, 23});
    const auto engine = small.entity("Engine", {1, 2, 3, 4, 5});
    const auto jungle = small.entity("Jungle", {20, 21, 22});
    const auto york = small.entity("York", {40});
    const auto new_york = small.entity("New York", {1, 41});
    small.anchor("jaguar", {{car, 30}, {cat, 20}}, 50, 60);
    small.anchor("engine", {{engine, 20}}, 20, 40);
    small.anchor("jungle", {{jungle, 20}}, 20, 40);
    small.anchor("York", {{york, 9}}, 9, 10);
    small.anchor("New York", {{new_york, 9}}, 9, 10);
    small.anchor("the", {{york, 1}}, 1, 1000);
  }

  /// Titles with the text that names them.
  std::vector<std::string> linked(const std::vector<std::string>& texts) {
    const Dictionary dictionary(small.write("linked.dictionary"));
    std::filesystem::remove(small.path("linked.dictionary"));
    std::vector<std::string> found;
    for (const auto& link : Linker(dictionary, options).link(texts))
      found.push_back(texts[link.text].substr(link.begin, link.end - link.begin) + "=" +
                      std::string(dictionary.title(link.entity)));
    return found;
  }
};

using Found = std::vector<std::string>;

TEST_F(LinkerTest, TheWordsAroundDecideWhatAWordMeans) {
  EXPECT_EQ(linked({"The Jaguar has an engine."}), (Found{"Jaguar=Jaguar Cars", "engine=Engine"}));
  EXPECT_EQ(linked({"A jaguar in the jungle"}), (Found{"jaguar=Jaguar", "jungle=Jungle"}));
  EXPECT_EQ(linked({"A jaguar", "In another paragraph: the jungle."}), (Found{"jaguar=Jaguar", "jungle=Jungle"}));
}

TEST_F(LinkerTest, ThePriorAloneTakesTheMostCommonMeaning) {
  options.disambiguation = Disambiguation::kPrior;
  EXPECT_EQ(linked({"A jaguar in the jungle"}), (Found{"jaguar=Jaguar Cars", "jungle=Jungle"}));
}

TEST_F(LinkerTest, TheLongestPhraseIsTakenAndPartsOfWordsAreNot) {
  options.min_score = 0;
  EXPECT_EQ(linked({"New York, Yorkshire and York"}), (Found{"New York=New York", "York=York"}));
  EXPECT_EQ(linked({"Jean-York"}), Found{});
}

TEST_F(LinkerTest, WhatIsSeldomALinkOrDoesNotFitIsLeftOut) {
  EXPECT_EQ(linked({"the the the"}), Found{});
  options.min_score = 0.46;
  EXPECT_EQ(linked({"York in the jungle with an engine"}), Found{});
  options.min_score = 0.4;
  EXPECT_EQ(linked({"York in the jungle with an engine"}), Found{"York=York"});
}

TEST_F(LinkerTest, OffsetsCountCodePointsAndScoresAreShares) {
  const Dictionary dictionary(small.write());
  const auto found = Linker(dictionary, options).link({"\xC3\x89t\xC3\xA9: Jaguar engine"});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].begin, 5U);
  EXPECT_EQ(found[0].end, 11U);
  EXPECT_DOUBLE_EQ(found[0].commonness, 0.6);
  EXPECT_DOUBLE_EQ(found[0].link_probability, 50.0 / 60);
  EXPECT_DOUBLE_EQ(found[0].score, (found[0].link_probability + found[0].coherence) / 2);
  EXPECT_GT(found[0].coherence, 0.9);
  EXPECT_EQ(dictionary.qid(found[0].entity), 30055U);
}

TEST_F(LinkerTest, ATextOfAnyBytesIsRead) {
  EXPECT_EQ(linked({"", "\xFF\xFE", std::string(10'000, 'x')}), Found{});
}

}  // namespace
}  // namespace touchstone::linking
