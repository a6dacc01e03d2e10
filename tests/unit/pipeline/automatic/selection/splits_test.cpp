#include "pipeline/automatic/selection/splits.hpp"

#include "common/files.hpp"
#include "tests/unit/analysis/shared_data.hpp"

#include <array>
#include <set>
#include <string>

#include <gtest/gtest.h>

namespace touchstone::pipeline::automatic::selection {
namespace {

// The expected values were computed by an independent Python program from the definition in splits.hpp.
TEST(Splits, TheHashOfTrecCarIsPinned) {
  EXPECT_EQ(car_title_hash("Aftertaste"), -5937022779725305721);
  EXPECT_EQ(car_title_hash("Canada–United States border"), -2472914276917576320);
  EXPECT_EQ(car_title_hash("Pokémon Puzzle League"), 7969763000350770070);
  EXPECT_EQ(car_title_hash("𐍅aurd 𐍈"), 4388632807056710658);
  EXPECT_EQ(car_title_hash("Straße"), 3958685804166280450);
  EXPECT_EQ(car_title_hash("歴史"), 7249513525461062399);
  EXPECT_EQ(car_title_hash("A"), 839657738087498317);
  EXPECT_EQ(car_title_hash("Aftertaste", 17), 723097623852527104);
}

TEST(Splits, TheSaltedHashIsPinned) {
  EXPECT_EQ(salted_title_hash("Aftertaste", "2026"), 6089668547769159665U);
  EXPECT_EQ(salted_title_hash("歴史", "2026"), 5250322272940576386U);
  EXPECT_EQ(salted_title_hash("Aftertaste", ""), 1516380101824496080U);
  EXPECT_EQ(split_of("Aftertaste", {"2026", 5}), (TitleSplit{true, 2}));
}

TEST(Splits, TitlesOfBenchmarkY1testAreTestPages) {
  for (const auto* title : {"Aftertaste", "Air ioniser", "Anti-Slavery International", "Antibiotics",
                            "Beach nourishment", "Catch and release", "Child labour", "Chili pepper"})
    EXPECT_TRUE(split_of(title, {}).test) << title;
}

/// The title of a topic id of TREC CAR v1.5: the part in front of the first slash, without percent signs.
std::string title_of_topic(std::string_view id) {
  std::string title;
  for (std::size_t i = 0; i < id.size() && id[i] != '/' && id[i] != ' '; ++i) {
    if (id[i] != '%') {
      title += id[i];
      continue;
    }
    title += static_cast<char>(std::stoi(std::string(id.substr(i + 1, 2)), nullptr, 16));
    i += 2;
  }
  return title;
}

TEST(Splits, AllTitlesOfThePublishedBenchmarkAreTestPages) {
  const auto qrels = touchstone::testing::shared_data() / "car" / "qrels.car17v1.5.benchmarkY1test.txt";
  TS_NEED_DATA(qrels);
  std::set<std::string> titles;
  for_each_line(qrels, [&](std::string_view line, std::uint64_t) {
    titles.insert(title_of_topic(line));
    return true;
  });
  EXPECT_EQ(titles.size(), 133U);
  for (const auto& title : titles) EXPECT_TRUE(split_of(title, {}).test) << title;
}

TEST(Splits, TitlesOfTest200AreTrainingPagesOfFold0) {
  for (const auto* title : {"Saponin", "Fin Fang Foom", "St. Xavier's Institution", "P-500 Bazalt", "SG-1000",
                            "Pokémon Puzzle League", "Canada–United States border", "Château Mouton Rothschild"})
    EXPECT_EQ(split_of(title, {}), (TitleSplit{false, 0})) << title;
}

TEST(Splits, TheFirstLettersCaseDoesNotMatterForTrecCarsHash) {
  EXPECT_EQ(car_title_hash("saponin"), car_title_hash("Saponin"));
  EXPECT_NE(car_title_hash("SaPonin"), car_title_hash("Saponin"));
  EXPECT_EQ(car_title_hash("", 7), 7);
}

TEST(Splits, RemaindersOfNegativeNumbersAreNotNegative) {
  EXPECT_EQ(floor_remainder(-1, 10), 9U);
  EXPECT_EQ(floor_remainder(-10, 10), 0U);
  EXPECT_EQ(floor_remainder(-11, 10), 9U);
  EXPECT_EQ(floor_remainder(INT64_MIN, 10), 2U);
  EXPECT_EQ(floor_remainder(INT64_MAX, 10), 7U);
  EXPECT_EQ(floor_remainder(13, 10), 3U);
}

TEST(Splits, EveryPartGetsItsShareOfTitles) {
  for (const auto* salt : {"", "2026"}) {
    const SplitScheme scheme{salt, 5};
    std::array<int, 5> folds{};
    int tests = 0;
    for (int i = 0; i < 10'000; ++i) {
      const auto split = split_of("Title number " + std::to_string(i), scheme);
      ++folds.at(split.fold);
      tests += split.test ? 1 : 0;
    }
    EXPECT_NEAR(tests, 5000, 300) << salt;
    for (const int count : folds) EXPECT_NEAR(count, 2000, 300) << salt;
  }
}

TEST(Splits, OtherSaltsGiveIndependentParts) {
  int same = 0;
  for (int i = 0; i < 2'000; ++i) {
    const auto title = "Title number " + std::to_string(i);
    same += split_of(title, {"a", 5}).test == split_of(title, {"b", 5}).test ? 1 : 0;
  }
  EXPECT_NEAR(same, 1000, 150);
}

TEST(Splits, OneFoldHoldsEverything) {
  EXPECT_EQ(split_of("Saponin", {"", 1}).fold, 0U);
  EXPECT_EQ(split_of("Saponin", {"x", 1}).fold, 0U);
}

}  // namespace
}  // namespace touchstone::pipeline::automatic::selection
