#include "common/unicode.hpp"
#include "tests/unit/extractors/wikitext/wikitext_fixture.hpp"

#include <gtest/gtest.h>

namespace touchstone::extractors::wikitext::testing {
using site::SiteInfo;
namespace {

using Strings = std::vector<std::string>;

TEST(WikitextLinks, APipedLinkHasTargetFragmentAndText) {
  const Document document = parse("See [[foo bar#Part one|the ''bar'']].");
  ASSERT_EQ(document.blocks.size(), 1U);
  const RichText& text = document.blocks[0].content;
  ASSERT_EQ(text.links.size(), 1U);
  EXPECT_EQ(text.links[0].target.text, "Foo bar");
  EXPECT_EQ(text.links[0].fragment, "Part one");
  EXPECT_EQ(text.text.substr(text.links[0].begin, text.links[0].end - text.links[0].begin), "the bar");
}

TEST(WikitextLinks, LettersBehindALinkBelongToIt) {
  const RichText text = parse("[[bus]]es and [[bus]]123").blocks[0].content;
  EXPECT_EQ(text.links[0].end - text.links[0].begin, 5U);
  EXPECT_EQ(text.links[1].end - text.links[1].begin, 3U);
}

TEST(WikitextLinks, OffsetsCountCodePoints) {
  const RichText text = parse("Žižek – [[Ljubljana|Љубљана]] x").blocks[0].content;
  ASSERT_EQ(text.links.size(), 1U);
  EXPECT_EQ(text.links[0].begin, 8U);
  EXPECT_EQ(text.links[0].end, 15U);
}

TEST(WikitextLinks, BlanksAroundALinksTextAreNotPartOfIt) {
  const RichText text = parse("a [[b| c ]] d").blocks[0].content;
  EXPECT_EQ(text.text, "a c d");
  EXPECT_EQ(text.links[0].begin, 2U);
  EXPECT_EQ(text.links[0].end, 3U);
}

TEST(WikitextLinks, PercentEncodingAndReferencesInTargetsAreDecoded) {
  EXPECT_EQ(targets("[[Caf%C3%A9]] [[Foo&amp;bar]]"), (Strings{"Café", "Foo&bar"}));
}

TEST(WikitextLinks, CategoriesAreMembershipsUnlessAColonStandsInFront) {
  const Document document = parse("a\n[[Category:X|key]]\n[[:Category:Y]]");
  EXPECT_EQ(targets(document), (Strings{"Category:Y"}));
  ASSERT_EQ(document.categories.size(), 1U);
  EXPECT_EQ(document.categories[0].text, "X");
}

TEST(WikitextLinks, LinksToOtherLanguagesAndWikisAreNoPageLinks) {
  EXPECT_TRUE(targets("[[de:Foo]] [[:fr:Bar]] [[wikt:baz]]").empty());
}

TEST(WikitextLinks, ALinkToThePageItselfCountsOnlyWithAFragment) {
  EXPECT_TRUE(targets("[[Test page]]").empty());
  EXPECT_EQ(targets("[[Test page#x]]"), (Strings{"Test page"}));
}

TEST(WikitextLinks, SubpageLinksAreRelativeWhereThereAreSubpages) {
  const Document document = parse("[[/x]] [[../y]]", TemplateMode::kRules, {kNamespaceUser, "A/B"});
  EXPECT_EQ(targets(document), (Strings{"User:A/B/x", "User:A/y"}));
}

TEST(WikitextLinks, WhatNamesNoPageStaysText) {
  EXPECT_EQ(text("[[a{b]] [[http://example.org]] [[]]"), "[[a{b]] [[1]] [[]]");
}

TEST(WikitextLinks, LinksInCaptionsAndTheirAlternativesCount) {
  const Document document = parse("[[File:a.jpg|thumb|link=Other|alt=see [[Hidden]]|a [[caption]] of [[things]]]]text");
  const auto found = targets(document);
  EXPECT_EQ(found.size(), 4U);
  EXPECT_EQ(document.blocks.size(), 1U);
  EXPECT_EQ(document.blocks[0].content.text, "text");
}

TEST(WikitextLinks, LinksInFootnotesGalleriesAndImageMapsCount) {
  EXPECT_EQ(targets("a<ref>[[b]]</ref><gallery>\nFile:x.jpg|[[c]]\n</gallery>\n<imagemap>\nFile:x.png\nrect 0 0 1 1 "
                    "[[d]]\n</imagemap>")
                .size(),
            3U);
}

TEST(WikitextLinks, CommentsInImageMapsHaveNoLinks) {
  EXPECT_EQ(targets("<imagemap>\nFile:x.png|thumb|see [[a]]\n# rect 0 0 1 1 [[b]]\nrect 1 1 2 2 [[c|d]]\n</imagemap>"),
            (Strings{"A", "C"}));
}

TEST(WikitextLinks, OfFootnotesWithOneNameTheFirstCounts) {
  EXPECT_EQ(targets("<ref name=a>[[x]]</ref><ref name=a>[[y]]</ref>"), (Strings{"X"}));
}

TEST(WikitextLinks, FootnotesOfAGroupThatOnlyATemplateListsAreMadeByIt) {
  const Document document = parse("a<ref group=note>[[x]]</ref>");
  ASSERT_EQ(all_links(document).size(), 1U);
  EXPECT_EQ(all_links(document)[0]->origin, LinkOrigin::kTemplate);
}

TEST(WikitextLinks, NowikiAndCommentsHideLinks) {
  EXPECT_TRUE(targets("<nowiki>[[a]]</nowiki> <!-- [[b]] --> <pre>[[c]]</pre>").empty());
}

TEST(WikitextLinks, RedirectsHaveATarget) {
  const Document document = parse("#REDIRECT [[Foo#Bar]]");
  ASSERT_TRUE(document.redirect);
  EXPECT_EQ(document.redirect->text, "Foo");
  EXPECT_EQ(document.redirect_fragment, "Bar");
}

TEST(WikitextLinks, ExternalLinksShowTheirTextOrANumber) {
  EXPECT_EQ(text("[http://example.org the site] and [http://example.org]"), "the site and [1]");
}

TEST(WikitextLinks, PrefixesOfLanguagesLeaveNoTextOnAWikiThatIsNoLanguageEdition) {
  SiteInfo site = english();
  site.base_url = "https://shrines.example.org/wiki/Main_Page";
  const TemplateRules rules = TemplateRules::built_in("en");
  const Document document =
      parse_wikitext(site, rules, {kNamespaceMain, "X"}, "[[en:Awa Shrine]]\n[[be_x_old:A]]\n''Awa'' [[:en:B]]");
  ASSERT_EQ(document.blocks.size(), 1U);
  EXPECT_EQ(document.blocks[0].content.text, "Awa en:B");
  EXPECT_EQ(all_links(document).size(), 3U);
  EXPECT_EQ(text("[[en:Awa Shrine]]"), "en:Awa Shrine");
}

TEST(WikitextLinks, PrefixesOfLanguagesLeaveNoTextWhateverLanguageTheWikiIsReadIn) {
  SiteInfo site = SiteInfo::make_default("ru");
  site.base_url = "https://kv.example.org/wiki/Main_Page";
  site.finish();
  const TemplateRules rules = TemplateRules::built_in("ru");
  const Document document = parse_wikitext(site, rules, {kNamespaceMain, "X"}, "Awa\n[[ru:Awa]]\n[[de:Awa]]");
  ASSERT_EQ(document.blocks.size(), 1U);
  EXPECT_EQ(document.blocks[0].content.text, "Awa");
}

TEST(WikitextLinks, BrokenFootnotesHaveNoLinks) {
  EXPECT_TRUE(targets("<ref>[[a]]<ref></ref> <ref name=1>[[b]]</ref> <ref nam=x>[[c]]</ref> <ref name=x y>[[d]]</ref>")
                  .empty());
  EXPECT_EQ(
      targets("<ref name=\"x y\" group=a />").size() + targets("<ref name=\"1 y\" /\">[[a]] <i>b</i></ref>").size(),
      1U);
}

TEST(WikitextLinks, WhatIsNoAttributeBreaksNoFootnote) {
  EXPECT_EQ(targets("<ref groupnote\">[[a]]</ref>"), (Strings{"A"}));
}

TEST(WikitextLinks, AProtocolWithoutAnAddressIsText) {
  EXPECT_EQ(text("[//] [//a b] [http://]"), "[//] b [http://]");
}

TEST(WikitextLinks, SwitchesInsideOfLinksAreTakenOutFirst) {
  EXPECT_EQ(targets("[[b__NOTOC__c]] [__NOTOC__[d]] {{ill|e__NOTOC__|de|f}} [[g]]"), (Strings{"Bc", "D", "E", "G"}));
}

TEST(WikitextLinks, ImageOptionsMayStandOnLinesOfTheirOwn) {
  const Document document = parse("[[File:a.jpg|thumb\n|left\n|see [[b]]\n]]");
  EXPECT_EQ(document.text, "see b\n");
  EXPECT_EQ(targets(document), (Strings{"B"}));
}

TEST(WikitextLinks, AnImageOptionWithAValueThatIsNoNumberIsACaption) {
  EXPECT_EQ(parse("[[File:a.jpg|thumb|upright exports]]").text, "upright exports\n");
  EXPECT_EQ(parse("[[File:a.jpg|thumb|upright=1.2|c]]").text, "c\n");
  EXPECT_EQ(parse("[[File:a.jpg|thumb|upright=5<b>]]").text, "upright=5\n");
}

TEST(WikitextLinks, TheTextOfALinkHasOneCharacterAtLeast) {
  EXPECT_EQ(text("[[a|]]] [[b|]]"), "] [[b|]]");
}

TEST(WikitextLinks, ReferencesToNoCharacterMakeNoTitle) {
  EXPECT_TRUE(targets("[[a&#0;b]] [[a&#xD800;b]] [[a&#1114112;b]]").empty());
  EXPECT_EQ(text("[[a&#0;b]]"), "[[a&#0;b]]");
}

TEST(WikitextLinks, OnlyPathsWithASlashLeadToTheParent) {
  EXPECT_EQ(targets(parse("[[../]] [[..]] [[../..]]", TemplateMode::kDrop, {kNamespaceTalk, "A/b/c"})),
            (Strings{"Talk:A/b"}));
}

TEST(WikitextLinks, FootnotesAmongTheAttributesOfATableCount) {
  EXPECT_EQ(targets("{|<ref>[[a]]</ref>\n|+<ref>[[b]]</ref>|c\n|-<ref>[[d]]</ref>\n!<ref>[[e]]</ref>|f\n"
                    "|id=<ref>[[g]]</ref>|h\n|}")
                .size(),
            5U);
}

TEST(WikitextLinks, AFootnoteMayLeaveATableOpen) {
  EXPECT_EQ(targets("a<ref>[[b]]<table></ref><ref><table>[[c]]</ref>"), (Strings{"B", "C"}));
}

TEST(WikitextLinks, AFootnoteOfAListIsShownToThoseWhoReferToIt) {
  const auto origin = [](std::string_view source) { return all_links(parse(source)).at(0)->origin; };
  EXPECT_EQ(origin("<ref name=z/><references><ref name=z>[[c]]</ref></references>"), LinkOrigin::kText);
  EXPECT_EQ(origin("<references><ref name=z>[[c]]</ref></references>"), LinkOrigin::kTemplate);
  EXPECT_TRUE(targets("<references><ref>[[c]]</ref></references>").empty());
}

TEST(WikitextLinks, AnAttributeRightBehindAQuoteBreaksAFootnote) {
  EXPECT_TRUE(targets("<ref name=\"a\"b>[[c]]</ref> <ref name=\"d\" é>[[e]]</ref> <ref /f>[[g]]</ref>").empty());
  EXPECT_EQ(targets("<ref name=\"a\".b>[[c]]</ref>"), (Strings{"C"}));
}

TEST(WikitextLinks, ARedirectOutOfTheWikiShowsNothing) {
  for (const char* source : {"#REDIRECT [[fr:a]]", "#REDIRECT [[Special:Search]]"}) {
    EXPECT_FALSE(parse(source).redirect) << source;
    EXPECT_EQ(parse(source).text, "") << source;
  }
  EXPECT_EQ(parse("#REDIRECT [[#a]]").text, "REDIRECT #a\n");
}

TEST(WikitextLinks, WordsOfRedirectsAndImagesAreThoseOfAllScriptsOfTheLanguage) {
  const auto read = [](const char* language, std::string_view source) {
    const SiteInfo site = SiteInfo::make_default(language);
    WikitextOptions options;
    options.collect_text = true;
    return parse_wikitext(site, TemplateRules::built_in("en"), {kNamespaceMain, "X"}, source, options);
  };
  EXPECT_EQ(read("zh", "#重新導向 [[A]]").redirect->text, "A");
  EXPECT_EQ(read("nb", "#OMDIRIGER [[A]]").redirect->text, "A");
  EXPECT_EQ(read("az", "#İSTİQAMƏTLƏNDİRMƏ [[A]]").redirect->text, "A");
  EXPECT_EQ(read("zh", "[[檔案:a.jpg|縮圖|b]]").text, "b\n");
}

TEST(WikitextLinks, AnImageKeepsWhatFollowsFromStartingALine) {
  EXPECT_EQ(parse("[[File:a.jpg]]: b").text, ": b\n");
}

TEST(WikitextLinks, ALinkMayGoOverALineEnd) {
  EXPECT_EQ(text("a [[b|c\nd]] e"), "a c d e");
}

TEST(WikitextLinks, PipesInFormsForSeveralScriptsPartNoImageOptions) {
  EXPECT_EQ(parse("[[File:A.jpg|thumb|a|-{R|-{p|q}-|b}-]]").text, "-{R|-{p|q}-|b}-\n");
  EXPECT_EQ(parse("[[File:A.jpg|thumb|a|-{R|b]]").text, "-{R|b\n");
  EXPECT_EQ(parse("[[File:A.jpg|thumb|a|-{R|b}-|c]]").text, "c\n");
  EXPECT_EQ(parse("[[File:A.jpg|thumb|a}-|c]]").text, "a}-|c\n");
  EXPECT_EQ(parse("<gallery>\nA.jpg|a|-{b|c}-\n</gallery>").text, "-{b|c}-\n");
}

TEST(WikitextLinks, ExternalLinksOfCaptionsEndAtTheFirstBracket) {
  const auto caption = [](std::string_view text) {
    const Document document = parse("[[File:a.jpg|thumb|" + std::string(text) + "]]");
    std::string shown = document.text;
    for (const Link* link : all_links(document)) shown.append(link->target.text).append(" ");
    return shown;
  };
  EXPECT_EQ(caption("[http://e.org [[b]]] c"), "[[b]] c\n");
  EXPECT_EQ(caption("[http://e.org b [[c#d]] e] f [[g]]"), "b [[c#d] e] f g\nG ");
  EXPECT_EQ(caption("[http://e.org b [[c]], [[d]]] e"), "b [[c], d] e\nD ");
  EXPECT_EQ(caption("[http://e.org b [[c|d]]] e"), "b d e\nC ");
  EXPECT_EQ(caption("[http://e.org b] [[c]]"), "b c\nC ");
  EXPECT_EQ(caption("[b [[c]] d] e"), "[b c d] e\nC ");
  EXPECT_EQ(caption("[http://e.org b\n[[c]] d] e"), "[http://e.org b c d] e\nC ");
  EXPECT_EQ(parse("[http://e.org b [[c]] d]").text, "b c d\n");
}

}  // namespace
}  // namespace touchstone::extractors::wikitext::testing
