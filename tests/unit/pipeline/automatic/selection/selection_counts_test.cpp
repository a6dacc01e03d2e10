#include "pipeline/automatic/selection/selection_counts.hpp"

#include "tests/unit/pipeline/automatic/selection/page_builder.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::automatic::selection {
namespace {

using namespace touchstone::testing;

/// English rules with the predicate `!name-has-prefix X`.
struct Selection {
  Predicate select = parse_predicate("!name-has-prefix X");
  ContentFilter filter{ContentRules{}, headings::heading_words("en").forbidden};
  TopicRules topics{headings::heading_words("en"), std::vector{TopicRule::kList, TopicRule::kDate}, {}, 3};
  review::Review review;

  PageOutcome assess(const car::Page& asked) const { return assess_page(asked, {&select, &filter, &topics, &review}); }
};

std::vector<car::Skeleton> plain_sections(std::initializer_list<const char*> headings) {
  std::vector<car::Skeleton> made;
  for (const auto* heading : headings) made.push_back(section(heading));
  return made;
}

std::string reason_names(PageReasons reasons) {
  std::string out;
  for (std::size_t i = 0; i < kPageReasons; ++i) {
    if (reasons[i]) out += std::string(out.empty() ? "" : ", ") + std::string(to_string(static_cast<PageReason>(i)));
  }
  return out;
}

TEST(SelectionCounts, AQueryPageFailsNothing) {
  const auto outcome = Selection().assess(page("Turtle", plain_sections({"One", "Two", "Three"})));
  EXPECT_TRUE(outcome.is_query_page());
  EXPECT_EQ(outcome.sections, 3U);
  EXPECT_EQ(outcome.paragraphs, 3U);
}

TEST(SelectionCounts, APageNamesAllItsReasons) {
  auto asked = page("X", {});
  asked.type = car::PageType::kDisambiguation;
  const auto outcome = Selection().assess(asked);
  EXPECT_EQ(reason_names(outcome.reasons), "disambiguation page, not selected, few sections");
  EXPECT_TRUE(outcome.alone.none());
}

TEST(SelectionCounts, AReasonCostsAPageAloneIfNothingElseFails) {
  const Selection selection;
  EXPECT_EQ(reason_names(selection.assess(page("Xylem", plain_sections({"One", "Two", "Three"}))).alone),
            "not selected");
  EXPECT_EQ(reason_names(selection.assess(page("List of plants", plain_sections({"One", "Two", "Three"}))).alone),
            "list title");
  EXPECT_EQ(reason_names(selection.assess(page("Turtle", plain_sections({"One", "Two"}))).alone), "few sections");
  EXPECT_EQ(reason_names(selection.assess(page("Turtle", plain_sections({"One", "Two", "See also"}))).alone),
            "forbidden headings");
  EXPECT_EQ(reason_names(
                selection.assess(page("Turtle", {section("One"), section("Two"), section("Maps", {image()})})).alone),
            "");
}

TEST(SelectionCounts, FiltersThatOnlyTogetherTakeTooMuchCostNoPageAlone) {
  const auto outcome = Selection().assess(page("Turtle", plain_sections({"One", "A", "See also"})));
  EXPECT_EQ(reason_names(outcome.reasons), "forbidden headings, short headings");
  EXPECT_TRUE(outcome.alone.none());
}

TEST(SelectionCounts, SectionsWithoutPassagesAreAReasonOfTheirOwn) {
  const auto outcome =
      Selection().assess(page("Turtle", {section("One"), section("Two"), section("Maps", {image(), item()})}));
  EXPECT_EQ(reason_names(outcome.reasons), "sections without passages");
}

TEST(SelectionCounts, APersonDropsATopic) {
  Selection selection;
  selection.review.add({review::ReviewDecision::kDrop, "Turtle", {}, "", "", 0});
  EXPECT_EQ(reason_names(selection.assess(page("Turtle", plain_sections({"One", "Two", "Three"}))).alone),
            "dropped in review");
}

SelectionCounts some_counts() {
  const Selection selection;
  SelectionCounts counts;
  counts.add(selection.assess(page("Turtle", plain_sections({"One", "Two", "Three"}))));
  counts.add(selection.assess(page("Tortoise", plain_sections({"One", "Two", "See also"}))));
  counts.add(selection.assess(page("Terrapin", plain_sections({"One", "Two", "References"}))));
  counts.add(selection.assess(page("1984", plain_sections({"One"}))));
  counts.add(selection.assess(page("Xylem", plain_sections({"One", "Two", "Three"}))));
  return counts;
}

TEST(SelectionCounts, TheTableNamesTheMostCostlyReasonFirst) {
  EXPECT_EQ(some_counts().table(),
            "1 of 5 pages are query pages, with 3 sections and 3 paragraphs\n"
            "reason                           alone       first         all\n"
            "forbidden headings                   2           2           2\n"
            "not selected                         1           1           1\n"
            "date title                           0           1           1\n"
            "few sections                         0           0           1\n");
  EXPECT_EQ(SelectionCounts().table(), "0 of 0 pages are query pages, with 0 sections and 0 paragraphs\n");
}

TEST(SelectionCounts, JsonHasAllReasons) {
  JsonWriter json;
  some_counts().write(json);
  const auto text = json.take();
  EXPECT_TRUE(
      text.starts_with("{\"pages\":5,\"query_pages\":1,\"sections\":3,\"paragraphs\":3,\"reasons\":["
                       "{\"reason\":\"redirect\",\"failed\":0,\"first\":0,\"alone\":0},"))
      << text;
  EXPECT_NE(text.find("{\"reason\":\"forbidden headings\",\"failed\":2,\"first\":2,\"alone\":2}"), std::string::npos);
}

TEST(SelectionCounts, SumsDoNotDependOnTheirOrder) {
  auto one = some_counts();
  SelectionCounts other;
  other.add(Selection().assess(page("List of plants", {})));
  auto first = one, second = other;
  first.add(other);
  second.add(one);
  EXPECT_EQ(first.table(), second.table());
  EXPECT_EQ(first.pages(), 6U);
  std::uint64_t failing = 0;
  for (std::size_t i = 0; i < kPageReasons; ++i) failing += first.first(static_cast<PageReason>(i));
  EXPECT_EQ(failing, first.pages() - first.query_pages());
}

}  // namespace
}  // namespace touchstone::pipeline::automatic::selection
