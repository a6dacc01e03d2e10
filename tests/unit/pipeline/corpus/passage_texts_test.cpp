#include "pipeline/corpus/passages.hpp"
#include "storage/keys.hpp"
#include "tests/support/temporary_folder.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::corpus {
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

TEST_F(PassageTexts, NotesThatLeadToOtherPagesAreInNoPassage) {
  put({text_of("Main article: Basil", {{14, 19, 1, false}}, ParagraphKind::kNote),
       text_of("Basil is a light near the coast.", {{0, 5, 1, false}})});
  const PassageComposer composer(*store, config, "w");
  const auto found = composer.passages(PageId{7});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].text, "Basil is a light near the coast.");
  EXPECT_EQ(found[0].links.size(), 1U);
  EXPECT_TRUE(composer.passages_with(PageId{7}, {0}).empty()) << "a link in a note proposes no passage";
  EXPECT_EQ(composer.passages_with(PageId{7}, {1}).size(), 1U);
}

TEST_F(PassageTexts, TextsWithStrayMarkupAreLeftOutOnRequest) {
  config.scope = PassageScope::kAll;
  config.granularity = Granularity::kParagraph;
  put({text_of("It is recognized as a Ronsha}} of the old province."),
       text_of("Write [[Basil]] to make a link to the page Basil.")});
  EXPECT_EQ(PassageComposer(*store, config, "w").passages(PageId{7}).size(), 2U);
  config.keep_markup = false;
  std::vector<PassageReject> left_out;
  const auto found =
      PassageComposer(*store, config, "w").passages(PageId{7}, [&](PassageReject reason, std::string_view) {
        left_out.push_back(reason);
      });
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].ordinal, 1U);
  EXPECT_EQ(left_out, (std::vector<PassageReject>{PassageReject::kLeftoverMarkup}));
}

TEST_F(PassageTexts, QuotedNamesOfPropertiesAreData) {
  config.scope = PassageScope::kAll;
  config.granularity = Granularity::kParagraph;
  put(
      {text_of("Q7017|P6262|\"shinto:Category:1930s establishments in the Empire of Japan\" "
               "Q7018|P6262|\"shinto:Category:1920s establishments in the Empire of Japan\"")});
  EXPECT_TRUE(PassageComposer(*store, config, "w").passages(PageId{7}).empty());
}

}  // namespace
}  // namespace touchstone::pipeline::corpus
