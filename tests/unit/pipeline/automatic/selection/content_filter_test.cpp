#include "pipeline/automatic/selection/content_filter.hpp"

#include "pipeline/headings/heading_words.hpp"
#include "tests/unit/pipeline/automatic/selection/page_builder.hpp"

#include <random>
#include <string>

#include <gtest/gtest.h>

namespace touchstone::pipeline::automatic::selection {
namespace {

using namespace touchstone::testing;

ContentFilter filter_for(const ContentRules& rules, const char* language = "en") {
  return {rules, headings::heading_words(language).forbidden};
}

car::Page turtle_page() {
  return page("Green sea turtle",
              {infobox(), para("lead"), item(), image(), section("Taxonomy"),
               section("Ecology", {para(), section("Diet", {para(), para()}), section("SEE ALSO:", {item(), item()})}),
               section("Maps", {image()}), section("A"), section("References", {para(), section("Notes", {para()})}),
               section(std::string(101, 'x'))});
}

TEST(ContentFilter, EachFilterCountsWhatItRemoved) {
  auto turtle = turtle_page();
  FilterCounts counts;
  ContentRules rules;
  rules.min_sections = 2;
  EXPECT_TRUE(filter_for(rules).apply(turtle, counts));
  EXPECT_EQ(outline(turtle.skeleton), ".\n.\n.\nTaxonomy\n .\nEcology\n .\n Diet\n  .\n  .\n.\n")
      << "the text below \"A\" stays";
  EXPECT_EQ(counts.of(FilterReason::kImage), (RemovedContent{0, 0, 0, 2, 0, 0}));
  EXPECT_EQ(counts.of(FilterReason::kForbiddenHeading), (RemovedContent{3, 2, 2, 0, 0, 0}));
  EXPECT_EQ(counts.of(FilterReason::kShortHeading), (RemovedContent{1, 0, 0, 0, 0, 0}));
  EXPECT_EQ(counts.of(FilterReason::kLongHeading), (RemovedContent{1, 1, 0, 0, 0, 0}));
  EXPECT_EQ(counts.of(FilterReason::kEmptySection), (RemovedContent{1, 0, 0, 0, 0, 0})) << "Maps has images only";
  EXPECT_EQ(counts.of(FilterReason::kLead), RemovedContent{});
  EXPECT_EQ(counts.of(FilterReason::kFewSections), RemovedContent{});
}

TEST(ContentFilter, TheLeadIsTheTextAboveTheFirstHeading) {
  auto turtle = turtle_page();
  FilterCounts counts;
  ContentRules rules;
  rules.drop_lead = true;
  rules.min_sections = 0;
  EXPECT_TRUE(filter_for(rules).apply(turtle, counts));
  EXPECT_EQ(outline(turtle.skeleton), ".\nTaxonomy\n .\nEcology\n .\n Diet\n  .\n  .\n") << "the infobox stays";
  EXPECT_EQ(counts.of(FilterReason::kLead), (RemovedContent{0, 2, 1, 0, 0, 0})) << "with the text below \"A\"";
}

TEST(ContentFilter, APageWithFewSectionsIsNoQueryPage) {
  auto turtle = turtle_page();
  FilterCounts counts;
  EXPECT_FALSE(filter_for({}).apply(turtle, counts)) << "two of the three that are needed";
  EXPECT_EQ(counts.of(FilterReason::kFewSections), (RemovedContent{3, 6, 1, 0, 1, 1}));
}

TEST(ContentFilter, ThreeSectionsAreEnough) {
  auto three = page("T", {section("One"), section("Two"), section("Three")});
  FilterCounts counts;
  EXPECT_TRUE(filter_for({}).apply(three, counts));
  EXPECT_EQ(counts, FilterCounts{});
}

TEST(ContentFilter, OnlySectionsWithAPassageCount) {
  const auto three =
      page("T", {section("One"), section("Two", {section("Inner")}), section("Three", {item(), image()})});
  auto lists = three, images = three, neither = three;
  FilterCounts counts;
  EXPECT_FALSE(filter_for({}).apply(neither, counts));
  ContentRules rules;
  rules.list_items = true;
  EXPECT_TRUE(filter_for(rules).apply(lists, counts));
  rules = {};
  rules.captions = true;
  EXPECT_FALSE(filter_for(rules).apply(images, counts)) << "its images are removed";
  images = three;
  rules.drop_images = false;
  EXPECT_TRUE(filter_for(rules).apply(images, counts));
}

TEST(ContentFilter, WhatIsBelowANumberBelongsToTheSectionAroundIt) {
  auto poem = page("The Waste Land", {section("I", {para(), section("Notes on it"), section("Voices")}),
                                      section("2", {section("Streets")}), section("History")});
  FilterCounts counts;
  EXPECT_TRUE(filter_for({}).apply(poem, counts));
  EXPECT_EQ(outline(poem.skeleton), ".\nNotes on it\n .\nVoices\n .\nStreets\n .\nHistory\n .\n");
  EXPECT_EQ(counts.of(FilterReason::kShortHeading), (RemovedContent{2, 0, 0, 0, 0, 0}));
}

TEST(ContentFilter, SwitchedOffFiltersRemoveNothing) {
  auto turtle = turtle_page();
  const auto before = turtle;
  FilterCounts counts;
  EXPECT_TRUE(filter_for({false, false, false, 0, 0, 0}).apply(turtle, counts));
  EXPECT_EQ(turtle, before);
  EXPECT_EQ(counts, FilterCounts{});
}

TEST(ContentFilter, EmptySectionsGoFromTheInsideOut) {
  auto nested = page("T", {section("Outer", {section("Inner", {section("Innermost", {})})}), section("Full")});
  FilterCounts counts;
  (void)filter_for({}).apply(nested, counts);
  EXPECT_EQ(outline(nested.skeleton), "Full\n .\n");
  EXPECT_EQ(counts.of(FilterReason::kEmptySection).sections, 3U);
}

TEST(ContentFilter, HeadingsAreForbiddenInTheWikisLanguage) {
  EXPECT_EQ(filter_for({}, "ja").heading_reason("関連項目"), FilterReason::kForbiddenHeading);
  EXPECT_EQ(filter_for({}, "ja").heading_reason("歴史"), std::nullopt) << "two characters are a word";
  EXPECT_EQ(filter_for({}, "ja").heading_reason("他"), FilterReason::kShortHeading);
  EXPECT_EQ(filter_for({}, "de").heading_reason("See also"), std::nullopt);
  EXPECT_EQ(filter_for({}, "en").heading_reason(""), FilterReason::kShortHeading);
  EXPECT_EQ(filter_for({}, "en").heading_reason("1990s"), FilterReason::kShortHeading);
}

TEST(ContentFilter, TheBoundOfLongHeadingsCountsCharacters) {
  std::string heading;
  for (int i = 0; i < 100; ++i) heading += "é";
  EXPECT_EQ(filter_for({}).heading_reason(heading), std::nullopt);
  EXPECT_EQ(filter_for({}).heading_reason(heading + "é"), FilterReason::kLongHeading);
}

/// A page of random sections.
std::vector<car::Skeleton> random_children(std::mt19937& random, int depth) {
  constexpr const char* kHeadings[] = {"History", "See also", "A", "Notes:", "Diet", "歴史", ""};
  std::vector<car::Skeleton> children;
  for (auto count = random() % 5; count > 0; --count) {
    const auto kind = random() % (depth == 0 ? 4 : 8);
    if (kind == 0)
      children.push_back(para());
    else if (kind == 1)
      children.push_back(image());
    else if (kind == 2)
      children.push_back(item());
    else if (kind == 3)
      children.push_back(infobox());
    else
      children.push_back(section(kHeadings[random() % std::size(kHeadings)], random_children(random, depth - 1)));
  }
  return children;
}

RemovedContent sum_of(const FilterCounts& counts) {
  RemovedContent sum;
  for (const auto& removed : counts.removed) sum += removed;
  return sum;
}

TEST(ContentFilterProperty, CountsAddUpAndPredictTheSections) {
  std::mt19937 random(20261122);
  for (int round = 0; round < 2'000; ++round) {
    const auto original = page("T", random_children(random, 4));
    ContentRules rules;
    rules.drop_lead = random() % 2 == 0;
    rules.drop_images = random() % 2 == 0;
    rules.list_items = random() % 2 == 0;
    rules.captions = random() % 2 == 0;
    rules.min_sections = 0;
    const auto filter = filter_for(rules);
    auto filtered = original;
    FilterCounts counts;
    ASSERT_TRUE(filter.apply(filtered, counts));
    auto sum = sum_of(counts);
    sum += content_of(filtered);
    ASSERT_EQ(sum, content_of(original)) << round << "\n" << outline(original.skeleton);
    ASSERT_EQ(filter.sections_left(filtered), filter.sections_left(original)) << round;
    ASSERT_LE(filter.sections_left(filtered), top_level_sections(filtered)) << round;
    FilterCounts again;
    auto twice = filtered;
    ASSERT_TRUE(filter.apply(twice, again));
    ASSERT_EQ(twice, filtered) << round;
    ASSERT_EQ(again, FilterCounts{}) << round;
  }
}

}  // namespace
}  // namespace touchstone::pipeline::automatic::selection
