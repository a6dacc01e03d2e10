#include "extractors/site/site_info.hpp"
#include "pipeline/passages/passage_composer.hpp"
#include "pipeline/passages/sentences.hpp"
#include "storage/keys.hpp"
#include "storage/meta_keys.hpp"
#include "tests/support/temporary_folder.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::passages {
namespace {

using storage::Family;
using storage::ParagraphKind;
using storage::ParagraphRecord;

ParagraphRecord text_of(std::string text, std::vector<storage::TextLink> links = {},
                        ParagraphKind kind = ParagraphKind::kParagraph) {
  ParagraphRecord record;
  record.kind = kind;
  record.text = std::move(text);
  record.links = std::move(links);
  return record;
}

class PassageTexts : public ::testing::Test {
 protected:
  testing::TemporaryFolder folder;
  std::unique_ptr<storage::Store> store = storage::Store::open(folder / "store", storage::Access::kReadWrite);
  PassagesOptions config;

  /// Page 7, an article with these paragraphs in its lead.
  void put(const std::vector<ParagraphRecord>& paragraphs) {
    storage::PageRecord page;
    page.title = {0, "Article"};
    page.content = storage::PageContent::kRead;
    storage::OutlineRecord outline;
    outline.sections.emplace_back();
    outline.sections[0].paragraph_count = static_cast<std::uint32_t>(paragraphs.size());
    storage::LinkRecord links;
    links.targets = {{0, "Ostra"}, {0, "Basil"}};
    storage::Batch batch;
    batch.put(Family::kParagraph, storage::page_part_key(PageId{7}, 0), encode(storage::SectionTextRecord{paragraphs}));
    batch.put(Family::kPage, storage::page_key(PageId{7}), encode(page));
    batch.put(Family::kOutline, storage::page_key(PageId{7}), encode(outline));
    batch.put(Family::kLink, storage::page_key(PageId{7}), encode(links));
    store->write(batch, storage::Durability::kProcess);
  }
};

TEST_F(PassageTexts, TheMainPageShowsPiecesOfOthersAndIsNoPassage) {
  extractors::site::SiteInfo site;
  site.language = "en";
  site.base_url = "https://example.org/wiki/Article";  // the title of what put() writes
  site.finish();
  storage::Batch batch;
  batch.put(Family::kMeta, storage::kMetaSite, site.to_json());
  store->write(batch, storage::Durability::kProcess);
  put({text_of("Today's featured lighthouse is Hook Light.")});
  config.keep_markup = true;
  EXPECT_EQ(PassageComposer(*store, config).passages(PageId{7}).size(), 1U) << "texts are kept as they are";
  config.keep_markup = false;
  std::vector<PassageReject> reasons;
  const PassageComposer composer(*store, config);
  EXPECT_TRUE(composer.passages(PageId{7}, [&](auto reason, std::string_view) { reasons.push_back(reason); }).empty());
  EXPECT_EQ(reasons, std::vector{PassageReject::kMainPage});
}

TEST_F(PassageTexts, NotesThatLeadToOtherPagesAreInNoPassage) {
  put({text_of("Main article: Basil", {{14, 19, 1, false}}, ParagraphKind::kNote),
       text_of("Basil is a light near the coast.", {{0, 5, 1, false}})});
  const PassageComposer composer(*store, config);
  const auto found = composer.passages(PageId{7});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].text, "Basil is a light near the coast.");
  EXPECT_EQ(found[0].links.size(), 1U);
}

TEST_F(PassageTexts, TextsWithStrayMarkupAreLeftOutUnlessAskedFor) {
  config.scope = PassageScope::kAll;
  config.granularity = Granularity::kParagraph;
  put({text_of("It is recognized as a Ronsha}} of the old province."),
       text_of("Write [[Basil]] to make a link to the page Basil.")});
  config.keep_markup = true;
  EXPECT_EQ(PassageComposer(*store, config).passages(PageId{7}).size(), 2U);
  config.keep_markup = false;
  std::vector<PassageReject> left_out;
  const auto found = PassageComposer(*store, config).passages(PageId{7}, [&](PassageReject reason, std::string_view) {
    left_out.push_back(reason);
  });
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].ordinal, 1U);
  EXPECT_EQ(left_out, (std::vector<PassageReject>{PassageReject::kLeftoverMarkup}));
}

