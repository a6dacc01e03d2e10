#include "collection/automatic/derivation.hpp"

#include "tests/support/car_ids.hpp"
#include "tests/unit/collection/automatic/sample_page.hpp"

#include <gtest/gtest.h>

namespace touchstone::collection::automatic {
namespace {

using namespace testing;  // NOLINT: builders of pages

std::vector<std::string> car_ids(const Derivation& derivation) {
  std::vector<std::string> ids;
  for (const auto& facet : derivation.facets) ids.push_back(facet.car_id);
  return ids;
}

std::vector<std::string> unambiguous_ids(const Derivation& derivation) {
  std::vector<std::string> ids;
  for (const auto& facet : derivation.facets) ids.push_back(facet.id);
  return ids;
}

/// "passage@facet", in order.
std::vector<std::string> placed_passages(const Derivation& derivation) {
  std::vector<std::string> placed;
  for (const auto& passage : derivation.passages)
    placed.push_back(passage.id + "@" +
                     (passage.facet == kNoFacet ? "" : derivation.facets[passage.facet].headings.back()));
  return placed;
}

using Texts = std::vector<std::string>;

TEST(Derivation, TakesTopicAndFacetsFromTitleAndHeadings) {
  const auto page = urban_sprawl();
  const auto derivation = derive(page);
  EXPECT_EQ(derivation.topic.title, "Urban sprawl");
  EXPECT_EQ(derivation.topic.car_id, "enwiki:Urban%20sprawl");
  EXPECT_EQ(derivation.topic.id, "enwiki:Urban%20sprawl");
  EXPECT_EQ(car_ids(derivation), (Texts{"enwiki:Urban%20sprawl/Characteristics", "enwiki:Urban%20sprawl/Effects",
                                        "enwiki:Urban%20sprawl/Effects/Safety", "enwiki:Urban%20sprawl/Effects/Social",
                                        "enwiki:Urban%20sprawl/Debate"}));
  EXPECT_EQ(derivation.facets[3].headings, (Texts{"Effects", "Social"}));
  EXPECT_EQ(derivation.facets[3].parent, 1U);
  EXPECT_EQ(derivation.top_level(3), 1U);
  EXPECT_EQ(derivation.top_level(4), 4U);
}

TEST(Derivation, PlacesParagraphsInTheirSections) {
  const auto page = urban_sprawl();
  EXPECT_EQ(placed_passages(derive(page)),
            (Texts{"p0@", "p1@Characteristics", "p2@Effects", "p3@Safety", "p4@Social", "p5@Social", "p6@Debate"}));
}

TEST(Derivation, TakesEachLinkedPageOnceAndNoneWithoutId) {
  const auto page = testing::page(
      "A", {para("p", {link("e:B"), link("e:C"), link("e:B", "Q2"), link(""), "text", link("e:C", "Q3")})});
  const auto entities = derive(page).passages.front().entities;
  EXPECT_EQ(entities, (std::vector<Entity>{{"e:B", "Q2"}, {"e:C", "Q3"}}));
}

TEST(Derivation, TakesTheQidOfThePage) {
  auto page = urban_sprawl();
  page.metadata.qid = "Q193351";
  EXPECT_EQ(derive(page).topic.qid, "Q193351");
}

TEST(Derivation, CountsOnlyParagraphsUnlessToldOtherwise) {
  const auto page = testing::page("A", {para("p1"),
                                        {car::ListItem{1, {"item", {"an item"}}}},
                                        {car::Image{"File:X.png", {para("caption")}}},
                                        {car::Infobox{"box", {{"key", {para("value")}}}}}});
  EXPECT_EQ(placed_passages(derive(page)), (Texts{"p1@"}));
  EXPECT_EQ(placed_passages(derive(page, {.list_items = true})), (Texts{"p1@", "item@"}));
  EXPECT_EQ(placed_passages(derive(page, {.captions = true})), (Texts{"p1@", "caption@"}));
  EXPECT_EQ(placed_passages(derive(page, {.list_items = true, .captions = true})), (Texts{"p1@", "item@", "caption@"}));
}

TEST(Derivation, ReplacesParagraphsByTheirRepresentative) {
  const auto page = urban_sprawl();
  const DerivationOptions options{
      .representative = [](std::string_view id) { return id == "p5" ? "p1" : std::string(id); }};
  EXPECT_EQ(placed_passages(derive(page, options)),
            (Texts{"p0@", "p1@Characteristics", "p2@Effects", "p3@Safety", "p4@Social", "p1@Social", "p6@Debate"}));
}

TEST(Derivation, RepeatedHeadingsOfOneParentAreOneFacet) {
  const auto page = testing::page("A", {section("History", {para("p1"), section("Early", {para("p2")})}),
                                        section("Other", {section("History", {para("p3")})}),
                                        section("History", {section("Early", {para("p4")}), para("p5")})});
  const auto derivation = derive(page);
  EXPECT_EQ(car_ids(derivation),
            (Texts{"enwiki:A/History", "enwiki:A/History/Early", "enwiki:A/Other", "enwiki:A/Other/History"}));
  EXPECT_EQ(derivation.passages[3].facet, 1U);  // p4 is in the same facet as p2
  EXPECT_EQ(derivation.passages[4].facet, 0U);  // p5 is in the same facet as p1
}

TEST(Derivation, HeadingsThatDifferInCaseAreDifferentFacets) {
  const auto page = testing::page("A", {section("Early Life", {para("p1")}), section("Early life", {para("p2")})});
  EXPECT_EQ(car_ids(derive(page)), (Texts{"enwiki:A/Early%20Life", "enwiki:A/Early%20life"}));
}

TEST(Derivation, EmptyHeadingsDissolveIntoTheirParent) {
  const auto page = testing::page("A", {section("", {para("p1"), section("Inner", {para("p2")})}),
                                        section("B", {section(" \xC2\xA0", {para("p3")})})});
  const auto derivation = derive(page);
  EXPECT_EQ(car_ids(derivation), (Texts{"enwiki:A/Inner", "enwiki:A/B"}));
  EXPECT_EQ(placed_passages(derivation), (Texts{"p1@", "p2@Inner", "p3@B"}));
}

TEST(Derivation, SlashesAndPercentSignsAreEscapedInUnambiguousIdsOnly) {
  const auto page = testing::page(
      "AC/DC", {section("A/B", {section("100%", {para("p1")})}), section("A", {section("B", {para("p2")})})});
  const auto derivation = derive(page);
  EXPECT_EQ(car_ids(derivation),
            (Texts{"enwiki:AC/DC/A/B", "enwiki:AC/DC/A/B/100%", "enwiki:AC/DC/A", "enwiki:AC/DC/A/B"}));
  EXPECT_EQ(derivation.topic.id, "enwiki:AC%2FDC");
  EXPECT_EQ(unambiguous_ids(derivation),
            (Texts{"enwiki:AC%2FDC/A%2FB", "enwiki:AC%2FDC/A%2FB/100%25", "enwiki:AC%2FDC/A", "enwiki:AC%2FDC/A/B"}));
}

TEST(Derivation, HeadingsThatCollideAfterEscapingStayTwoFacets) {
  const auto page = testing::page("A", {section("B C", {para("p1")}), section("B%20C", {para("p2")})});
  const auto derivation = derive(page);
  EXPECT_EQ(car_ids(derivation), (Texts{"enwiki:A/B%20C", "enwiki:A/B%20C"}));
  EXPECT_EQ(unambiguous_ids(derivation), (Texts{"enwiki:A/B%20C", "enwiki:A/B%2520C"}));
}

TEST(Derivation, LevelsMayJump) {
  const auto page = testing::page("A", {section("B", {section("C", {section("D", {para("p1")})})}), para("p2")});
  const auto derivation = derive(page);
  EXPECT_EQ(derivation.facets.back().headings, (Texts{"B", "C", "D"}));
  EXPECT_EQ(placed_passages(derivation), (Texts{"p1@D", "p2@"}));
}

TEST(Derivation, ParagraphsWithoutVisibleTextDoNotCount) {
  const auto page = testing::page(
      "A", {para("p1", {}), para("p2", {std::string(" \n\xC2\xA0")}), para("p3", {car::Link{"B", "e:B", {}, "", ""}})});
  EXPECT_TRUE(derive(page).passages.empty());
}

TEST(Derivation, PagesWithoutTextHaveATopicAndFacetsOnly) {
  const auto page = testing::page("A", {section("B", {})});
  const auto derivation = derive(page);
  EXPECT_EQ(derivation.topic.title, "A");
  EXPECT_EQ(derivation.facets.size(), 1U);
  EXPECT_TRUE(derivation.passages.empty());
  EXPECT_TRUE(derive(testing::page("A", {})).facets.empty());
}

TEST(Derivation, MissingIdsAreMade) {
  car::Page page = testing::page("A B", {{car::Section{"C D", "", {para("", {std::string("some text")})}}}});
  page.id.clear();
  const auto derivation = derive(page);
  EXPECT_EQ(derivation.topic.car_id, "A%20B");
  EXPECT_EQ(derivation.facets.front().car_id, "A%20B/C%20D");
  EXPECT_EQ(derivation.passages.front().id, car::paragraph_id(std::vector<car::ParagraphBody>{"some text"}));
  page.metadata.site_id = "enwiki";
  EXPECT_EQ(derive(page).topic.car_id, "enwiki:A%20B");
  EXPECT_EQ(derive(page).topic.id, "enwiki:A%20B");
}

TEST(Derivation, KeepsTheIdsOfOldReleasesWithoutSite) {
  car::Page page = testing::page("Batman: Year One", {section("Plot", {para("p1")})});
  page.id = car::page_id("", page.name);
  const auto derivation = derive(page);
  EXPECT_EQ(derivation.topic.car_id, "Batman:%20Year%20One");
  EXPECT_EQ(car::testing::parse_unambiguous_id(derivation.topic.id), (car::SectionName{"", "Batman: Year One", {}}));
  EXPECT_EQ(car::testing::parse_unambiguous_id(derivation.facets[0].id),
            (car::SectionName{"", "Batman: Year One", {"Plot"}}));
}

TEST(Derivation, TakesTheSiteFromTheMetadataIfTheIdWasEscapedInAnotherWay) {
  auto page = testing::page("A b", {});
  page.id = "enwiki:A_b";
  page.metadata.site_id = "enwiki";
  EXPECT_EQ(derive(page).topic.id, "enwiki:A%20b");
  page.metadata.site_id = "dewiki";
  EXPECT_EQ(derive(page).topic.id, "A%20b");
}

TEST(Derivation, TitlesThatDifferInCaseHaveDifferentIds) {
  const auto small = testing::page("Iron man", {});
  const auto large = testing::page("Iron Man", {});
  EXPECT_NE(derive(small).topic.id, derive(large).topic.id);
  EXPECT_NE(derive(small).topic.car_id, derive(large).topic.car_id);
}

}  // namespace
}  // namespace touchstone::collection::automatic
