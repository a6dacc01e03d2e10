#include "pipeline/automatic/query_pages.hpp"

#include "common/error.hpp"
#include "common/files.hpp"
#include "formats/car/ids.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/temporary_folder.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::automatic {
namespace {

using formats::car::Page;
using formats::car::Paragraph;
using formats::car::Section;
using formats::car::Skeleton;
using testing::message_of;
using testing::TemporaryFolder;

Skeleton passage(const std::string& words) {
  return {Paragraph{words, {words}}};
}

Skeleton section(const std::string& heading, std::vector<Skeleton> children) {
  return {Section{heading, formats::car::heading_id(heading), std::move(children)}};
}

Page page_of(const std::string& title, std::vector<Skeleton> skeleton) {
  Page page;
  page.name = title;
  page.id = formats::car::page_id("wiki", title);
  page.skeleton = std::move(skeleton);
  return page;
}

/// Headings as `A[B C]`, paragraphs as their text.
std::string outline(const std::vector<Skeleton>& skeleton) {
  std::string out;
  for (const auto& [element] : skeleton) {
    if (!out.empty()) out += ' ';
    if (const auto* inner = std::get_if<Section>(&element)) {
      out += inner->heading + "[" + outline(inner->children) + "]";
    } else {
      out += paragraph_text(std::get<Paragraph>(element));
    }
  }
  return out;
}

Page lighthouse() {
  return page_of("Lighthouse",
                 {passage("lead"), section("History", {passage("one"), section("Other", {passage("two")})}),
                  section("Lamps", {passage("three")}), section("Keepers", {passage("four")}),
                  section("See also", {passage("five")})});
}

class QueryPagesTest : public ::testing::Test {
 protected:
  TemporaryFolder folder;
  selection::AutomaticOptions options;
  extractors::site::SiteInfo site;

