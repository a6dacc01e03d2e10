#include "tests/unit/extractors/wikitext/wikitext_fixture.hpp"

#include <gtest/gtest.h>

namespace touchstone::extractors::wikitext::testing {
namespace {

using Grid = std::vector<std::vector<std::string>>;

TEST(WikitextTables, CellsStandOnLinesOfTheirOwnOrSideBySide) {
  EXPECT_EQ(grid("{|\n! A !! B\n|-\n| 1 || 2\n|-\n| 3\n| 4\n|}"), (Grid{{"A", "B"}, {"1", "2"}, {"3", "4"}}));
}

TEST(WikitextTables, SpansAreWrittenOut) {
  EXPECT_EQ(grid("{|\n| rowspan=2 | a || colspan=2 | b\n|-\n| c || d\n|}"), (Grid{{"a", "b", "b"}, {"a", "c", "d"}}));
}

TEST(WikitextTables, RepeatedPositionsAreMarked) {
  const Document document = parse("{|\n| colspan=2 | b\n|}");
  const auto& row = document.tables[0].cells[0];
  EXPECT_FALSE(row[0].repeated);
  EXPECT_TRUE(row[1].repeated);
}

TEST(WikitextTables, ARowspanOfZeroGoesToTheLastRow) {
  EXPECT_EQ(grid("{|\n|rowspan=0|a||b\n|-\n|c\n|-\n|d\n|}"), (Grid{{"a", "b"}, {"a", "c"}, {"a", "d"}}));
}

TEST(WikitextTables, ARowspanPastTheLastRowIsClipped) {
  const Document document = parse("{|\n|rowspan=9|a||b\n|-\n|c\n|}");
  EXPECT_EQ(document.tables[0].row_count(), 2U);
  EXPECT_EQ(document.tables[0].cells[0][0].row_span, 2U);
}

TEST(WikitextTables, APipeInFrontOfExclamationMarksPartsHeaders) {
  EXPECT_EQ(grid("{|\n!a|!!b!!c\n|}"), (Grid{{"a", "b", "c"}}));
}

TEST(WikitextTables, ASwitchInsideOfAMarkLeavesNone) {
  EXPECT_EQ(grid("{|\n|a\n|__NOTOC__-\n|b\n|}"), (Grid{{"a", "-", "b"}}));
  EXPECT_TRUE(parse("{__NOTOC__|\n|a\n").tables.empty());
}

TEST(WikitextTables, SpansMayBeWrittenWithReferences) {
  EXPECT_EQ(grid("{|\n|rowspan=&#50;|a||b\n|-\n|c\n|}"), (Grid{{"a", "b"}, {"a", "c"}}));
}

TEST(WikitextTables, ShortRowsArePadded) {
  const Document document = parse("{|\n|a||b\n|-\n|c\n|}");
  ASSERT_EQ(document.tables[0].cells[1].size(), 2U);
  EXPECT_TRUE(document.tables[0].cells[1][1].missing);
}

TEST(WikitextTables, APipeInALinkPartsNoAttributes) {
  EXPECT_EQ(grid("{|\n| [[a|b]]\n| class=x | [[c|d]]\n|}"), (Grid{{"b", "d"}}));
}

TEST(WikitextTables, AMarkInALinkPartsCellsAndTheLinkIsNone) {
  EXPECT_EQ(grid("{|\n| [[a||b]]\n|}"), (Grid{{"[[a", "b]]"}}));
  EXPECT_EQ(grid("{|\n! [[a!!b]]\n! [[c|!!d]]\n|}"), (Grid{{"[[a", "b]]", "[[c", "d]]"}}));
  EXPECT_EQ(grid("{|\n| [[a!!b]]\n|}"), (Grid{{"a!!b"}}));
  EXPECT_EQ(parse("[[a||b]] [[a!!b]]").text, "|b a!!b\n");
}

TEST(WikitextTables, ALinkAmongTheAttributesOfATableIsNotShown) {
  const Document document = parse("{| title=[[a]]s class=x\n|-\n| [[b]]s || c\n|}");
  EXPECT_EQ(document.tables[0].css_class, "x");
  EXPECT_EQ(grid("{| title=[[a]]s class=x\n|-\n| [[b]]s || c\n|}"), (Grid{{"bs", "c"}}));
}

TEST(WikitextTables, CaptionClassAndHeadersAreKept) {
  const Document document = parse("{| class=\"wikitable sortable\"\n|+ The ''caption''\n! scope=col | H\n|}");
  const Table& table = document.tables[0];
  EXPECT_EQ(table.css_class, "wikitable sortable");
  EXPECT_EQ(table.caption.text, "The caption");
  EXPECT_TRUE(table.cells[0][0].header);
}

TEST(WikitextTables, ATableInACellIsATableOfItsOwn) {
  const std::string wikitext = "{|\n| outer\n{|\n| inner\n|}\nmore\n|}";
  EXPECT_EQ(grid(wikitext, 0), (Grid{{"outer more"}}));
  EXPECT_EQ(grid(wikitext, 1), (Grid{{"inner"}}));
  EXPECT_EQ(parse(wikitext).tables[1].depth, 1U);
}

TEST(WikitextTables, HtmlTablesCount) {
  EXPECT_EQ(grid("<table><tr><th>a<td>b</tr><tr><td>c</table>"), (Grid{{"a", "b"}, {"c", ""}}));
}

TEST(WikitextTables, AnUnclosedTableEndsWithThePage) {
  EXPECT_EQ(grid("{|\n| a\n|-\n| b"), (Grid{{"a"}, {"b"}}));
}

TEST(WikitextTables, AnIndentedTableIsATable) {
  EXPECT_EQ(grid("::{|\n| a\n|}"), (Grid{{"a"}}));
}

TEST(WikitextTables, TableTextIsNoParagraph) {
  EXPECT_EQ(text("before\n{|\n| cell\n|}\nafter"), "before\nafter");
}

TEST(WikitextTables, CellTextHoldsListsAndParagraphs) {
  EXPECT_EQ(grid("{|\n|\n* a\n* b\n\nc\n|}"), (Grid{{"a b c"}}));
}

TEST(WikitextTables, AHugeSpanStaysWithinTheLimits) {
  const Document document = parse("{|\n| rowspan=1000 colspan=100000 | a\n|}");
  EXPECT_LE(document.tables[0].column_count(), 1000U);
}

TEST(WikitextTables, TextBetweenCellsStandsInFrontOfTheTable) {
  EXPECT_EQ(parse("<div>a<table><tr><td>b</td></tr>c</table>d</div>").text, "ac\nb\nd\n");
  EXPECT_EQ(parse("* a<table>b<td>c").text, "ab\nc\n");
  EXPECT_EQ(parse("a<table>b<td>c").text, "a\nb\nc\n");
  EXPECT_EQ(parse("{|\n| a<table>b<td>c</table>d\n|}").text, "ab\nc\nd\n");
}

TEST(WikitextTables, BlanksBetweenTagsBetweenCellsAreLost) {
  EXPECT_EQ(parse("{|\n[[a]] [[b]]").text, "ab\n");
  EXPECT_EQ(parse("{|\n[[a]] b [[c]]").text, "a b c\n");
}

TEST(WikitextTables, OfSeveralCaptionsTheLastIsShownAndNoLinkIsLost) {
  const Document document = parse("{|\n|+ [[a]] || [[b]]\n|}");
  EXPECT_EQ(document.tables[0].caption.text, "b");
  EXPECT_EQ(all_links(document).size(), 2U);
}

TEST(WikitextTables, HeadingsOfATableOfContentsAreNone) {
  EXPECT_EQ(parse("{|id=toc\n|\n== [[a]] ==\n|}").sections.size(), 1U);
}

TEST(WikitextTables, ATableOfContentsIsNoTable) {
  EXPECT_TRUE(parse("{| class=toc\n| [[#A|A]]\n|}").tables.empty());
}

TEST(WikitextTables, ATextThatIsNothingButTheStartOfATableShowsNothing) {
  EXPECT_TRUE(parse("{|").tables.empty());
  EXPECT_TRUE(parse("{| a").tables.empty());
  EXPECT_EQ(parse("{| class=a").tables.size(), 1U);
  EXPECT_EQ(parse("{|\n|}").tables.size(), 1U);
}

}  // namespace
}  // namespace touchstone::extractors::wikitext::testing
