#include "analysis/presentation/text_parts.hpp"

#include <gtest/gtest.h>

namespace touchstone::analysis::presentation::internal {
namespace {

TextTable sample() {
  TextTable table;
  table.row({"name", "value", ""});
  table.row({"a", "10", "note"});
  table.row({"longer"});
  return table;
}

TEST(TextTable, ColumnsAreAsWideAsTheirLongestCellAndLinesEndWithoutBlanks) {
  EXPECT_EQ(sample().aligned(), "name    value\na          10  note\nlonger\n");
}

TEST(TextTable, TheFirstColumnsAreAlignedToTheLeft) {
  EXPECT_EQ(sample().aligned(2), "name    value\na       10     note\nlonger\n");
  EXPECT_EQ(sample().aligned(0), "  name  value\n     a     10  note\nlonger\n");
}

TEST(TextTable, TabsSeparateCells) {
  EXPECT_EQ(sample().tab_separated(), "name\tvalue\t\na\t10\tnote\nlonger\n");
}

}  // namespace
}  // namespace touchstone::analysis::presentation::internal