  void SetUp() override { site.language = "en"; }
  void review(const std::string& rows) {
    options.review = (folder / "review.tsv").string();
    write_file_atomically(options.review, "decision\tkind\tpage\theading\twording\tflags\tpassages\n" + rows);
  }
};

TEST_F(QueryPagesTest, WhatFiltersAndRulesRemoveIsNoFacet) {
  const QueryPages rules(options, site);
  auto made = lighthouse();
  EXPECT_TRUE(rules.assess(made).is_query_page());
  const auto preparation = rules.prepare(made);
  EXPECT_TRUE(preparation.is_query_page);
  EXPECT_EQ(outline(made.skeleton), "lead History[one two] Lamps[three] Keepers[four]")
      << "what stands below \"Other\" belongs to the section around it";
  EXPECT_EQ(preparation.removed.of(selection::FilterReason::kForbiddenHeading).sections, 1U);
  EXPECT_EQ(preparation.flagged.headings.at(static_cast<std::size_t>(selection::TopicRule::kMiscellaneous)), 1U);
}

TEST_F(QueryPagesTest, AReviewHasARowForTheTopicAndEachHeadingAndSaysWhatRulesDrop) {
  const QueryPages rules(options, site);
  auto made = lighthouse();
  std::vector<std::string> rows;
  for (const auto& row : rules.prepare(made).rows) {
    std::string text = row.decision == review::ReviewDecision::kDrop ? "drop" : "keep";
    for (const auto& heading : row.headings) text += " " + heading;
    rows.push_back(text + " " + std::to_string(row.passages));
  }
  EXPECT_EQ(rows, (std::vector<std::string>{"keep 5", "keep History 2", "drop History Other 1", "keep Lamps 1",
                                            "keep Keepers 1"}));
}

TEST_F(QueryPagesTest, APersonsWordCountsMoreThanARules) {
  review(
      "keep\theading\tLighthouse\tHistory/Other\t\t\t0\n"
      "drop\theading\tLighthouse\tLamps\t\t\t0\n"
      "reword\theading\tLighthouse\tKeepers\tWho kept lighthouses\t\t0\n"
      "reword\ttopic\tLighthouse\t\tTowers with a light\t\t0\n");
  const QueryPages rules(options, site);
  auto made = lighthouse();
  EXPECT_TRUE(rules.assess(made).is_query_page());
  const auto preparation = rules.prepare(made);
  EXPECT_EQ(outline(made.skeleton), "lead History[one Other[two]] three Keepers[four]");
  EXPECT_EQ(preparation.reviewed, 1U);
  EXPECT_EQ(preparation.wordings,
            (Wordings{{{"Lighthouse"}, "Towers with a light"}, {{"Lighthouse", "Keepers"}, "Who kept lighthouses"}}));
}

TEST_F(QueryPagesTest, ADroppedTopicIsNoQueryPage) {
  review("drop\ttopic\tLighthouse\t\t\t\t0\n");
  EXPECT_FALSE(QueryPages(options, site).assess(lighthouse()).is_query_page());
}

TEST_F(QueryPagesTest, PagesWithTooFewSectionsAndOutsideThePredicateAreNoQueryPages) {
  options.min_sections = 4;
  EXPECT_FALSE(QueryPages(options, site).assess(lighthouse()).is_query_page());
  options.min_sections = 3;
  options.select = "name-contains river";
  EXPECT_FALSE(QueryPages(options, site).assess(lighthouse()).is_query_page());
}

TEST_F(QueryPagesTest, APageNeedsEnoughFacetsBehindTheRules) {
  const QueryPages rules(options, site);
  auto made = page_of("Lamp", {section("Overview", {passage("one")}), section("Lenses", {passage("two")}),
                               section("Keepers", {passage("three")})});
  const auto outcome = rules.assess(made);
  EXPECT_FALSE(outcome.is_query_page()) << "an overview is no facet";
  EXPECT_TRUE(outcome.alone.test(static_cast<std::size_t>(selection::PageReason::kFewFacets)));
  made.skeleton.push_back(section("Fuel", {passage("four")}));
  EXPECT_TRUE(rules.assess(made).is_query_page());
  EXPECT_TRUE(rules.prepare(made).is_query_page);
  EXPECT_EQ(outline(made.skeleton), "one Lenses[two] Keepers[three] Fuel[four]");
}

TEST(Wording, AHeadingThatTheNextOneRepeatsIsLeftOut) {
  const auto page = page_of("Ebers Calendar", {});
  EXPECT_EQ(wording(page, {}, {}), "Ebers Calendar");
  EXPECT_EQ(wording(page, {}, {"History", "Lists"}), "Ebers Calendar History Lists");
  EXPECT_EQ(wording(page, {}, {"The Ebers calendar compared"}), "The Ebers calendar compared");
  EXPECT_EQ(wording(page, {}, {"Festivals", "Festivals of autumn"}), "Ebers Calendar Festivals of autumn");
  EXPECT_EQ(wording(page, {}, {"🏥 Life 👩‍🔬 insurance ❤️"}), "Ebers Calendar Life insurance");
  EXPECT_EQ(wording(page, {}, {"C → D ™"}), "Ebers Calendar C → D ™");
  EXPECT_EQ(wording(page, {}, {"🏥"}), "Ebers Calendar 🏥") << "nothing else is there";
  EXPECT_EQ(wording(page, {}, {"Calendars", "Days"}), "Ebers Calendar Calendars Days") << "whole words only";
  const Wordings wordings{{{"Ebers Calendar", "Days"}, "Days of the Ebers Calendar"}};
  EXPECT_EQ(wording(page, wordings, {"Days"}), "Ebers Calendar Days of the Ebers Calendar") << "a person's words stay";
}

TEST_F(QueryPagesTest, ThePageOfTheWikiItselfIsNoTopic) {
  site.site_name = "Light Wiki";
  auto made = lighthouse();
  made.name = "Light Wiki";
  EXPECT_FALSE(QueryPages(options, site).assess(made).is_query_page());
}

TEST_F(QueryPagesTest, AnUnreadableReviewIsNamed) {
  options.review = (folder / "none.tsv").string();
  EXPECT_NE(message_of<Error>([&] { const QueryPages rules(options, site); }).find("none.tsv"), std::string::npos);
}

}  // namespace
}  // namespace touchstone::pipeline::automatic
