#include "pipeline/automatic/table_rows.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::automatic::internal {
namespace {

using storage::CellRecord;
using storage::TableRecord;

CellRecord cell(std::string text) {
  CellRecord cell;
  cell.text = std::move(text);
  return cell;
}

CellRecord heading(std::string text) {
  CellRecord heading = cell(std::move(text));
  heading.header = true;
  return heading;
}

std::vector<std::string> texts(const TableRecord& table) {
  std::vector<std::string> texts;
  for (const auto& row : rows_of(table)) texts.push_back(row.text);
  return texts;
}

TEST(TableRows, EachCellStandsBehindTheHeadingOfItsColumn) {
  TableRecord table;
  table.columns = 2;
  table.cells = {heading("Light"), heading("Height"), cell("Skerry"), cell("30 m"), cell("Old Tolmouth"), cell("")};
  EXPECT_EQ(texts(table), (std::vector<std::string>{"Light: Skerry; Height: 30 m", "Light: Old Tolmouth"}));
}

TEST(TableRows, LaterHeadingsReplaceEarlierOnesAndATableWithoutHeadingsHasNone) {
  TableRecord table;
  table.columns = 1;
  table.cells = {cell("plain"), heading("A"), cell("x"), heading("B"), cell("y\nz")};
  EXPECT_EQ(texts(table), (std::vector<std::string>{"plain", "A: x", "B: y z"}));
}

TEST(TableRows, ACellThatSpansColumnsIsReadOnceAndOneThatSpansRowsInEachRow) {
  TableRecord table;
  table.columns = 3;
  CellRecord wide = cell("wide"), wide_copy = wide;
  wide.column_span = wide_copy.column_span = 2;
  wide_copy.repeated = true;
  CellRecord tall = cell("tall"), tall_copy = tall;
  tall.row_span = tall_copy.row_span = 2;
  tall_copy.repeated = true;
  table.cells = {wide, wide_copy, tall, cell("a"), cell("b"), tall_copy};
  EXPECT_EQ(texts(table), (std::vector<std::string>{"wide; tall", "a; b; tall"}));
}

TEST(TableRows, LinksMoveWithTheirCellsCountedInCodePoints) {
  TableRecord table;
  table.columns = 2;
  CellRecord second = cell("Ænes fyr");
  second.links = {{0, 4, 7, false}};
  table.cells = {heading("Größe"), heading("Ort"), cell("ä"), second};
  const auto rows = rows_of(table);
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].text, "Größe: ä; Ort: Ænes fyr");
  ASSERT_EQ(rows[0].links.size(), 1U);
  EXPECT_EQ(rows[0].links[0].begin, 15U);
  EXPECT_EQ(rows[0].links[0].end, 19U);
  EXPECT_EQ(rows[0].links[0].target, 7U);
}

TEST(TableRows, ATableWithoutCellsHasNoRows) {
  EXPECT_TRUE(rows_of({}).empty());
}

}  // namespace
}  // namespace touchstone::pipeline::automatic::internal
