#include "common/unicode.hpp"
#include "pipeline/passages/passage_composer.hpp"
#include "storage/keys.hpp"
#include "tests/support/temporary_folder.hpp"
#include "text/words.hpp"

#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::passages {
namespace {

using storage::Family;
using storage::ParagraphKind;
using storage::ParagraphRecord;

/// Code points [begin, end) of a text.
std::string slice(const std::string& text, std::uint32_t begin, std::uint32_t end) {
  std::string out;
  std::uint32_t index = 0;
  for (std::size_t at = 0; at < text.size(); ++index) {
    const char32_t c = next_code_point(text, at);
    if (index >= begin && index < end) append_utf8(out, c);
  }
  return out;
}

ParagraphRecord paragraph(std::string text, std::vector<storage::TextLink> links = {},
                          ParagraphKind kind = ParagraphKind::kParagraph) {
  ParagraphRecord record;
  record.kind = kind;
  record.text = std::move(text);
  record.links = std::move(links);
  return record;
}

class Passages : public ::testing::Test {
 protected:
  testing::TemporaryFolder folder;
  std::unique_ptr<storage::Store> store = storage::Store::open(folder / "store", storage::Access::kReadWrite);
  PassagesOptions config = every_text();

  /// The rules about texts that are not passages have tests of their own.
  static PassagesOptions every_text() {
    PassagesOptions options;
    options.min_words = 0;
    options.max_link_share = options.max_number_share = options.max_property_share = 1;
    options.keep_markup = true;
    return options;
  }

  /// An article with one section per element; section 0 is the lead, the others are children of `parents[i]`.
  void put(PageId id, const std::vector<std::vector<ParagraphRecord>>& sections,
           std::vector<std::uint32_t> parents = {}, storage::PageRecord page = {}) {
    page.title = {page.title.ns, "Article"};
    if (page.content == storage::PageContent::kNotRead) page.content = storage::PageContent::kRead;
    storage::OutlineRecord outline;
    storage::LinkRecord links;
    links.targets = {{0, "Ōstra"}, {0, "Basil"}};
    storage::Batch batch;
    std::uint32_t first = 0;
    for (std::uint32_t i = 0; i < sections.size(); ++i) {
      storage::OutlineRecord::Section section;
      section.level = i == 0 ? 0 : 2;
      section.parent = i < parents.size() ? parents[i] : 0;
      section.heading = i == 0 ? "" : "Heading " + std::to_string(i);
      section.first_paragraph = first;
      section.paragraph_count = static_cast<std::uint32_t>(sections[i].size());
      first += section.paragraph_count;
      outline.sections.push_back(section);
      if (!sections[i].empty())
        batch.put(Family::kParagraph, storage::page_part_key(id, i), encode(storage::SectionTextRecord{sections[i]}));
    }
    batch.put(Family::kPage, storage::page_key(id), encode(page));
    batch.put(Family::kOutline, storage::page_key(id), encode(outline));
    batch.put(Family::kLink, storage::page_key(id), encode(links));
    store->write(batch, storage::Durability::kProcess);
  }

  std::vector<Passage> passages(PageId id = PageId{7}) const { return PassageComposer(*store, config).passages(id); }
};

TEST_F(Passages, TheLeadIsOnePassageByDefault) {
  put(PageId{7}, {{paragraph("One."), paragraph("Two.")}, {paragraph("Later.")}});
  const auto found = passages();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].text, "One. Two.");
  EXPECT_EQ(found[0].ordinal, 0U);
  EXPECT_TRUE(found[0].section_path.empty());
}

TEST_F(Passages, ThePartWithTextThatComesFirstIsTheLeadOfAnArticleWithoutOne) {
  put(PageId{7}, {{paragraph(" ")}, {}, {paragraph("One.")}, {paragraph("Two.")}});
  const PassageComposer composer(*store, config);
  const auto found = composer.passages(PageId{7});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].text, "One.");
  EXPECT_EQ(found[0].ordinal, 2U);
}

TEST_F(Passages, LinkOffsetsAreCodePointsOfTheJoinedText) {
  put(PageId{7},
      {{paragraph("Übergänge 🚢 zu Ōstra.", {{15, 20, 0, false}}), paragraph("日本 Basil", {{3, 8, 1, true}})}});
  const auto found = passages();
  ASSERT_EQ(found.size(), 1U);
  ASSERT_EQ(found[0].links.size(), 2U);
  EXPECT_EQ(slice(found[0].text, found[0].links[0].begin, found[0].links[0].end), "Ōstra");
  EXPECT_EQ(slice(found[0].text, found[0].links[1].begin, found[0].links[1].end), "Basil");
  EXPECT_EQ(found[0].links[0].target, 0U);
  EXPECT_EQ(found[0].links[1].target, 1U);
}

TEST_F(Passages, CodeHasLinesOfItsOwn) {
  put(PageId{7}, {{paragraph("a\nb\tc\rd", {}, ParagraphKind::kPreformatted)}});
  config.keep_markup = true;
  EXPECT_EQ(passages().at(0).text, "a\nb c d");
}

