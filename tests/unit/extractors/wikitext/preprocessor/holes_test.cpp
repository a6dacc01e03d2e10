#include "extractors/wikitext/preprocessor/holes.hpp"

#include "tests/unit/extractors/wikitext/wikitext_fixture.hpp"

#include <gtest/gtest.h>

namespace touchstone::extractors::wikitext::testing {
namespace {

using Strings = std::vector<std::string>;

TEST(Holes, ASeparatorBehindABracketGoes) {
  EXPECT_EQ(text("Ada ({{x}}; born 1815) wrote."), "Ada (born 1815) wrote.");
  EXPECT_EQ(text("Ada ({{x}}, {{y}}; born 1815) wrote."), "Ada (born 1815) wrote.");
  EXPECT_EQ(text("Ada (born 1815; {{x}}) wrote."), "Ada (born 1815) wrote.");
}

TEST(Holes, BracketsAroundNothingGo) {
  EXPECT_EQ(text("Ada ({{x}}) wrote."), "Ada wrote.");
  EXPECT_EQ(text("Ada ({{x}}, {{y}}), a writer."), "Ada, a writer.");
  EXPECT_EQ(text("Ada ({{x}} ; {{y}}). Then"), "Ada. Then");
  EXPECT_EQ(text("({{x}}) wrote."), "wrote.");
}

TEST(Holes, SeparatorsMoveUpToTheWordInFront) {
  EXPECT_EQ(text("Ada {{x}}, a writer {{y}}."), "Ada, a writer.");
  EXPECT_EQ(text("Ada, {{x}}, a writer, {{y}}."), "Ada, a writer.");
  EXPECT_EQ(text("Penguin, 1962. {{x}}. See Ada ({{x}}).<ref>y</ref>"), "Penguin, 1962. See Ada.");
  EXPECT_EQ(text("by {{x}} and {{y}} others"), "by and others");
}

TEST(Holes, FullWidthAndArabicMarksCount) {
  EXPECT_EQ(text("ベルリン（{{x}}、伯林）は"), "ベルリン（伯林）は");
  EXPECT_EQ(text("ベルリン（{{x}}、{{y}}）は、{{z}}、首都。"), "ベルリンは、首都。");
  EXPECT_EQ(text("برلين ({{x}}، عاصمة)"), "برلين (عاصمة)");
  EXPECT_EQ(text("北京　{{x}}　市"), "北京　市");
}

TEST(Holes, WhatTheAuthorWroteStays) {
  EXPECT_EQ(text("Ada (; born 1815) , () {{x}} wrote ( , )."), "Ada (; born 1815) , () wrote ( , ).");
  EXPECT_EQ(text("from {{x}} to .5 and {{y}}.5 of {{z}},000"), "from to .5 and .5 of ,000");
  EXPECT_EQ(text("une {{x}} ; deux"), "une ; deux");
  EXPECT_EQ(text("({{x}}; a)", TemplateMode::kDrop), "(; a)");
}

TEST(Holes, MarkupIsLeftAlone) {
  EXPECT_EQ(blocks("({{x}}) * no item"), Strings({"() * no item"}));
  const Document document =
      parse("== Life ({{x}}) ==\n{|\n| a ({{x}})\n|}\n[[Ada|Ada ({{x}})]] wrote ({{x}}; b) to [[Bob]].");
  EXPECT_EQ(document.sections.at(1).heading.text, "Life ()");
  EXPECT_EQ(document.tables.at(0).cells.at(0).at(0).content.text, "a ()");
  ASSERT_EQ(document.blocks.size(), 1U);
  EXPECT_EQ(document.blocks[0].content.text, "Ada () wrote (b) to Bob.");
  ASSERT_EQ(document.blocks[0].content.links.size(), 2U);
  EXPECT_EQ(document.blocks[0].content.links[1].begin, 20U);
  EXPECT_EQ(document.blocks[0].content.links[1].end, 23U);
}

TEST(Holes, LinksBehindKeepTheirOrigin) {
  const Document document = parse("Ada ({{x}}; née [[Byron]]) of {{ill|London|de|London}}.");
  ASSERT_EQ(document.blocks.size(), 1U);
  const auto& links = document.blocks[0].content.links;
  ASSERT_EQ(links.size(), 2U);
  EXPECT_EQ(links[0].origin, LinkOrigin::kText);
  EXPECT_EQ(links[0].begin, 9U);
  EXPECT_EQ(links[1].origin, LinkOrigin::kTemplate);
}

TEST(Holes, UnknownValuesInArgumentsLeaveHolesToo) {
  EXPECT_EQ(text("Ada {{small|({{x}}; born 1815)}} wrote."), "Ada (born 1815) wrote.");
}

using Places = std::vector<std::uint32_t>;

/// The gaps of the only block.
Places gaps(std::string_view wikitext) {
  const Document document = parse(wikitext);
  return document.blocks.size() == 1 ? document.blocks[0].gaps : Places{9999};
}

TEST(Gaps, AreWhereASentenceLacksWords) {
  EXPECT_EQ(gaps("{{x}} is a shrine."), Places({0}));
  EXPECT_EQ(gaps("'''{{x}}''' was built."), Places({0}));
  EXPECT_EQ(gaps("* {{x}} damage"), Places({0}));
  EXPECT_EQ(gaps("* {{x}} — Ostra, 2000."), Places({0}));
  EXPECT_EQ(gaps("It is [[Ada|in]] {{x}}, where it rains."), Places({8}));
  EXPECT_EQ(gaps("Größe about {{x}}. More."), Places({11}));
  EXPECT_EQ(gaps("One. It has {{x}} and {{y}} members."), Places({12, 16}));
  EXPECT_EQ(gaps("It weighs {{x}}"), Places({9}));
  EXPECT_EQ(gaps("It was in {{#foo:bar}} then."), Places({10}));
  EXPECT_EQ(gaps("社は、{{x}}で建てた。次。"), Places({3}));
  EXPECT_EQ(gaps("社である。{{x}}、建てた。次。"), Places({5}));
  EXPECT_EQ(gaps("社は、{{x}}やがて建てた。"), Places());
}

TEST(Gaps, AreNotWhereTheTextReadsWellWithoutTheCall) {
  for (const char* wikitext :
       {"{{x}}\nIt is a shrine.", "It is a shrine.{{x}}", "It is a shrine. {{x}} It is old.",
        "It{{x}} is a shrine{{y}}.", "It ({{x}}; born 1815) wrote.", "'''Ada''' {{x}} is a writer.", "{{x}} Ada wrote.",
        "the {{x}}[[Ada]] of it", "* Ada {{x}}", "Ada was{{Citation needed}} here {{citation needed}}."}) {
    EXPECT_EQ(gaps(wikitext), Places()) << wikitext;
  }
}

TEST(MarkingTags, ShowTheirContentAndNothingElse) {
  EXPECT_EQ(
      blocks("<languages/>\n<translate>\n<!--T:1-->\nUse <tvar name=\"a\">[[Foo|foo]]</tvar> here.\n</translate>"),
      Strings({"Use foo here."}));
  EXPECT_EQ(blocks("<translate nowrap>One</translate> <tvar|b>two</> three"), Strings({"One two three"}));
  EXPECT_EQ(blocks("a </> b"), Strings({"a </> b"}));
  EXPECT_EQ(blocks("<section begin=x />Text<section end=x /> <section begin=\"y\">more</section>"),
            Strings({"Text more"}));
  EXPECT_EQ(blocks("<tabs><tab name=\"One\">first</tab></tabs>"), Strings({"first"}));
}

TEST(MarkingTags, HeadingsListsAndTablesInsideAreRead) {
  const Document document = parse(
      "<translate>\n== Setup == <!--T:1-->\n</translate>\n<translate>\n* one\n* two\n</translate>\n{|\n| "
      "<translate>cell</translate>\n|}");
  ASSERT_EQ(document.sections.size(), 2U);
  EXPECT_EQ(document.sections[1].heading.text, "Setup");
  EXPECT_EQ(document.blocks.size(), 2U);
  EXPECT_EQ(document.tables.at(0).cells.at(0).at(0).content.text, "cell");
}

TEST(MarkingTags, TabsShowTheirNamesAndTexts) {
  EXPECT_EQ(blocks("<tabber>\nOne=The [[Foo|foo]].\n|-|\nTwo={{x}}The bar.\n</tabber>"),
            Strings({"One", "The foo.", "Two", "The bar."}));
  EXPECT_EQ(targets("<tabber>|-|A=[[Foo]]</tabber>"), Strings({"Foo"}));
}

}  // namespace
}  // namespace touchstone::extractors::wikitext::testing
