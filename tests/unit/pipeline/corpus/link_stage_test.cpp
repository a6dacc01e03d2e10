#include "pipeline/corpus/stages.hpp"
#include "storage/keys.hpp"
#include "storage/link_graph.hpp"
#include "storage/records.hpp"
#include "tests/support/stage_fixture.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::corpus {
namespace {

using storage::Family;
using Source = storage::LinkGraph::Source;
using testing::page_xml;
using testing::revision_xml;
using testing::simple_page;

constexpr Family kGraph[] = {Family::kBacklinkSource, Family::kBacklinkList, Family::kBacklinkPlace, Family::kAlias,
                             Family::kLinkTarget};

class LinkStage : public testing::StageFixture {
 protected:
  /// Runs ingest, then link.
  flow::StageReport link(const std::string& pages) {
    write_file_atomically(folder / "d.xml", testing::dump_xml(pages));
    run(ingest_stage(), {{folder / "d.xml", "dump"}});
    return run(link_stage());
  }
  std::vector<Source> backlinks(std::uint32_t page) const {
    return storage::LinkGraph(*store).sources_with_places(PageId{page});
  }
  std::vector<PageId> targets(std::uint32_t page) const {
    return storage::decode_link_targets(get(Family::kLinkTarget, storage::page_key(PageId{page}))).pages;
  }
};

TEST_F(LinkStage, LinksAreFiledUnderTheirTargetWithTheirParagraphs) {
  const auto report = link(simple_page(1, "A", "See [[B]].\n\nAgain [[B]] and [[B|b]].\n\n{|\n| [[B]]\n|}") +
                           simple_page(2, "B", "[[A]]") + simple_page(3, "C", "No link, but [[Nowhere]]."));
  EXPECT_EQ(backlinks(2), (std::vector<Source>{{PageId{1}, {0, 1, 2}}}));
  EXPECT_EQ(backlinks(1), (std::vector<Source>{{PageId{2}, {1}}}));
  EXPECT_EQ(report.counts.at("links"), 5U);
  EXPECT_EQ(report.counts.at("links to pages of the dump"), 4U);
  EXPECT_EQ(report.counts.at("links to pages that are not in the dump"), 1U);
  EXPECT_EQ(report.counts.at("backlinks"), 4U);
  EXPECT_EQ(report.counts.at("pages with backlinks"), 2U);
}

TEST_F(LinkStage, EveryTargetKnowsThePageItLeadsTo) {
  link(simple_page(1, "A", "[[B]], [[Old B]], [[Nowhere]], [[Round]]") + simple_page(2, "B", "text") +
       simple_page(3, "Old B", "#REDIRECT [[Older B]]", "Older B") + simple_page(4, "Older B", "#REDIRECT [[B]]", "B") +
       simple_page(5, "Round", "#REDIRECT [[Round]]", "Round"));
  EXPECT_EQ(targets(1), (std::vector<PageId>{PageId{2}, PageId{2}, PageId{0}, PageId{0}}));
}

TEST_F(LinkStage, RedirectsBecomeAliasesOfTheLastPageOfTheirChain) {
  link(simple_page(1, "A", "text") + simple_page(2, "B", "#REDIRECT [[C]]", "C") +
       simple_page(3, "C", "#REDIRECT [[A#Part]]", "A#Part") + simple_page(4, "D", "#REDIRECT [[A]]", "A"));
  const auto aliases = storage::decode_aliases(get(Family::kAlias, storage::page_key(PageId{1}))).aliases;
  using Alias = storage::AliasRecord::Alias;
  EXPECT_EQ(aliases, (std::vector<Alias>{{PageId{2}, true}, {PageId{3}, true}, {PageId{4}, false}}));
}

TEST_F(LinkStage, WhatCannotBeResolvedIsCounted) {
  const auto report =
      link(simple_page(1, "A", "#REDIRECT [[B]]", "B") + simple_page(2, "B", "#REDIRECT [[A]]", "A") +
           simple_page(3, "C", "#REDIRECT [[Nowhere]]", "Nowhere") +
           simple_page(4, "D", "#REDIRECT [[wikt:d]]", "wikt:d") + simple_page(5, "E", "x") + simple_page(6, "E", "y"));
  EXPECT_EQ(report.rejected.at("redirects that lead in a circle"), 2U);
  EXPECT_EQ(report.rejected.at("redirect to a page that is not in the dump"), 1U);
  EXPECT_EQ(report.rejected.at("redirect to another wiki or to no legal title"), 1U);
  EXPECT_EQ(report.rejected.at("two pages with one title (the one with the lower id counts)"), 1U);
  EXPECT_EQ(report.samples.at("redirects that lead in a circle"), (std::vector<std::string>{"page 1", "page 2"}));
}

/// Pages with many links to each other, and some redirects.
std::string linked_pages() {
  std::string pages;
  for (std::uint32_t i = 1; i <= 60; ++i) {
    std::string text;
    for (std::uint32_t k = 0; k < 40; ++k) text += "[[Page " + std::to_string((i * k * 7) % 97) + "]]\n\n";
    pages += simple_page(i, "Page " + std::to_string(i), text);
  }
  for (std::uint32_t i = 61; i <= 70; ++i) {
    const auto target = "Page " + std::to_string(i == 70 ? 70 : i % 9 * 11);
    pages += simple_page(i, "Page " + std::to_string(i), "#REDIRECT [[" + target + "]]", target);
  }
  return pages;
}

TEST_F(LinkStage, SpillingToDiskChangesNothing) {
  const auto pages = linked_pages();
  link(pages);
  std::vector<std::vector<std::pair<std::string, std::string>>> expected;
  for (const auto family : kGraph) expected.push_back(pairs(family));
  open_store(folder / "other");
  assignments = {"link.sort_memory_bytes=1048576"};
  link(pages);
  for (std::size_t i = 0; i < std::size(kGraph); ++i) EXPECT_EQ(pairs(kGraph[i]), expected[i]);
}

TEST_F(LinkStage, CutsChangeNothing) {
  const auto whole = link(linked_pages());
  std::vector<std::vector<std::pair<std::string, std::string>>> expected;
  const std::vector families(std::begin(kGraph), std::end(kGraph));
  for (const auto family : families) expected.push_back(pairs(family));
  store->clear(families);
  storage::Batch batch;
  for (const auto& [key, value] : pairs(Family::kPage)) {
    auto page = storage::decode_page(value);
    page.text_bytes = 50'000'000;  // two pages fill a cut
    batch.put(Family::kPage, key, encode(page));
  }
  store->write(batch, storage::Durability::kMachine);
  const auto cut = run(link_stage());
  for (std::size_t i = 0; i < families.size(); ++i) EXPECT_EQ(pairs(families[i]), expected[i]);
  EXPECT_EQ(cut.counts, whole.counts);
  EXPECT_EQ(cut.rejected, whole.rejected);
  EXPECT_EQ(cut.samples, whole.samples);
}

}  // namespace
}  // namespace touchstone::pipeline::corpus
