#include "pipeline/corpus/page_records.hpp"

#include "common/digest.hpp"
#include "storage/keys.hpp"
#include "tests/support/temporary_folder.hpp"

#include <string>

#include <gtest/gtest.h>

namespace touchstone::pipeline::corpus {
namespace {

using extractors::Document;
using extractors::Link;
using extractors::LinkOrigin;
using storage::Family;

Link link(std::string title, std::uint32_t begin, std::uint32_t end, LinkOrigin origin = LinkOrigin::kText) {
  Link out;
  out.target = {0, std::move(title)};
  out.begin = begin;
  out.end = end;
  out.origin = origin;
  return out;
}

extractors::Block block(std::uint32_t section, std::string text, std::vector<Link> links = {}) {
  extractors::Block out;
  out.section = section;
  out.content = {std::move(text), std::move(links)};
  return out;
}

class PageRecordsTest : public ::testing::Test {
 protected:
  testing::TemporaryFolder folder;
  std::unique_ptr<storage::Store> store = storage::Store::open(folder / "store", storage::Access::kReadWrite);
  extractors::PageHead head;
  Document document;

  void SetUp() override {
    head.id = PageId{7};
    head.title.text = "Amber";
    head.revision = RevisionId{70};
    head.timestamp = "2025-01-01T00:00:00Z";
    head.text_bytes = 8;
    head.content_digest = xxh3_128("wikitext");
    document.sections.resize(1);
  }