TEST_F(PassageTexts, ASentenceThatLacksWordsIsLeftOut) {
  auto lead = text_of("Ostra was built in 1900. It is in , near Basil. Ships see it.", {{39, 44, 1, false}});
  lead.gaps = {31};
  auto whole = text_of("is a light near the old coast of the land.");
  whole.gaps = {0};
  put({lead, whole});
  std::vector<std::string> left_out;
  const auto found = PassageComposer(*store, config).passages(PageId{7}, [&](PassageReject, std::string_view text) {
    left_out.emplace_back(text);
  });
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].text, "Ostra was built in 1900. Ships see it.");
  EXPECT_TRUE(found[0].links.empty());
  EXPECT_EQ(left_out,
            (std::vector<std::string>{"It is in , near Basil.", "is a light near the old coast of the land."}));
}

TEST_F(PassageTexts, ALinkToATranslationInFrontOfATextIsNoTextOfIt) {
  put({text_of("Translation:en/Light The light Ostra is on the coast.", {{0, 20, 0, false}, {31, 36, 0, false}})});
  const auto found = PassageComposer(*store, config).passages(PageId{7});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].text, "The light Ostra is on the coast.");
  ASSERT_EQ(found[0].links.size(), 1U);
  EXPECT_EQ(found[0].links[0].begin, 10U);
  put({text_of("Ostra Light is a light on the coast.", {{0, 5, 0, false}})});
  EXPECT_EQ(PassageComposer(*store, config).passages(PageId{7}).at(0).text, "Ostra Light is a light on the coast.");
}

TEST_F(PassageTexts, WhatAnnouncesAListKeepsItOrGoes) {
  const auto item = [](const char* text) {
    auto record = text_of(text, {}, ParagraphKind::kListItem);
    record.list_marker = "*";
    return record;
  };
  config.granularity = Granularity::kParagraph;
  put({text_of("The coast is long. These lights are on it:"), item("Ostra, which is red"),
       item("Basil, which is white"), text_of("The ships that saw the lights were not many. They were:"),
       text_of("Nobody else came to the coast.")});
  const auto texts = [&] {
    std::vector<std::string> found;
    for (const auto& passage : PassageComposer(*store, config).passages(PageId{7})) found.push_back(passage.text);
    return found;
  };
  EXPECT_EQ(texts(), (std::vector<std::string>{
                         "The coast is long. These lights are on it:\nOstra, which is red\nBasil, which is white",
                         "The ships that saw the lights were not many.", "Nobody else came to the coast."}));
  config.include_lists = false;
  EXPECT_EQ(texts(), (std::vector<std::string>{"The ships that saw the lights were not many.",
                                               "Nobody else came to the coast."}))
      << "four words are left of the first";
}

TEST_F(PassageTexts, ListItemsAndTextsWithoutAnEndAreNotRunTogether) {
  put({text_of("Light calls"), text_of("Basil is a light."), text_of("It is old. Others:"),
       text_of("Ostra", {{0, 5, 0, false}}, ParagraphKind::kListItem), text_of("Cliff", {}, ParagraphKind::kListItem),
       text_of("Both are red.")});
  const auto found = PassageComposer(*store, config).passages(PageId{7}).at(0);
  EXPECT_EQ(found.text, "Light calls\nBasil is a light. It is old. Others:\nOstra\nCliff\nBoth are red.");
  ASSERT_EQ(found.links.size(), 1U);
  EXPECT_EQ(found.text.substr(found.links[0].begin, 5), "Ostra");
}

TEST_F(PassageTexts, CodeStaysWithItsParagraphAndIsNoPassageAlone) {
  config.granularity = Granularity::kParagraph;
  const auto code = text_of("$ ./configure --prefix=/usr && make", {}, ParagraphKind::kPreformatted);
  put({text_of("Build the program as follows, and wait."), code, text_of("Then start it from the menu.")});
  const auto found = PassageComposer(*store, config).passages(PageId{7});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].text, "Build the program as follows, and wait.\n$ ./configure --prefix=/usr && make");
  EXPECT_EQ(found[1].ordinal, 2U);
  put({code});
  EXPECT_TRUE(PassageComposer(*store, config).passages(PageId{7}).empty());
}

TEST_F(PassageTexts, PreformattedWordsWithoutASentenceAreCode) {
  put({text_of("cd basil make and install it", {}, ParagraphKind::kPreformatted)});
  EXPECT_TRUE(PassageComposer(*store, config).passages(PageId{7}).empty());
  put({text_of("Basil is a light near the coast.", {}, ParagraphKind::kPreformatted)});
  EXPECT_EQ(PassageComposer(*store, config).passages(PageId{7}).size(), 1U);
}

