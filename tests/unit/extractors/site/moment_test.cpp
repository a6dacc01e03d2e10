#include "extractors/site/moment.hpp"

#include <gtest/gtest.h>

namespace touchstone::extractors::site {
namespace {

TEST(Moment, TheDateOfADumpStandsInItsName) {
  EXPECT_EQ(moment_of_dump("/a-20200101/xywiki-20260531-pages-meta-current.xml.bz2"), read_fixed_moment("2026-05-31"));
  EXPECT_EQ(moment_of_dump("xywiki-latest-pages-articles.xml.bz2"), std::nullopt);
  EXPECT_EQ(moment_of_dump("xywiki-20261331-pages.xml"), std::nullopt);
  EXPECT_EQ(read_fixed_moment("tomorrow"), std::nullopt);
}

}  // namespace
}  // namespace touchstone::extractors::site