TEST_F(Passages, ParagraphsKeepTheirOrdinalsWhenListItemsAreLeftOut) {
  config.granularity = Granularity::kParagraph;
  config.include_lists = false;
  config.scope = PassageScope::kAll;
  put(PageId{7}, {{paragraph("a"), paragraph("item", {}, ParagraphKind::kListItem), paragraph("b")}, {paragraph("c")}});
  const auto found = passages();
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].ordinal, 0U);
  EXPECT_EQ(found[1].ordinal, 2U);
  EXPECT_EQ(found[2].ordinal, 3U);
  EXPECT_EQ(found[2].section_path, std::vector<std::string>{"Heading 1"});
}

TEST_F(Passages, SectionPathsGoFromTheOutsideIn) {
  config.scope = PassageScope::kAll;
  put(PageId{7}, {{paragraph("lead")}, {}, {paragraph("deep")}}, {0, 0, 1});
  const auto found = passages();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[1].section_path, (std::vector<std::string>{"Heading 1", "Heading 2"}));
  EXPECT_EQ(found[1].ordinal, 2U);
}

TEST_F(Passages, RedirectsOtherNamespacesAndUnknownPagesHaveNone) {
  storage::PageRecord redirect, talk, unread;
  redirect.is_redirect = true;
  talk.title.ns = 1;
  unread.content = storage::PageContent::kOtherModel;
  put(PageId{1}, {{paragraph("text")}}, {}, redirect);
  put(PageId{2}, {{paragraph("text")}}, {}, talk);
  put(PageId{3}, {{paragraph("text")}}, {}, unread);
  for (const std::uint32_t id : {1U, 2U, 3U, 99U}) EXPECT_TRUE(passages(PageId{id}).empty()) << id;
}

TEST_F(Passages, AnArticleWithoutTextHasNone) {
  put(PageId{7}, {{}, {paragraph("")}});
  config.scope = PassageScope::kAll;
  EXPECT_TRUE(passages().empty());
}

TEST_F(Passages, SnippetsEndWithSentences) {
  config.granularity = Granularity::kSnippet;
  config.max_words = 10;
  put(PageId{7}, {{paragraph("One two three four. Five six seven eight. Nine ten eleven twelve.")}});
  const auto found = passages();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].text, "One two three four. Five six seven eight.");
  EXPECT_EQ(found[1].text, "Nine ten eleven twelve.");
  EXPECT_EQ(found[1].ordinal, 1U);
}

TEST_F(Passages, ASentenceLongerThanASnippetIsCutAtBlanks) {
  config.granularity = Granularity::kSnippet;
  config.max_words = 10;
  std::string sentence;
  for (int i = 0; i < 25; ++i) sentence += "w" + std::to_string(i) + (i == 24 ? "." : " ");
  put(PageId{7}, {{paragraph(sentence)}});
  const auto found = passages();
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].text, "w0 w1 w2 w3 w4 w5 w6 w7 w8 w9");
  EXPECT_EQ(found[2].text, "w20 w21 w22 w23 w24.");
}

TEST_F(Passages, SnippetLinksKeepTheirWordsAndThoseAcrossACutAreLeftOut) {
  config.granularity = Granularity::kSnippet;
  config.max_words = 10;
  put(PageId{7}, {{paragraph("日本 one two three four. Öne two three four five. Six Basil seven eight.",
                             {{0, 2, 0, false}, {42, 51, 0, false}, {52, 57, 1, false}})}});
  const auto found = passages();
  ASSERT_EQ(found.size(), 2U);
  ASSERT_EQ(found[0].links.size(), 1U);
  EXPECT_EQ(slice(found[0].text, found[0].links[0].begin, found[0].links[0].end), "日本");
  ASSERT_EQ(found[1].links.size(), 1U);
  EXPECT_EQ(slice(found[1].text, found[1].links[0].begin, found[1].links[0].end), "Basil");
}

TEST_F(Passages, SnippetsTogetherHoldEveryWordInOrderForRandomTexts) {
  config.granularity = Granularity::kSnippet;
  const auto seed = 20'250'101U;
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const std::vector<std::string> words = {"a",    "Über", "日本", "word.", "Ends!",      "3.5",
                                          "e.g.", "🚢",    "Mr.",  "(so)",  "\"Quoted.\""};
  const auto no_blanks = [](std::string text) {
    std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
    return text;
  };
  for (std::uint32_t round = 1; round <= 60; ++round) {
    std::vector<ParagraphRecord> lead;
    std::string all;
    for (unsigned p = 0; p < 1 + random() % 3; ++p) {
      std::string text;
      for (unsigned w = 0; w < 1 + random() % 60; ++w)
        text += (text.empty() ? "" : " ") + words[random() % words.size()];
      all += text;
      lead.push_back(paragraph(text));
    }
    put(PageId{round}, {lead});
    config.max_words = 10 + static_cast<std::int64_t>(random() % 20);
    std::string joined;
    std::uint32_t ordinal = 0;
    for (const auto& snippet : passages(PageId{round})) {
      EXPECT_EQ(snippet.ordinal, ordinal++);
      EXPECT_FALSE(snippet.text.empty());
      EXPECT_NE(snippet.text.back(), ' ');
      EXPECT_LE(std::count(snippet.text.begin(), snippet.text.end(), ' ') + 1, config.max_words);
      joined += snippet.text;
    }
    EXPECT_EQ(no_blanks(joined), no_blanks(all));
  }
}

