#include "common/number_text.hpp"

#include <gtest/gtest.h>

namespace touchstone {
namespace {

TEST(NumberText, FixedDigitsKeepTheirZeros) {
  EXPECT_EQ(fixed_digits(1.5, 2), "1.50");
  EXPECT_EQ(fixed_digits(2, 0), "2");
  EXPECT_EQ(fixed_digits(0.125, 2), "0.12");  // exactly between the two: to the even digit
}

TEST(NumberText, AtMostDigitsDropsZerosButOne) {
  EXPECT_EQ(at_most_digits(0.5, 6), "0.5");
  EXPECT_EQ(at_most_digits(1, 6), "1.0");
  EXPECT_EQ(at_most_digits(0, 6), "0.0");
  EXPECT_EQ(at_most_digits(-0.0, 6), "0.0");
  EXPECT_EQ(at_most_digits(2.0 / 3, 4), "0.6667");
  EXPECT_EQ(at_most_digits(1e-9, 6), "0.0");
}

TEST(NumberText, ShortestDigitsUseTheShorterNotation) {
  EXPECT_EQ(shortest_digits(100000), "1e+05");
  EXPECT_EQ(shortest_digits(12345), "12345");
  EXPECT_EQ(shortest_digits(0.0001), "1e-04");
  EXPECT_EQ(shortest_digits(0.1), "0.1");
}

TEST(NumberText, RoundingGivesANumberThatPrintsShort) {
  EXPECT_EQ(round_to(2.0 / 3, 4), 0.6667);
  EXPECT_EQ(round_to(-0.5, 0), -1);
}

TEST(NumberText, PercentHasOneDigit) {
  EXPECT_EQ(percent(0.3333), "33.3 %");
}

TEST(NumberText, CommasPartThousands) {
  EXPECT_EQ(with_commas(1234567), "1,234,567");
  EXPECT_EQ(with_commas(999), "999");
}

}  // namespace
}  // namespace touchstone
