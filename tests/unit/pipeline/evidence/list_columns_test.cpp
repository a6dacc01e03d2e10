#include "pipeline/evidence/list_columns.hpp"

#include "common/unicode.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::evidence {
namespace {

using storage::CellRecord;
using storage::TableRecord;

/// Link targets of the page that all tables here are on.
const std::vector<Title> kTargets = {{0, "Amber"}, {0, "Basil"}, {6, "Flag.svg"}, {14, "Herbs"}};

CellRecord text(std::string words) {
  CellRecord cell;
  cell.text = std::move(words);
  return cell;
}
CellRecord header(std::string words) {
  CellRecord cell = text(std::move(words));
  cell.header = true;
  return cell;
}
CellRecord link(std::string words, std::uint32_t target) {
  CellRecord cell = text(std::move(words));
  cell.links.push_back({0, static_cast<std::uint32_t>(cell.text.size()), target, false});
  return cell;
}
CellRecord repeated(CellRecord cell) {
  cell.repeated = true;
  return cell;
}
CellRecord wide(CellRecord cell, std::uint32_t columns) {
  cell.column_span = columns;
  return cell;
}
CellRecord missing() {
  CellRecord cell;
  cell.missing = true;
  return cell;
}

TableRecord table(const std::vector<std::vector<CellRecord>>& rows) {
  TableRecord record;
  record.columns = static_cast<std::uint32_t>(rows.front().size());
  for (const auto& row : rows) record.cells.insert(record.cells.end(), row.begin(), row.end());
  return record;
}

TEST(ListColumns, RowsOfHeaderCellsAreTheHeader) {
  const auto two = table({{header("Name"), header("Built")}, {header(""), header("year")}, {text("x"), text("1")}});
  EXPECT_EQ(header_row_count(two), 2U);
  EXPECT_EQ(header_text(two, 2, 0), "Name");
  EXPECT_EQ(header_text(two, 2, 1), "Built year");
}

TEST(ListColumns, AnEmptyCellInAHeaderRowDoesNotEndIt) {
  EXPECT_EQ(header_row_count(table({{text(""), header("Name")}, {text("1"), text("x")}})), 1U);
}

TEST(ListColumns, AFirstRowWithMostlyHeaderCellsIsAHeader) {
  EXPECT_EQ(
      header_row_count(table({{header("Name"), header("Year"), text("Notes")}, {text("x"), text("1"), text("")}})), 1U);
}

TEST(ListColumns, RowsThatBeginWithAHeaderCellAreNoHeader) {
  EXPECT_EQ(header_row_count(
                table({{header("Amber"), text("1900"), text("tall")}, {header("Basil"), text("1901"), text("")}})),
            0U);
}

TEST(ListColumns, ATableWithoutRowsHasNoHeader) {
  TableRecord empty;
  EXPECT_EQ(header_row_count(empty), 0U);
  EXPECT_EQ(header_text(empty, 0, 0), "");
}

TEST(ListColumns, ATitleAcrossTheTableIsNoPartOfAColumnsHeader) {
  const auto title = wide(header("Lights of the north"), 2);
  const auto record = table({{title, repeated(title)}, {header("Name"), header("Built")}, {text("x"), text("1")}});
  EXPECT_EQ(header_row_count(record), 2U);
  EXPECT_EQ(header_text(record, 2, 0), "Name");
}

TEST(ListColumns, AHeaderThatSpansRowsIsSaidOnce) {
  const auto name = header("Name");
  const auto record = table({{name, header("Size")}, {repeated(name), header("metres")}, {text("x"), text("1")}});
  EXPECT_EQ(header_text(record, 2, 0), "Name");
}

TEST(ListColumns, AMemberIsTheFirstLinkToAnArticle) {
  CellRecord cell = text("Flag Amber and Basil");
  cell.links = {{0, 4, 2, false}, {5, 10, 0, false}, {15, 20, 1, false}};
  const auto cells = member_cells(table({{header("Name")}, {cell}}), 1, 0, kTargets);
  ASSERT_EQ(cells.size(), 1U);
  EXPECT_EQ(cells[0].kind, MemberCellKind::kLink);
  EXPECT_EQ(cells[0].target, kTargets[0]);
  EXPECT_EQ(cells[0].row, 1U);
  EXPECT_EQ(cells[0].text, "Flag Amber and Basil");
}

TEST(ListColumns, ALinkWithoutWordsIsAnIconAndNoMember) {
  CellRecord cell = text("Basil");
  cell.links = {{0, 0, 0, false}, {0, 5, 1, false}};
  const auto cells = member_cells(table({{header("Name")}, {cell}}), 1, 0, kTargets);
  ASSERT_EQ(cells.size(), 1U);
  EXPECT_EQ(cells[0].target, kTargets[1]);
}

TEST(ListColumns, LinksOutsideTheArticleNamespaceAreNoMembers) {
  const auto cells = member_cells(table({{header("Name")}, {link("Herbs", 3)}}), 1, 0, kTargets);
  ASSERT_EQ(cells.size(), 1U);
  EXPECT_EQ(cells[0].kind, MemberCellKind::kNoArticle);
}

TEST(ListColumns, EmptyAndMissingCellsAreTold) {
  const auto cells = member_cells(
      table({{header("Name"), header("x")}, {text(""), text("1")}, {text("words"), text("2")}, {missing(), text("3")}}),
      1, 0, kTargets);
  ASSERT_EQ(cells.size(), 3U);
  EXPECT_EQ(cells[0].kind, MemberCellKind::kEmpty);
  EXPECT_EQ(cells[1].kind, MemberCellKind::kNoArticle);
  EXPECT_EQ(cells[2].kind, MemberCellKind::kEmpty);
}

TEST(ListColumns, ACellThatSpansRowsCountsOnce) {
  const auto tall = link("Amber", 0);
  const auto record = table({{header("Name"), header("x")}, {tall, text("1")}, {repeated(tall), text("2")}});
  EXPECT_EQ(member_cells(record, 1, 0, kTargets).size(), 1U);
}

TEST(ListColumns, SeparatorRowsHoldNoMembers) {
  const auto separator = wide(link("Amber", 0), 2);
  const auto heading = wide(header("Southern"), 2);
  const auto record = table({{header("Name"), header("x")},
                             {separator, repeated(separator)},
                             {link("Basil", 1), text("1")},
                             {heading, repeated(heading)},
                             {header("Name"), header("x")},
                             {link("Amber", 0), text("2")}});
  const auto cells = member_cells(record, 1, 0, kTargets);
  ASSERT_EQ(cells.size(), 2U);
  EXPECT_EQ(cells[0].row, 2U);
  EXPECT_EQ(cells[1].row, 5U);
}

TEST(ListColumns, ATargetNumberBeyondTheListIsIgnored) {
  const auto cells = member_cells(table({{header("Name")}, {link("Odd", 99)}}), 1, 0, kTargets);
  ASSERT_EQ(cells.size(), 1U);
  EXPECT_EQ(cells[0].kind, MemberCellKind::kNoArticle);
}

TEST(ListColumns, ATitleAboveTheHeadersIsNoHeaderAndNoMember) {
  const auto title = wide(text("Lights of the north"), 2);
  const auto record =
      table({{title, repeated(title)}, {header("Name"), header("Built")}, {link("Amber", 0), text("1900")}});
  EXPECT_EQ(header_row_count(record), 2U);
  EXPECT_EQ(header_text(record, 2, 0), "Name");
  EXPECT_EQ(content_row_count(record, 2), 1U);
}

/// An item with a link to Amber behind some words.
storage::ParagraphRecord item(const std::string& before, const std::string& marker = "*") {
  storage::ParagraphRecord paragraph;
  paragraph.kind = storage::ParagraphKind::kListItem;
  paragraph.list_marker = marker;
  paragraph.text = before + "Amber is high";
  const auto begin = static_cast<std::uint32_t>(count_code_points(before));
  paragraph.links = {{begin, begin + 5, 0, false}};
  return paragraph;
}

headings::PhraseSet dates() {
  headings::PhraseSet set;
  for (const char* phrase : {"#", "# May", "May #"}) set.add(phrase);
  return set;
}

TEST(ListItems, TheLinkAtTheBeginningIsTheMember) {
  for (const char* before : {"", "The ", "1990: ", "3 May – ", "(1990) ", "12. ", "\"", "1990–1995: "}) {
    const auto cells = member_items({{item(before)}}, kTargets, dates());
    ASSERT_EQ(cells.size(), 1U);
    EXPECT_EQ(cells[0].kind, MemberCellKind::kLink) << before;
  }
  for (const char* before : {"Director - equal to ", "Clerk (", "Mount ", "See "}) {
    const auto cells = member_items({{item(before)}}, kTargets, dates());
    EXPECT_EQ(cells.at(0).kind, MemberCellKind::kNoArticle) << before;
  }
}

TEST(ListItems, ItemsBelowOthersAreTheListWhereTheOthersHaveNoLinks) {
  auto label = item("", "*");
  label.links.clear();
  const auto cells = member_items({{label, item("", "**"), item("", "**"), label, item("", "**")}}, kTargets, dates());
  ASSERT_EQ(cells.size(), 3U);
  EXPECT_EQ(cells[2].row, 2U);
}

TEST(ListItems, ATableWithoutHeadersThatSetsOutLinksIsAList) {
  auto cell = text("Amber Basil");
  cell.links = {{0, 5, 0, false}, {6, 11, 1, false}};
  EXPECT_EQ(member_links(table({{cell, cell}}), kTargets).size(), 4U);
  EXPECT_TRUE(member_links(table({{cell, text("words")}}), kTargets).empty()) << "one cell is no list";
  EXPECT_TRUE(member_links(table({{header("x"), header("y")}, {cell, cell}}), kTargets).empty());
  auto prose = text("Amber is high, and near it is Basil");
  prose.links = {{0, 5, 0, false}, {30, 35, 1, false}};
  EXPECT_TRUE(member_links(table({{prose, prose}}), kTargets).empty());
}

}  // namespace
}  // namespace touchstone::pipeline::evidence