TEST_F(PassageTexts, LinesOfLinksLeadThroughTheWikiAndGo) {
  put({text_of("Ostra | Basil", {{0, 5, 0, false}, {8, 13, 1, false}}), text_of("commons:Category:Basil Light"),
       text_of("Basil is a light near the coast.", {{0, 5, 1, false}})});
  const auto found = PassageComposer(*store, config).passages(PageId{7});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].text, "Basil is a light near the coast.");
  EXPECT_EQ(found[0].links.size(), 1U);
}

TEST_F(PassageTexts, SentencesThatLeadToTheNextPageByAnArrowGo) {
  put({text_of("Basil ist ein Licht an der Küste. Weiter: Ostra »", {{0, 5, 1, false}, {42, 47, 0, false}})});
  const auto found = PassageComposer(*store, config).passages(PageId{7});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].text, "Basil ist ein Licht an der Küste.");
  EXPECT_EQ(found[0].links.size(), 1U);
  put({text_of("← Basil | Ostra →", {{10, 15, 0, false}}), text_of("Basil jest latarnią na wybrzeżu kraju.")});
  EXPECT_EQ(PassageComposer(*store, config).passages(PageId{7}).at(0).text, "Basil jest latarnią na wybrzeżu kraju.");
  for (const char* whole : {"Basil est un phare, dit « le Blanc »", "Basil -> Ostra is the way of the ships."}) {
    put({text_of(whole, {{0, 5, 1, false}})});
    EXPECT_EQ(PassageComposer(*store, config).passages(PageId{7}).at(0).text, whole);
  }
}

TEST_F(PassageTexts, WhatBreaksOffInFrontOfAListThatIsNoTextGoes) {
  config.granularity = Granularity::kParagraph;
  config.include_lists = false;
  auto item = text_of("le signal est rouge", {}, ParagraphKind::kListItem);
  item.list_marker = "*";
  put({text_of("Le phare de Basil est un phare rouge. Les bateaux se perdent parce que"), item,
       text_of("ou parce que le pilote dort. Le phare de Basil est au bord de la mer"),
       text_of("Ostra est un autre phare.")});
  std::vector<std::string> found;
  for (const auto& passage : PassageComposer(*store, config).passages(PageId{7})) found.push_back(passage.text);
  EXPECT_EQ(found, (std::vector<std::string>{"Le phare de Basil est un phare rouge.",
                                             "Le phare de Basil est au bord de la mer", "Ostra est un autre phare."}));
}

TEST_F(PassageTexts, ListsInSectionsThatAreNoTextGo) {
  extractors::site::SiteInfo site;
  site.language = "en";
  storage::OutlineRecord outline;
  outline.sections.resize(3);
  outline.sections[1].heading = outline.sections[2].heading = "Further reading";
  for (std::uint32_t i = 0; i < 3; ++i) {
    outline.sections[i].first_paragraph = i;
    outline.sections[i].paragraph_count = 1;
  }
  put({text_of("Basil is a light near the coast.")});
  storage::Batch batch;
  batch.put(Family::kMeta, storage::kMetaSite, site.to_json());
  batch.put(Family::kOutline, storage::page_key(PageId{7}), encode(outline));
  const auto put_section = [&](std::uint32_t number, ParagraphKind kind) {
    batch.put(Family::kParagraph, storage::page_part_key(PageId{7}, number),
              encode(storage::SectionTextRecord{{text_of("Ada Light, Lights of the coast. Ostra 1995.", {}, kind)}}));
  };
  put_section(1, ParagraphKind::kListItem);
  put_section(2, ParagraphKind::kParagraph);
  store->write(batch, storage::Durability::kProcess);
  config.scope = PassageScope::kAll;
  config.repeats = Repeats::kKeep;
  const auto found = PassageComposer(*store, config).passages(PageId{7});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[1].ordinal, 2U) << "paragraphs of such a section may be text";
}

TEST_F(PassageTexts, QuotedNamesOfPropertiesAreData) {
  config.scope = PassageScope::kAll;
  config.granularity = Granularity::kParagraph;
  put(
      {text_of("Q7017|P6262|\"shinto:Category:1930s establishments in the Empire of Japan\" "
               "Q7018|P6262|\"shinto:Category:1920s establishments in the Empire of Japan\"")});
  EXPECT_TRUE(PassageComposer(*store, config).passages(PageId{7}).empty());
}

TEST(PassageRules, HeadingsThatNamePropertiesAreKnown) {
  EXPECT_TRUE(names_property("part of (P361)"));
  for (const char* heading : {"Lights", "Lights (Ostra)", "Lights (P)", "P361", "Phase (P3a)"})
    EXPECT_FALSE(names_property(heading)) << heading;
}

}  // namespace
}  // namespace touchstone::pipeline::passages
