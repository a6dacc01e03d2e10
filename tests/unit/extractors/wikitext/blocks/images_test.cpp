#include "tests/unit/extractors/wikitext/wikitext_fixture.hpp"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::extractors::wikitext::testing {
namespace {

using Shown = std::vector<std::pair<std::string, std::string>>;

/// Files with their captions.
Shown images_of(std::string_view wikitext) {
  Shown shown;
  for (const Image& image : parse(wikitext).images) shown.emplace_back(image.file, image.caption.text);
  return shown;
}

std::string linked_text(const RichText& text, std::size_t link) {
  return text.text.substr(text.links.at(link).begin, text.links.at(link).end - text.links.at(link).begin);
}

TEST(Images, FramedAndPlainImagesHaveTheirCaptions) {
  EXPECT_EQ(images_of("[[File:a.jpg|thumb|upright=1.2|The ''old'' light]] text [[Image:b c.png|20px|An icon]] "
                      "[[File:d.svg]] [[File:e.svg|left|60px]]"),
            (Shown{{"A.jpg", "The old light"}, {"B c.png", "An icon"}, {"D.svg", ""}, {"E.svg", ""}}));
}

TEST(Images, LinksOfCaptionsHaveOffsets) {
  for (const char* wikitext :
       {"[[File:a.jpg|thumb|See [[Hook Head|the light]]s, [[Ostra]] and [http://example.org more] too]]",
        "[[File:a.jpg|See [[Hook Head|the light]]s, [[Ostra]] and [http://example.org more] too]]"}) {
    const Document document = parse(wikitext);
    ASSERT_EQ(document.images.size(), 1U) << wikitext;
    const RichText& caption = document.images[0].caption;
    EXPECT_EQ(caption.text, "See the lights, Ostra and more too") << wikitext;
    ASSERT_EQ(caption.links.size(), 2U) << wikitext;
    EXPECT_EQ(caption.links[0].target.text, "Hook Head");
    EXPECT_EQ(linked_text(caption, 0), "the lights");
    EXPECT_EQ(caption.links[1].target.text, "Ostra");
    EXPECT_EQ(linked_text(caption, 1), "Ostra");
    EXPECT_EQ(document.other_links.size(), 2U) << "the page's links count once: " << wikitext;
  }
}

TEST(Images, OffsetsCountCodePoints) {
  const Document document = parse("[[File:a.jpg|thumb|Ünï [[Å]]]]");
  ASSERT_EQ(document.images.at(0).caption.links.size(), 1U);
  EXPECT_EQ(document.images[0].caption.links[0].begin, 4U);
  EXPECT_EQ(document.images[0].caption.links[0].end, 5U);
}

TEST(Images, TheirPlaceIsBetweenTheBlocks) {
  const Document document = parse(
      "[[File:a.jpg|thumb|a]]\nfirst\n\n[[File:b.jpg|thumb|b]]\nsecond [[File:c.jpg|10px]] goes on\n== h ==\n"
      "* item [[File:d.jpg|thumb|d]]\n* item\n[[File:e.jpg|thumb]]");
  std::vector<std::pair<std::uint32_t, std::uint32_t>> places;
  for (const Image& image : document.images) places.emplace_back(image.section, image.block);
  EXPECT_EQ(places, (std::vector<std::pair<std::uint32_t, std::uint32_t>>{{0, 0}, {0, 1}, {0, 2}, {1, 3}, {1, 4}}));
}

TEST(Images, CaptionsOfCellsStayTextOfTheCell) {
  const Document document = parse("{|\n| x [[File:a.jpg|thumb|of [[B]]]]\n|}");
  ASSERT_EQ(document.images.size(), 1U);
  EXPECT_EQ(document.images[0].caption.text, "of B");
  EXPECT_EQ(document.images[0].caption.links.at(0).target.text, "B");
  EXPECT_EQ(document.tables.at(0).cells[0][0].content.text, "x of B");
  EXPECT_EQ(document.tables[0].cells[0][0].content.links.at(0).target.text, "B");
  EXPECT_TRUE(document.other_links.empty());
}

TEST(Images, EachItemOfAGalleryIsOne) {
  EXPECT_EQ(images_of("<gallery caption=\"All of them\">\nFile:a.jpg|Where [[B]] stood\nc.png\nHelp:Me|x\n\n"
                      "Image:d%20e.jpg|alt=not shown|''D''\n</gallery>"),
            (Shown{{"A.jpg", "Where B stood"}, {"C.png", ""}, {"D e.jpg", "D"}}));
  EXPECT_EQ(images_of("<gallery showfilename>\nFile:a.jpg|Words\n</gallery>"), (Shown{{"A.jpg", "Words"}}));
  EXPECT_EQ(parse("<gallery>\nFile:a.jpg|[[B]]\n</gallery>").images.at(0).caption.links.size(), 1U);
}

TEST(Images, AnImageMapShowsItsImage) {
  EXPECT_EQ(images_of("<imagemap>\n# comment\nFile:a.jpg|200px\nrect 1 2 3 4 [[B]]\n</imagemap>"),
            (Shown{{"A.jpg", ""}}));
}

TEST(Images, AnImageInACaptionHasItsOwnCaption) {
  EXPECT_EQ(images_of("[[File:a.jpg|thumb|x [[File:b.jpg|10px|icon]] y [[File:c.jpg|thumb|inner]] z]] after"),
            (Shown{{"A.jpg", "x y z"}, {"B.jpg", "icon"}, {"C.jpg", "inner"}}));
  EXPECT_EQ(images_of("[[File:a.jpg|x [[File:b.jpg|10px|icon]] y]]"), (Shown{{"A.jpg", "x y"}}));
}

TEST(Images, AnUnknownFileHasNoName) {
  EXPECT_EQ(images_of("[[File:{{unknown name}}.jpg|thumb|The light]]"), (Shown{{"", "The light"}}));
}

TEST(Images, WhatThePageDoesNotShowIsLeftOut) {
  EXPECT_TRUE(images_of("<ref>[[File:a.jpg|thumb|a]]</ref> {{box|image=[[File:b.jpg|b]]}} [[:File:c.jpg]] "
                        "[[Media:d.ogg]] <nowiki>[[File:e.jpg]]</nowiki> [[File:f.jpg|thumb|never closed")
                  .empty());
  EXPECT_TRUE(images_of("{| class=\"toc\"\n| [[File:a.jpg|10px|a]]\n|}").empty());
  // What a navigation table leaves open is not the next image's caption.
  EXPECT_EQ(images_of("{| class=\"toc\"\n| [[File:a.jpg|thumb|x\n|}\n[[File:b.jpg|thumb|b]] y]]\n"
                      "[[File:c.jpg|thumb|c]]")
                .back(),
            (std::pair<std::string, std::string>{"C.jpg", "c"}));
}

TEST(Images, ALanguageConversionRuleIsNoTextOfAHiddenCaption) {
  const auto site = site::SiteInfo::make_default("zh");
  const auto caption = [&](std::string_view wikitext) {
    return parse_wikitext(site, TemplateRules::built_in("zh"), {kNamespaceMain, "A"}, wikitext, {})
        .images.at(0)
        .caption.text;
  };
  EXPECT_EQ(caption("[[File:a.jpg|20px|x -{zh-hans:b;zh-hant:c}-]]"), "");
  EXPECT_EQ(caption("[[File:a.jpg|20px|x]]"), "x");
  EXPECT_EQ(caption("[[File:a.jpg|thumb|x -{b}-]]"), "x b");
}

TEST(Images, MarkupOfCaptionsIsRead) {
  EXPECT_EQ(images_of("[[File:a.jpg|thumb|H<sub>2</sub>O<br>is<ref>note</ref> &amp; '''was''' {{convert|2|km}} "
                      "<nowiki>[[x]]</nowiki>]]"),
            (Shown{{"A.jpg", "H2O is & was 2 kilometres (1.2 mi) [[x]]"}}));
  EXPECT_EQ(images_of("[[File:a.jpg|H<sub>2</sub>O<br>is<ref>note</ref> &amp; '''was''' <nowiki>[[x]]</nowiki>]]"),
            (Shown{{"A.jpg", "H2O is & was [[x]]"}}));
}

TEST(Tables, TheirPlaceIsBetweenTheBlocks) {
  const Document document =
      parse("{|\n| a\n|}\none\n{|\n| b\n{|\n| inner\n|}\n|}\n* two\n:{|\n| c\n|}\n<div>three {|\n| d\n|} four</div>");
  std::vector<std::uint32_t> places;
  for (const Table& table : document.tables) places.push_back(table.block);
  EXPECT_EQ(places, (std::vector<std::uint32_t>{0, 1, 1, 2}));
  const Document inside = parse("<ul><li>one\n{|\n| a\n|}\ntwo</li></ul>");
  EXPECT_EQ(inside.blocks.size(), 2U);
  EXPECT_EQ(inside.tables.at(0).block, 1U);
}

}  // namespace
}  // namespace touchstone::extractors::wikitext::testing