  PageRecords make(bool with_document = true) {
    auto records = make_page_records({head, with_document ? std::optional(document) : std::nullopt});
    storage::Batch batch;
    for (const auto& entry : records.entries) batch.put(entry.family, entry.key, entry.value);
    const auto title = title_entry(records.page.title, records.id);
    batch.put(title.family, title.key, title.value);
    store->write(batch, storage::Durability::kProcess);
    return records;
  }
  std::string get(Family family, const std::string& key) const {
    std::string value;
    store->get(family, key, value);
    return value;
  }
};

TEST_F(PageRecordsTest, AnArticleIsFoundByIdAndByTitle) {
  const auto records = make();
  EXPECT_EQ(records.page.content, storage::PageContent::kRead);
  EXPECT_EQ(records.page.text_bytes, 8U);
  EXPECT_EQ(records.page.content_digest, xxh3_128("wikitext"));
  EXPECT_EQ(storage::decode_page(get(Family::kPage, storage::page_key(head.id))), records.page);
  EXPECT_EQ(storage::read_page_key(get(Family::kTitle, storage::title_key(0, "Amber"))), head.id);
}

TEST_F(PageRecordsTest, SectionsKnowWhichParagraphsAreTheirs) {
  document.sections.resize(3);
  document.sections[1].heading.text = "One";
  document.sections[1].level = 2;
  document.sections[2].heading.text = "Two";
  document.sections[2].level = 3;
  document.sections[2].parent = 1;
  document.blocks = {block(0, "lead"), block(0, "more"), block(2, "deep")};
  EXPECT_EQ(make().paragraphs, 3U);
  const auto outline = storage::decode_outline(get(Family::kOutline, storage::page_key(head.id)));
  ASSERT_EQ(outline.sections.size(), 3U);
  EXPECT_EQ(outline.sections[0].paragraph_count, 2U);
  EXPECT_EQ(outline.sections[1].first_paragraph, 2U);
  EXPECT_EQ(outline.sections[1].paragraph_count, 0U);
  EXPECT_EQ(outline.sections[2].first_paragraph, 2U);
  EXPECT_EQ(outline.sections[2].parent, 1U);
  EXPECT_EQ(
      storage::decode_section_text(get(Family::kParagraph, storage::page_part_key(head.id, 2))).paragraphs.at(0).text,
      "deep");
  EXPECT_EQ(get(Family::kParagraph, storage::page_part_key(head.id, 1)), "");
}

TEST_F(PageRecordsTest, LinkNumbersPointToTheirTargetsAndPlacesAreSorted) {
  document.blocks = {block(0, "Basil and Cress", {link("Basil", 0, 5), link("Cress", 10, 15, LinkOrigin::kTemplate)}),
                     block(0, "Basil", {link("Basil", 0, 5), link("Basil", 0, 5)})};
  document.other_links = {link("Dill", 0, 0)};
  EXPECT_EQ(make().links, 4U);
  const auto links = storage::decode_links(get(Family::kLink, storage::page_key(head.id)));
  ASSERT_EQ(links.targets.size(), 3U);
  EXPECT_EQ(links.targets[0].text, "Basil");
  EXPECT_EQ(links.targets[2].text, "Dill");
  ASSERT_EQ(links.places.size(), 4U);
  EXPECT_EQ(links.places[0].paragraph, 0U);
  EXPECT_EQ(links.places[0].target, 2U);
  EXPECT_EQ(links.places[1].paragraph, 1U);
  EXPECT_TRUE(links.places[2].from_template);
  EXPECT_EQ(links.places[3].paragraph, 2U);
  const auto text = storage::decode_section_text(get(Family::kParagraph, storage::page_part_key(head.id, 0)));
  EXPECT_EQ(links.targets.at(text.paragraphs.at(0).links.at(1).target).text, "Cress");
}

TEST_F(PageRecordsTest, TablesAreStoredRowByRow) {
  extractors::Table table;
  table.section = 0;
  table.caption.text = "Herbs";
  table.cells.resize(2, std::vector<extractors::Cell>(2));
  table.cells[0][0].header = true;
  table.cells[0][0].content.text = "Name";
  table.cells[1][0].content = {"Basil", {link("Basil", 0, 5)}};
  table.cells[1][1].missing = true;
  document.tables = {table};
  EXPECT_EQ(make().tables, 1U);
  const auto record = storage::decode_table(get(Family::kTable, storage::page_part_key(head.id, 0)));
  EXPECT_EQ(record.columns, 2U);
  EXPECT_EQ(record.rows(), 2U);
  EXPECT_EQ(record.caption, "Herbs");
  EXPECT_TRUE(record.cell(0, 0).header);
  EXPECT_EQ(record.cell(1, 0).text, "Basil");
  EXPECT_EQ(record.cell(1, 0).links.at(0).target, 0U);
  EXPECT_TRUE(record.cell(1, 1).missing);
}

TEST_F(PageRecordsTest, ARedirectLinksToItsTarget) {
  head.is_redirect = true;
  head.redirect = {14, "Herbs"};
  head.redirect_fragment = "Green";
  document.redirect = head.redirect;
  const auto records = make();
  EXPECT_TRUE(records.page.is_redirect);
  EXPECT_EQ(records.page.redirect, (Title{14, "Herbs"}));
  EXPECT_EQ(records.page.redirect_fragment, "Green");
  EXPECT_EQ(storage::decode_links(get(Family::kLink, storage::page_key(head.id))).targets.at(0), (Title{14, "Herbs"}));
}

TEST_F(PageRecordsTest, PagesWithoutADocumentAreKnownByTitle) {
  EXPECT_EQ(make(false).page.content, storage::PageContent::kNotRead);
  head.model = "sanitized-css";
  const auto records = make(false);
  EXPECT_EQ(records.page.content, storage::PageContent::kOtherModel);
  EXPECT_EQ(records.page.model, "sanitized-css");
  EXPECT_EQ(get(Family::kOutline, storage::page_key(head.id)), "");
  EXPECT_EQ(make(true).page.content, storage::PageContent::kRead) << "another model that its source reads";
}

TEST_F(PageRecordsTest, ErasingAPageLeavesNothingOfItAndNothingElseGoes) {
  document.blocks = {block(0, "Basil", {link("Basil", 0, 5)})};
  document.tables.resize(2);
  for (auto& table : document.tables) table.cells.resize(1, std::vector<extractors::Cell>(1));
  make();
  const auto records = make();
  head.id = PageId{8};
  head.title.text = "Neighbour";
  make();
  storage::Batch batch;
  erase_page(batch, PageId{7}, records.page);
  store->write(batch, storage::Durability::kProcess);
  for (const auto family : {Family::kPage, Family::kTitle, Family::kOutline, Family::kParagraph, Family::kTable,
                            Family::kLink, Family::kAttribute}) {
    std::size_t left = 0;
    for (auto cursor = store->cursor(family); cursor.valid(); cursor.next()) {
      if (family != Family::kTitle) {
        EXPECT_EQ(cursor.key().substr(0, 4), storage::page_key(PageId{8})) << to_string(family);
      }
      ++left;
    }
    EXPECT_EQ(left, family == Family::kTable ? 2U : 1U) << to_string(family);
  }
}

}  // namespace
}  // namespace touchstone::pipeline::corpus
