#include "collection/automatic/report/automatic_numbers.hpp"
#include "collection/automatic/report/automatic_overview.hpp"
#include "collection/automatic/report/query_page_files.hpp"
#include "collection/release/report/charts.hpp"
#include "collection/release/report/shown_text.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "tests/unit/collection/automatic/sample_page.hpp"
#include "tests/unit/collection/evidence/sample_collection.hpp"

#include <gtest/gtest.h>

namespace touchstone::collection::automatic::report::internal {
namespace {

using namespace release::report;  // NOLINT: pieces of pages
using automatic::derive;
using automatic::testing::link;
using automatic::testing::page;
using automatic::testing::para;
using automatic::testing::section;
using automatic::testing::urban_sprawl;

bool markup_holds(const Html& html, std::string_view part) {
  return html.markup().find(part) != std::string::npos;
}

TEST(Distribution, QuantilesAreValuesThatTheShareDoesNotExceed) {
  Distribution values;
  EXPECT_EQ(values.quantile(0.5), 0U);
  EXPECT_EQ(values.mean(), 0);
  for (const std::uint64_t value : {4U, 1U, 2U, 3U}) values.add(value);
  EXPECT_EQ(values.quantile(0), 1U);
  EXPECT_EQ(values.quantile(0.25), 1U);
  EXPECT_EQ(values.quantile(0.5), 2U);
  EXPECT_EQ(values.quantile(0.75), 3U);
  EXPECT_EQ(values.quantile(0.76), 4U);
  EXPECT_EQ(values.quantile(1), 4U);
  EXPECT_EQ(values.mean(), 2.5);
  EXPECT_EQ(values.count(3), 1U);
  EXPECT_EQ(values.count(9), 0U);
}

TEST(NumberCollector, CountsAsThePaperDoes) {
  NumberCollector numbers({"en"});
  const auto sprawl = urban_sprawl();
  numbers.add(derive(sprawl), true);
  const auto& test = numbers.split(true);
  EXPECT_EQ(numbers.split(false).topics, 0U);
  EXPECT_EQ(test.topics, 1U);
  EXPECT_EQ(test.facets, 5U);
  EXPECT_EQ(test.facets_with_passages, 5U);
  EXPECT_EQ(test.facets_with_entities, 4U);
  EXPECT_EQ(test.passages, 7U);
  EXPECT_EQ(test.lead_passages, 1U);
  EXPECT_EQ(test.article_passages, 7U);
  EXPECT_EQ(test.tree_passages, 7U + 6U + 3U);
  EXPECT_EQ(test.entities, 6U);
  EXPECT_EQ(test.lead_entities, 1U);
  EXPECT_EQ(test.article_entities, 4U);
  EXPECT_EQ(test.passages_per_facet.count(2), 1U);
  EXPECT_EQ(test.passages_per_facet.sum() + test.lead_passages, test.passages);
  EXPECT_EQ(test.entities_per_facet.sum() + test.lead_entities, test.entities);
  EXPECT_EQ(numbers.distinct_passages(), 7U);
  EXPECT_EQ(numbers.shared_passages(), 0U);
}

TEST(NumberCollector, SeesPassagesOfSeveralTopicsAndReplacedOnes) {
  NumberCollector numbers({"en"});
  automatic::DerivationOptions options;
  options.representative = [](std::string_view id) { return std::string(id == "b" ? "a" : id); };
  const auto first = page("First", {section("One", {para("a"), para("c")})});
  const auto second = page("Second", {section("Two", {para("b")})});
  numbers.add(derive(first, options), false);
  numbers.add(derive(second, options), true);
  EXPECT_EQ(numbers.split(false).replaced, 0U);
  EXPECT_EQ(numbers.split(true).replaced, 1U);
  EXPECT_EQ(numbers.distinct_passages(), 2U);
  EXPECT_EQ(numbers.shared_passages(), 1U);
}

TEST(NumberCollector, FindsHeadingsInScriptsOfOtherLanguages) {
  const auto shrine = page("Shrine", {section("History", {para("a")}), section("概要", {para("b")}),
                                      section("1990–2000", {para("c")}), section("Deity 神", {para("d")})});
  NumberCollector english({"en"});
  english.add(derive(shrine), true);
  EXPECT_EQ(english.scripts().headings, 4U);
  EXPECT_EQ(english.scripts().foreign, 1U);
  EXPECT_EQ(english.scripts().samples, std::vector<std::string>{"Shrine » 概要"});
  NumberCollector both({"en", "ja"});
  both.add(derive(shrine), true);
  EXPECT_EQ(both.scripts().foreign, 0U);
}

TEST(QueryPageView, ShowsOutlinePassagesAndEntities) {
  const auto sprawl = urban_sprawl();
  const auto view = query_page_view(derive(sprawl), true, 7);
  EXPECT_TRUE(markup_holds(view, "<article class=\"query-page\" id=\"t7\">"));
  EXPECT_TRUE(markup_holds(view, "<a href=\"#t7-3\" dir=\"auto\">Safety</a> <small>1</small>"));
  EXPECT_TRUE(markup_holds(view, "<h4 id=\"t7-3\" dir=\"auto\">Safety</h4>"));
  EXPECT_TRUE(markup_holds(view, "<code>enwiki:Urban%20sprawl/Effects/Safety</code>"));
  EXPECT_TRUE(markup_holds(view, "<mark>see enwiki:Car%20crash</mark>"));
  EXPECT_TRUE(markup_holds(view, "<li title=\"enwiki:Car%20crash Q9687\" dir=\"auto\">"));
  EXPECT_TRUE(markup_holds(view, "docid <code>p3</code>"));
  EXPECT_TRUE(markup_holds(view, "5 facets"));
  EXPECT_TRUE(markup_holds(view, ">see and nothing known</p>")) << "a link without a target is plain text";
  EXPECT_FALSE(markup_holds(view, "<mark>see </mark>"));
}

TEST(QueryPageView, MakesHostileTextsInert) {
  const auto hostile =
      page("<script>alert(1)</script>\u202e",
           {section("\u0085<img src=x onerror=1>\xff", {para("\"><b>", {"a\u2066<i>", link("x\"onclick=\"1")})})});
  const auto view = query_page_view(derive(hostile), false, 1);
  for (const auto* part : {"<script", "<img", "<b>", "<i>", "\"onclick", "\u202e", "\u0085", "\u2066", "\xff"})
    EXPECT_FALSE(markup_holds(view, part)) << part;
  EXPECT_TRUE(markup_holds(view, "\\u202e"));
  EXPECT_TRUE(markup_holds(view, "\\u0085"));
  EXPECT_TRUE(markup_holds(view, "\\xff"));
}

TEST(QueryPageView, NamesTheReplacedPassage) {
  automatic::DerivationOptions options;
  options.representative = [](std::string_view) { return std::string("first"); };
  const auto copied = page("Copy", {section("One", {para("second")})});
  const auto view = query_page_view(derive(copied, options), false, 1);
  EXPECT_TRUE(markup_holds(view, "docid <code>first</code> stands for its near-duplicate <code>second</code>"));
}

TEST(QueryPageView, CountsNouns) {
  EXPECT_EQ(counted(1, "facet"), "1 facet");
  EXPECT_EQ(counted(1200, "facet"), "1,200 facets");
  EXPECT_EQ(counted(2, "relevant entity"), "2 relevant entities");
}

TEST(QueryPageFiles, PartsManyTopicsAndTheirTitles) {
  evidence::testing::TemporaryFolder folder;
  AutomaticReportLimits limits;
  limits.max_file_bytes = 1;
  limits.max_listed_titles = 3;
  limits.titles_per_index = 2;
  QueryPageFiles files({folder / "", "c", "r.html"}, limits);
  const std::vector<std::string> titles{"b", "C", "a", "d", "E"};
  std::vector<formats::car::Page> pages;
  for (const auto& title : titles) pages.push_back(page(title, {section("One", {para("p" + title)})}));
  for (std::size_t i = 0; i < pages.size(); ++i) files.add(derive(pages[i]), i < 3);
  files.finish();
  EXPECT_EQ(files.files(), 5U + 3U);
  const auto second = read_file(folder / "test-2.html");
  EXPECT_NE(second.find("href=\"test-1.html\""), std::string::npos);
  EXPECT_NE(second.find("href=\"test-3.html\""), std::string::npos);
  EXPECT_NE(second.find("href=\"../r.html\""), std::string::npos);
  EXPECT_NE(second.find("Test topics 2 to 2"), std::string::npos);
  EXPECT_EQ(read_file(folder / "test-3.html").find("rel=\"next\""), std::string::npos);
  EXPECT_NE(read_file(folder / "train-1.html").find("Training topics 1 to 1"), std::string::npos);
  const auto listed = read_file(folder / "titles-1.html");
  EXPECT_NE(listed.find("href=\"test-3.html#t3\""), std::string::npos) << "a, without regard to case first";
  EXPECT_NE(listed.find("href=\"test-1.html#t1\""), std::string::npos);
  EXPECT_EQ(listed.find("#t2"), std::string::npos);
  EXPECT_TRUE(markup_holds(files.index("f/"), "<a href=\"f/titles-3.html\"><bdi>E</bdi> … <bdi>E</bdi></a>"));
}

TEST(AutomaticWarnings, SaysWhatIsDoubtful) {
  AutomaticOverview overview;
  EXPECT_NE(automatic_warnings(overview).at(0).find("There is no topic"), std::string::npos);
  overview.test.topics = 60;
  overview.train.topics = 49;
  overview.train.entities = 1;
  overview.manifest.numbers.passages = 100;
  overview.distinct_passages = 50;
  auto warnings = automatic_warnings(overview);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("The training part has 49 topics"), std::string::npos);
  overview.train.topics = 50;
  EXPECT_TRUE(automatic_warnings(overview).empty());
  overview.leaks[2] = 1;
  overview.distinct_passages = 51;
  overview.knows_headings = false;
  overview.scripts = {100, 5, {"A » б"}};
  warnings = automatic_warnings(overview);
  ASSERT_EQ(warnings.size(), 4U);
  EXPECT_NE(warnings[0].find("51 of the 100 passages"), std::string::npos);
  EXPECT_NE(warnings[1].find("leaks"), std::string::npos);
  EXPECT_NE(warnings[3].find("A » б"), std::string::npos);
}

TEST(SelectionSection, RefusesAnotherFile) {
  EXPECT_THROW(selection_section("{}"), FormatError);
  EXPECT_THROW(selection_section("no JSON"), FormatError);
}

TEST(CountHistogram, HasAColumnForEachBin) {
  const auto chart = count_histogram({{0, 2}, {3, 1}}, {"passages", "facets"});
  EXPECT_TRUE(markup_holds(chart, "0 passages: 2 facets"));
  EXPECT_TRUE(markup_holds(chart, "1 passages: 0 facets"));
  EXPECT_TRUE(markup_holds(chart, "3 passages: 1 facets"));
  EXPECT_TRUE(markup_holds(count_histogram({}, {"passages", "facets"}), "No facets."));
}

}  // namespace
}  // namespace touchstone::collection::automatic::report::internal
