#include "pipeline/corpus/redirect_map.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::corpus {
namespace {

TEST(RedirectMap, AChainEndsAtItsLastPage) {
  RedirectMap map;
  map.add(PageId{1}, PageId{2}, false);
  map.add(PageId{2}, PageId{3}, true);
  ASSERT_TRUE(map.follow(PageId{1}));
  EXPECT_EQ(map.follow(PageId{1})->page, PageId{3});
  EXPECT_TRUE(map.follow(PageId{1})->to_section);
  EXPECT_EQ(map.follow(PageId{9})->page, PageId{9});
  EXPECT_FALSE(map.follow(PageId{9})->to_section);
}

TEST(RedirectMap, CirclesAndChainsThatAreTooLongEndNowhere) {
  RedirectMap map;
  map.add(PageId{1}, PageId{2}, false);
  map.add(PageId{2}, PageId{1}, false);
  for (std::uint32_t i = 0; i <= kMaxRedirectHops; ++i) map.add(PageId{10 + i}, PageId{11 + i}, false);
  EXPECT_FALSE(map.follow(PageId{1}));
  EXPECT_FALSE(map.follow(PageId{10}));
  EXPECT_TRUE(map.follow(PageId{11}));
  EXPECT_EQ(map.circles(), (std::vector<PageId>{PageId{1}, PageId{2}, PageId{10}}));
}

TEST(RedirectMap, AliasesAreSortedByPageAndRedirect) {
  RedirectMap map;
  map.add(PageId{8}, PageId{1}, false);
  map.add(PageId{5}, PageId{4}, true);
  map.add(PageId{6}, PageId{1}, true);
  const auto aliases = map.aliases();
  ASSERT_EQ(aliases.size(), 2U);
  EXPECT_EQ(aliases[0].first, PageId{1});
  ASSERT_EQ(aliases[0].second.aliases.size(), 2U);
  EXPECT_EQ(aliases[0].second.aliases[0].page, PageId{6});
  EXPECT_TRUE(aliases[0].second.aliases[0].to_section);
  EXPECT_EQ(aliases[1].first, PageId{4});
}

}  // namespace
}  // namespace touchstone::pipeline::corpus
