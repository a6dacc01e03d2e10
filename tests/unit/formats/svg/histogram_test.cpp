#include "formats/svg/histogram.hpp"

#include <gtest/gtest.h>

namespace touchstone::formats::svg {
namespace {

TEST(SvgHistogram, BinWidthsAreRoundNumbers) {
  EXPECT_EQ(bin_width(0, 10), 1U);
  EXPECT_EQ(bin_width(10, 10), 1U);
  EXPECT_EQ(bin_width(11, 10), 2U);
  EXPECT_EQ(bin_width(1000, 25), 50U);
}

}  // namespace
}  // namespace touchstone::formats::svg
