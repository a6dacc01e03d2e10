#include "pipeline/survey/heading_census.hpp"

#include <gtest/gtest.h>

namespace touchstone::pipeline::survey {
namespace {

HeadingCensus census_of(const std::vector<std::pair<std::string, int>>& headings) {
  HeadingCensus census;
  for (const auto& [heading, times] : headings) {
    EXPECT_TRUE(census.knows(heading)) << heading;
    for (int i = 0; i < times; ++i) census.add(heading);
  }
  return census;
}

TEST(HeadingCensus, KnowsHeadingsOfSeveralLanguages) {
  const HeadingCensus census;
  EXPECT_TRUE(census.knows("See also"));
  EXPECT_TRUE(census.knows("関連項目"));
  EXPECT_FALSE(census.knows("Lighthouses of the outer islands"));
}

TEST(HeadingCensus, FindsAFurtherLanguage) {
  const auto census = census_of({{"See also", 100}, {"関連項目", 8}});
  const auto further = census.further("en", 200);
  ASSERT_EQ(further.size(), 1U);
  EXPECT_EQ(further[0].first, "ja");
  EXPECT_EQ(further[0].second, 8U);
  EXPECT_EQ(census.likely_language("en", 200), "");
}

TEST(HeadingCensus, LeavesOutAFewStrayHeadings) {
  EXPECT_TRUE(census_of({{"See also", 100}, {"関連項目", 4}}).further("en", 200).empty());
  EXPECT_TRUE(census_of({{"See also", 100}, {"関連項目", 8}}).further("en", 100'000).empty());
}

TEST(HeadingCensus, TellsAWrongLanguage) {
  const auto census = census_of({{"関連項目", 20}, {"See also", 1}});
  EXPECT_EQ(census.likely_language("en", 200), "ja");
  EXPECT_EQ(census.likely_language("ja", 200), "");
}

TEST(HeadingCensus, AFewHeadingsOfANeighbouringLanguageAreLoans) {
  const auto census = census_of({{"Ссылки", 8}, {"Примечания", 20}});
  EXPECT_EQ(census.likely_language("uk", 5000), "");
  EXPECT_EQ(census.likely_language("uk", 100), "ru");
}

TEST(HeadingCensus, TheLanguageOfAWikiWhoseHeadingsAreNotKnownStays) {
  const auto census = census_of({{"Ссылки", 80}, {"Примечания", 200}});
  EXPECT_EQ(census.likely_language("kv", 100), "") << "Komi wikis borrow Russian headings";
}

}  // namespace
}  // namespace touchstone::pipeline::survey
