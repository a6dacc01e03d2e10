#include "analysis/presentation/text_parts.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace touchstone::analysis::presentation::internal {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(NumberText, PeopleSeeFourDecimals) {
  EXPECT_EQ(short_number(0.12345), "0.1235");
  EXPECT_EQ(short_number(-0.0), "0.0000");
  EXPECT_EQ(short_number(kNan), "-");
}

TEST(NumberText, ProgramsSeeAllDigits) {
  EXPECT_EQ(full_number(0.1), "0.1");
  EXPECT_EQ(full_number(1.0 / 3), "0.3333333333333333");
  EXPECT_EQ(full_number(100000), "100000");
  EXPECT_EQ(full_number(-0.0), "0");
  EXPECT_EQ(full_number(kNan), "");
}

TEST(NumberText, JsonHasNullForWhatItCannotHold) {
  const auto json = json_document().begin_array().value(0.5).value(kNan).value(kInfinity).end_array().take_line();
  EXPECT_EQ(json, "[\n 0.5,\n null,\n null\n]\n");
}

}  // namespace
}  // namespace touchstone::analysis::presentation::internal
