#include "analysis/agreement/coefficients.hpp"

#include "tests/unit/analysis/agreement/sample_ratings.hpp"
#include "tests/unit/analysis/shared_data.hpp"

#include <cmath>
#include <tuple>

#include <gtest/gtest.h>

namespace touchstone::analysis::agreement {
namespace {

using testing::ratings_of;

constexpr int kNone = Ratings::kMissing;

double over_all(const Ratings& ratings, AgreementStatistic statistic) {
  return statistic(ratings, all_items(ratings));
}

TEST(Cohen, IsTheTextbookValue) {
  // 20 yes-yes, 5 yes-no, 10 no-yes, 15 no-no: observed .7, expected .5.
  std::vector<std::vector<int>> rows;
  for (const auto& [a, b, times] : {std::tuple{1, 1, 20}, {1, 0, 5}, {0, 1, 10}, {0, 0, 15}})
    for (int i = 0; i < times; ++i) rows.push_back({a, b});
  EXPECT_NEAR(over_all(ratings_of(rows), cohen_kappa), 0.4, 1e-12);
  EXPECT_NEAR(over_all(ratings_of(rows), overlap), 0.7, 1e-12);
}

TEST(Cohen, ChanceAloneIsUndefined) {
  EXPECT_TRUE(std::isnan(over_all(ratings_of({{1, 1}, {1, 1}}), cohen_kappa)));
}

TEST(Fleiss, IsThePublishedExample) {
  // Fleiss 1971's worked table as it is usually given: 10 items, 14 assessors, 5 categories, kappa .210.
  const int counts[10][5] = {{0, 0, 0, 0, 14}, {0, 2, 6, 4, 2}, {0, 0, 3, 5, 6}, {0, 3, 9, 2, 0}, {2, 2, 8, 1, 1},
                             {7, 7, 0, 0, 0},  {3, 2, 6, 3, 0}, {2, 5, 3, 2, 2}, {6, 5, 2, 1, 0}, {0, 2, 2, 3, 7}};
  std::vector<std::vector<int>> rows;
  for (const auto& item : counts) {
    rows.emplace_back();
    for (int grade = 0; grade < 5; ++grade) rows.back().insert(rows.back().end(), item[grade], grade);
  }
  EXPECT_NEAR(over_all(ratings_of(rows), fleiss_kappa), 0.210, 5e-4);
}

TEST(Krippendorff, IsThePublishedExample) {
  // Krippendorff 2011, example C: 12 units, 4 observers, missing values; nominal .743, ordinal .815, interval .849.
  const auto ratings = ratings_of({{1, 1, kNone, 1},
                                   {2, 2, 3, 2},
                                   {3, 3, 3, 3},
                                   {3, 3, 3, 3},
                                   {2, 2, 2, 2},
                                   {1, 2, 3, 4},
                                   {4, 4, 4, 4},
                                   {1, 1, 2, 1},
                                   {2, 2, 2, 2},
                                   {kNone, 5, 5, 5},
                                   {kNone, kNone, 1, 1},
                                   {kNone, 3, kNone, kNone}});
  EXPECT_NEAR(over_all(ratings, krippendorff_nominal), .743, 5e-4);
  EXPECT_NEAR(over_all(ratings, krippendorff_ordinal), .815, 5e-4);
  EXPECT_NEAR(over_all(ratings, krippendorff_interval), .849, 5e-4);
}

TEST(Coefficients, PerfectAgreementIsOne) {
  const auto ratings = ratings_of({{0, 0, 0}, {1, 1, 1}, {3, 3, 3}});
  for (const auto statistic :
       {overlap, cohen_kappa, fleiss_kappa, krippendorff_nominal, krippendorff_ordinal, krippendorff_interval})
    EXPECT_DOUBLE_EQ(over_all(ratings, statistic), 1);
}

TEST(Coefficients, BootstrapIntervalsHoldTheValueAndRepeat) {
  std::vector<std::vector<int>> rows;
  for (int i = 0; i < 200; ++i) rows.push_back({i % 3, i % 7 == 0 ? (i + 1) % 3 : i % 3});
  const auto ratings = ratings_of(rows);
  const auto interval = bootstrap_interval(ratings, cohen_kappa, 500, 9);
  const double value = over_all(ratings, cohen_kappa);
  EXPECT_LT(interval.low, value);
  EXPECT_GT(interval.high, value);
  EXPECT_EQ(interval.low, bootstrap_interval(ratings, cohen_kappa, 500, 9).low);
}

TEST(Coefficients, MacroMeanLeavesOutTopicsWhereUndefined) {
  Ratings ratings = ratings_of({{0, 0}, {1, 0}, {0, 1}, {1, 1}, {1, 1}, {1, 1}});
  ratings.items[4].first = ratings.items[5].first = "u";  // kappa of two equal items is undefined
  EXPECT_DOUBLE_EQ(macro_mean(ratings, all_items(ratings), cohen_kappa), 0);
  EXPECT_DOUBLE_EQ(macro_mean(ratings, all_items(ratings), overlap), 0.75);
}

// "Variations in Relevance Judgments and the Shelf Life of Test Collections" (SIGIR 2025), its Table 4. Fleiss' kappa
// there counts the primary assessor twice; here are three raters (docs/reproductions.md).
TEST(PublishedNumbers, ReannotationOfDl19) {
  const auto folder = touchstone::testing::shared_data() / "qrels" / "sigir25-reannotation" / "main_qrels";
  TS_NEED_DATA(folder);
  struct {
    const char *first, *second;
    std::size_t items;
    double overlap4, overlap2, kappa4, kappa2;                          // three raters, pooled
    double macro_overlap4, macro_overlap2, macro_kappa4, macro_kappa2;  // the two, over topics, without 168216
    double fleiss4, fleiss2;                                            // three raters, over topics
  } const groups[] = {
      {"ferdinand-schlatt", "froebe", 1127, .1162, .4614, .1225, .3116, .415, .721, .188, .369, .0705, .3005},
      {"andrew-parry", "eugene-yang", 1111, .1746, .4797, .1723, .3126, .4735, .7364, .2152, .3807, .1558, .2937},
      {"guglielmo-faggioli", "harry-scells", 1131, .1052, .4492, .1163, .2770, .6281, .8851, .2707, .4682, .0286,
       .1739},
      {"saber-zerhoudi", "sean-macavaney", 1122, .1934, .4840, .1894, .2975, .4251, .7107, .1872, .3377, .1454, .2518}};
  for (const auto& g : groups) {
    const std::vector<std::filesystem::path> files = {
        touchstone::testing::shared_data() / "qrels" / "qrels.dl19-passage.txt",
        folder / (std::string(g.first) + "-qrels.txt"), folder / (std::string(g.second) + "-qrels.txt")};
    const auto three = complete_ratings(read_ratings(files));
    const auto three2 = binary_ratings(three, 2);
    EXPECT_EQ(three.items.size(), g.items);
    EXPECT_NEAR(over_all(three, overlap), g.overlap4, 5e-5);
    EXPECT_NEAR(over_all(three2, overlap), g.overlap2, 5e-5);
    EXPECT_NEAR(over_all(three, cohen_kappa), g.kappa4, 6e-5);
    EXPECT_NEAR(over_all(three2, cohen_kappa), g.kappa2, 6e-5);
    EXPECT_NEAR(macro_mean(three, all_items(three), fleiss_kappa), g.fleiss4, 5e-5);
    EXPECT_NEAR(macro_mean(three2, all_items(three2), fleiss_kappa), g.fleiss2, 5e-5);
    const auto two = complete_ratings(pair_of_assessors(three, 1, 2), std::vector<std::string>{"168216"});
    const auto two2 = binary_ratings(two, 2);
    EXPECT_NEAR(macro_mean(two, all_items(two), overlap), g.macro_overlap4, 5e-4);
    EXPECT_NEAR(macro_mean(two2, all_items(two2), overlap), g.macro_overlap2, 5e-4);
    EXPECT_NEAR(macro_mean(two, all_items(two), cohen_kappa), g.macro_kappa4, 5e-4);
    EXPECT_NEAR(macro_mean(two2, all_items(two2), cohen_kappa), g.macro_kappa2, 5e-4);
  }
}

}  // namespace
}  // namespace touchstone::analysis::agreement
