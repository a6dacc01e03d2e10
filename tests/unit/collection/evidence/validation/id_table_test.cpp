#include "collection/evidence/validation/id_table.hpp"

#include <gtest/gtest.h>

namespace touchstone::collection::evidence::validation {
namespace {

TEST(IdTable, NumbersIdsInOrderAndFindsThemAgain) {
  IdTable table;
  EXPECT_FALSE(table.find("a"));
  for (std::uint32_t i = 0; i < 5000; ++i) {
    EXPECT_EQ(table.insert("id-" + std::to_string(i)), std::pair(i, true));
  }
  for (std::uint32_t i = 0; i < 5000; ++i) {
    EXPECT_EQ(table.find("id-" + std::to_string(i)), i);
    EXPECT_EQ(table[i], "id-" + std::to_string(i));
  }
  EXPECT_EQ(table.insert("id-7"), std::pair(std::uint32_t{7}, false));
  EXPECT_FALSE(table.find("id"));
}

}  // namespace
}  // namespace touchstone::collection::evidence::validation
