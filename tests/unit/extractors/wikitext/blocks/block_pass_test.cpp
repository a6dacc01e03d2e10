#include "tests/unit/extractors/wikitext/wikitext_fixture.hpp"

#include <gtest/gtest.h>

namespace touchstone::extractors::wikitext::testing {
namespace {

using Strings = std::vector<std::string>;

TEST(WikitextBlocks, BlankLinesPartParagraphs) {
  EXPECT_EQ(blocks("a\nb\n\nc"), (Strings{"a b", "c"}));
}
TEST(WikitextBlocks, ListItemsHaveTheirMarkers) {
  EXPECT_EQ(blocks("* a\n** b\n# c\n: d"), (Strings{"* a", "** b", "# c", ": d"}));
}
TEST(WikitextBlocks, ATermAndItsDefinitionArePartedAtTheColon) {
  EXPECT_EQ(blocks("; a [[b:c]] : d"), (Strings{"; a b:c", ": d"}));
}
TEST(WikitextBlocks, AColonInAUrlPartsNothing) {
  EXPECT_EQ(blocks("; http://example.org x"), (Strings{"; http://example.org x"}));
}
TEST(WikitextBlocks, ALeadingBlankMakesPreformattedText) {
  const Document document = parse(" a  b\n c");
  ASSERT_EQ(document.blocks.size(), 1U);
  EXPECT_EQ(document.blocks[0].kind, BlockKind::kPreformatted);
  EXPECT_EQ(document.blocks[0].content.text, "a b\nc");
}
TEST(WikitextBlocks, NotesAreKnownByTheirRoleOrClass) {
  for (const char* attributes :
       {"class=\"hatnote\"", "role=\"note\"", "class=\"noprint navigation-not-searchable\"", "class='dablink'"}) {
    const Document document =
        parse("<div " + std::string(attributes) + ">''Siehe [[A]]''<div>\n\nauch [[B]]</div></div>\ntext [[C]]");
    ASSERT_EQ(document.blocks.size(), 3U) << attributes;
    EXPECT_EQ(document.blocks[0].kind, BlockKind::kNote) << attributes;
    EXPECT_EQ(document.blocks[1].kind, BlockKind::kNote) << attributes;
    EXPECT_EQ(document.blocks[2].kind, BlockKind::kParagraph) << attributes;
  }
  for (const char* attributes : {"class=\"hatnotes\"", "role=\"notes\"", "id=\"hatnote\"", ""})
    EXPECT_EQ(parse("<div " + std::string(attributes) + ">See [[A]]</div>").blocks.at(0).kind, BlockKind::kParagraph);
}
TEST(WikitextBlocks, ItemsOfNothingButLinksToOtherSitesAreNotes) {
  const Document document = parse(
      "* [http://example.org The light] ([http://example.org/de])\n* [http://example.org Basil] is old\n"
      "* [[Basil]]\n* [http://example.org A] – [[Basil]]\n# '''[http://example.org B]'''.");
  ASSERT_EQ(document.blocks.size(), 5U);
  EXPECT_EQ(document.blocks[0].kind, BlockKind::kNote);
  for (const std::size_t item : {1U, 2U, 3U}) EXPECT_EQ(document.blocks[item].kind, BlockKind::kListItem) << item;
  EXPECT_EQ(document.blocks[4].kind, BlockKind::kNote);
}
TEST(WikitextBlocks, SwitchesOfWidespreadExtensionsShowNothing) {
  EXPECT_EQ(blocks("a __DISAMBIG__ b"), (Strings{"a b"}));
  EXPECT_EQ(blocks("a __DISAMBIGUOUS__ b"), (Strings{"a __DISAMBIGUOUS__ b"}));
}
TEST(WikitextBlocks, HeadingsMakeATree) {
  const Document document = parse("lead\n== A ==\n=== ''B'' ===\n== C ==\nx");
  ASSERT_EQ(document.sections.size(), 4U);
  EXPECT_EQ(document.sections[2].heading.text, "B");
  EXPECT_EQ(document.sections[2].parent, 1U);
  EXPECT_EQ(document.sections[3].parent, 0U);
  EXPECT_EQ(document.blocks[1].section, 3U);
}
TEST(WikitextBlocks, AHeadingNeedsEqualSignsAtTheEndOfItsLine) {
  EXPECT_EQ(parse("== a == b").sections.size(), 1U);
}
TEST(WikitextBlocks, ACommentBehindAHeadingDoesNotMatter) {
  EXPECT_EQ(parse("== a == <!-- x -->\n").sections.size(), 2U);
}
TEST(WikitextBlocks, UnevenEqualSignsBelongToTheText) {
  const Document document = parse("=== a ==");
  ASSERT_EQ(document.sections.size(), 2U);
  EXPECT_EQ(document.sections[1].level, 2);
  EXPECT_EQ(document.sections[1].heading.text, "= a");
}
TEST(WikitextBlocks, AHeadingOfNothingButATemplateKeepsItsLevel) {
  for (const auto mode : {TemplateMode::kDrop, TemplateMode::kRules}) {
    const Document document = parse("=={{unknown}}==\ntext\n==={{unknown}}===\n====\nend", mode);
    ASSERT_EQ(document.sections.size(), 4U);  // the lead first
    EXPECT_EQ(document.sections[1].level, 2);
    EXPECT_EQ(document.sections[1].heading.text, "");
    EXPECT_EQ(document.sections[2].level, 3);
    EXPECT_EQ(document.sections[3].level, 1);
    EXPECT_EQ(document.sections[3].heading.text, "==");
  }
}
TEST(WikitextBlocks, CommentsOnTheirOwnLineLeaveNoBlankLine) {
  EXPECT_EQ(blocks("a\n<!-- x -->\nb"), (Strings{"a b"}));
}
TEST(WikitextBlocks, ApostrophesThatMarkNothingStay) {
  EXPECT_EQ(text("'''a''' ''b'' l''''x'''' it's"), "a b l'x' it's");
}
TEST(WikitextBlocks, ReferencesAreDecodedOnce) {
  EXPECT_EQ(text("a&nbsp;b &amp;lt; &#x41; &bogus;"), "a b &lt; A &bogus;");
}
TEST(WikitextBlocks, UnknownTagsAreText) {
  EXPECT_EQ(text("<b>a</b> <foo>b</foo> 1 < 2"), "a <foo>b</foo> 1 < 2");
}
TEST(WikitextBlocks, BehaviourSwitchesAreNotShown) {
  EXPECT_EQ(text("__NOTOC__a __foo__"), "a __foo__");
}
TEST(WikitextBlocks, FootnotesLeaveNoTrace) {
  EXPECT_EQ(text("a<ref name=\"x\">b</ref>, c<ref name=x />."), "a, c.");
}
TEST(WikitextBlocks, NowikiTextIsShownAsItStands) {
  EXPECT_EQ(text("<nowiki>''a'' [[b]] &lt;</nowiki>"), "''a'' [[b]] <");
}
TEST(WikitextBlocks, AnUnclosedExtensionTagIsText) {
  EXPECT_EQ(text("a <ref> b"), "a <ref> b");
}
TEST(WikitextBlocks, InvalidUtf8BecomesTheReplacementCharacter) {
  EXPECT_EQ(text("a\xFF"
                 "b"),
            "a\xEF\xBF\xBD"
            "b");
}
TEST(WikitextBlocks, StrayEndTagsPartNoWords) {
  EXPECT_EQ(text("a</div>b c</li>d"), "ab cd");
}
TEST(WikitextBlocks, SwitchesJoinWhatTheyStandBetween) {
  EXPECT_EQ(text("a__NOTOC__b '__NOTOC__'c''"), "ab c");
}
TEST(WikitextBlocks, LineEndsInCaptionsAreBlanks) {
  EXPECT_EQ(blocks("[[File:a|thumb|b\n* c\n\nd]]\ne"), (Strings{"e"}));
  EXPECT_EQ(parse("[[File:a|thumb|b\n* c]]").text, "b * c\n");
}
TEST(WikitextBlocks, ApostrophesOfACaptionAreReadInFrontOfItsLinks) {
  EXPECT_EQ(parse("[[File:a|thumb|''b'''']]").text, "b\n");
  EXPECT_EQ(parse("[[File:a|thumb|[['']]]]").text, "[[]]\n");
}
TEST(WikitextBlocks, AnExternalLinkEndsWithItsCaption) {
  EXPECT_EQ(parse("[[File:a|thumb|[http://b c]]]").text, "c\n");
}
TEST(WikitextBlocks, AnAddressGoesOnBehindACategory) {
  EXPECT_EQ(text("[http://[[Category:a]]b c]"), "c");
  EXPECT_EQ(text("[http:// b]"), "[http:// b]");
  EXPECT_EQ(text("[http://a\u3000b] [http://a\u2003]"), "b [1]");
}
TEST(WikitextBlocks, TagsInTheTextOfALinkMakeNoBlock) {
  EXPECT_EQ(blocks("[[a|<div>b</div>]]\n* c"), (Strings{"b", "* c"}));
}
TEST(WikitextBlocks, ALinkThatNeverEndsShowsItsTargetDecoded) {
  EXPECT_EQ(text("[[ a|b"), "[[a|b");
  EXPECT_EQ(text("[[#%3Cb%3E|c"), "[[#<b>|c");
}
TEST(WikitextBlocks, LinesOfAPoemStayInOneParagraph) {
  EXPECT_EQ(blocks("<poem>\na\n\n:b\n</poem>"), (Strings{"a b"}));
}
TEST(WikitextBlocks, FootnotesInAPoemKeepTheirLinks) {
  const Document document = parse("<poem>\na<ref>[[the first of two targets]]</ref>\nb\n</poem>");
  ASSERT_EQ(all_links(document).size(), 1U);
  EXPECT_EQ(all_links(document)[0]->target.text, "The first of two targets");
}
TEST(WikitextBlocks, NoncharactersShowNothing) {
  EXPECT_EQ(text("a&#xFDD0;b&#x10FFFF;"), "ab");
}
TEST(WikitextBlocks, AddressesInGalleriesHoldPipes) {
  EXPECT_EQ(parse("<gallery>\nFile:a|link=http://b|c\nFile:a|link=http://b |c\nFile:d|link=<\n</gallery>").text, "c\n");
}
TEST(WikitextBlocks, HeadingsInFootnotesAreHeadingsOfThePage) {
  const Document document = parse("a<ref>b\n== c ==\n[[d]]\n</ref>");
  ASSERT_EQ(document.sections.size(), 2U);
  EXPECT_EQ(document.sections[1].heading.text, "c");
  EXPECT_EQ(document.text, "a\n");
  EXPECT_EQ(all_links(document).size(), 1U);
}
TEST(WikitextBlocks, ABreakThatDoesNotEndItselfHidesTheColonOfATerm) {
  EXPECT_EQ(blocks(";a<br>b:c"), (Strings{"; a b:c"}));
  EXPECT_EQ(blocks(";a<br/>b:c"), (Strings{"; a b", ": c"}));
}
TEST(WikitextBlocks, AddressesInTheTextAreEscapedAsMediaWikiDoes) {
  EXPECT_EQ(text("http://a.b/c|d, http://e&zwnj;f.g/&vert;h."), "http://a.b/c%7Cd, http://ef.g/%7Ch.");
  EXPECT_EQ(text("x|y http://a.b?c&amp;d"), "x|y http://a.b?c&d");
}
TEST(WikitextBlocks, GalleriesMayShowNamesOfFiles) {
  const Document document = parse("<gallery showfilename>\nFile:a.jpg|[[b]]\n</gallery>");
  EXPECT_EQ(document.text, "A.jpg\nb\n");
  EXPECT_EQ(targets(document), (Strings{"File:A.jpg", "B"}));
}
TEST(WikitextBlocks, AColonInAFormForSeveralScriptsEndsNoTerm) {
  EXPECT_EQ(blocks(";-{zh-hans:a;zh-hant:b}-:c"), (Strings{"; -{zh-hans:a;zh-hant:b}-", ": c"}));
}
TEST(WikitextBlocks, MarkersOnBothSidesOfACategoryJoin) {
  EXPECT_EQ(blocks("*[[Category:A]]* a\n*[[Category:A]] b"), (Strings{"** a", "* b"}));
}
TEST(WikitextBlocks, AColonInAnAddressEndsNoTerm) {
  EXPECT_EQ(blocks(";http://a.b/c:d:e\n;f http://g.h. : i"), (Strings{"; http://a.b/c:d:e", "; f http://g.h.", ": i"}));
  EXPECT_EQ(blocks(";ahttp://b"), (Strings{"; ahttp", ": //b"}));
}
TEST(WikitextBlocks, HtmlListsAreLists) {
  EXPECT_EQ(blocks("<ul><li>a<li>b</ul>"), (Strings{"* a", "* b"}));
}

}  // namespace
}  // namespace touchstone::extractors::wikitext::testing