TEST_F(Passages, LongTextsAreCutAtEveryGranularityWithoutChangingOtherDocids) {
  config.scope = PassageScope::kAll;
  config.max_words = 10;
  put(PageId{7},
      {{paragraph("One two three four five. Six seven eight nine ten. Eleven Basil twelve.", {{58, 63, 1, false}})},
       {paragraph("Short one.")}});
  for (const auto granularity : {Granularity::kSection, Granularity::kParagraph}) {
    config.granularity = granularity;
    const auto found = passages();
    ASSERT_EQ(found.size(), 3U);
    EXPECT_EQ(found[0].ordinal, 0U);
    EXPECT_EQ(found[0].text, "One two three four five. Six seven eight nine ten.");
    EXPECT_EQ(found[1].ordinal, 1U);
    EXPECT_EQ(found[2].ordinal, 100'000U);
    EXPECT_EQ(found[2].text, "Eleven Basil twelve.");
    ASSERT_EQ(found[2].links.size(), 1U);
    EXPECT_EQ(slice(found[2].text, found[2].links[0].begin, found[2].links[0].end), "Basil");
  }
  config.max_words = 0;
  EXPECT_EQ(passages().size(), 2U);
}

TEST_F(Passages, AShortEndTakesSentencesFromThePartBeforeIt) {
  config.max_words = 10;
  config.min_words = 5;
  put(PageId{7}, {{paragraph("One two three four five. Six seven eight nine ten. Eleven twelve.")}});
  const auto found = passages();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].text, "One two three four five.");
  EXPECT_EQ(found[1].text, "Six seven eight nine ten. Eleven twelve.");
}

TEST_F(Passages, TextsOfScriptsWithoutBlanksAreCutToo) {
  config.max_words = 10;
  std::string text;
  for (int i = 0; i < 45; ++i) text += "山";
  put(PageId{7}, {{paragraph(text)}});
  const auto found = passages();
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(count_code_points(found[0].text), 20U);
  EXPECT_EQ(count_code_points(found[2].text), 5U);
  for (const auto& passage : found) EXPECT_LE(text::count_words(passage.text), 10U);
}

TEST_F(Passages, WhatIsNoPassageIsLeftOutWithItsReason) {
  config = {};
  config.scope = PassageScope::kAll;
  config.granularity = Granularity::kParagraph;
  put(PageId{7}, {{paragraph("Too short to judge."),
                   paragraph("Basil Basil Basil Basil and Basil", {{0, 23, 1, false}, {28, 33, 1, false}}),
                   paragraph("1 2 3 4 5 6 7 and 1234567"), paragraph("P31: shrine of the second rank"),
                   paragraph("End time: {'time': '+1946-02-02', 'before': 0, 'timezone': x_y}"),
                   paragraph("Basil is a light near the coast.", {{0, 5, 1, false}})}});
  std::vector<std::pair<PassageReject, std::string>> left_out;
  const auto found =
      PassageComposer(*store, config).passages(PageId{7}, [&](PassageReject reason, std::string_view text) {
        left_out.emplace_back(reason, text.substr(0, 3));
      });
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].ordinal, 5U);
  const std::vector<std::pair<PassageReject, std::string>> expected = {{PassageReject::kLinkList, "Bas"},
                                                                       {PassageReject::kTooShort, "Too"},
                                                                       {PassageReject::kMostlyNumbers, "1 2"},
                                                                       {PassageReject::kMostlyProperties, "P31"},
                                                                       {PassageReject::kMostlyProperties, "End"}};
  EXPECT_EQ(left_out, expected);
}

TEST_F(Passages, TheDescriptionSaysWhatAPassageIs) {
  const auto described = [&](PassageScope scope, Granularity granularity) {
    config.scope = scope;
    config.granularity = granularity;
    return describe_passages(config);
  };
  EXPECT_EQ(described(PassageScope::kLead, Granularity::kSection), "lead section of every article, one passage each");
  EXPECT_EQ(described(PassageScope::kAll, Granularity::kParagraph), "text of every article, one passage a paragraph");
  EXPECT_EQ(described(PassageScope::kAll, Granularity::kSnippet),
            "text of every article, in snippets of whole sentences of at most 130 words");
  config.include_lists = false;
  EXPECT_NE(described(PassageScope::kAll, Granularity::kSection).find("list items left out"), std::string::npos);
}

TEST(SectionPath, ACircleOfParentsEnds) {
  storage::OutlineRecord outline;
  outline.sections.resize(3);
  outline.sections[1].parent = 2;
  outline.sections[2].parent = 1;
  EXPECT_LE(section_path(outline, 1).size(), 3U);
}

}  // namespace
}  // namespace touchstone::pipeline::passages
