#include "collection/automatic/leak_check.hpp"

#include "common/error.hpp"
#include "common/scratch_folder.hpp"
#include "tests/unit/collection/automatic/sample_page.hpp"

#include <gtest/gtest.h>

namespace touchstone::collection::automatic {
namespace {

using namespace testing;  // NOLINT: builders of pages

const std::string kText = "Low-density houses at the edge of a growing town need long ways.";

car::Page query_page() {
  auto page =
      testing::page("Urban sprawl", {para("q1", {kText}), section("See also", {para("q2", {std::string("Town")})})});
  page.metadata.qid = "Q193351";
  page.metadata.redirect_names = {"Suburban sprawl"};
  return page;
}

struct Check : public LeakCheck {
  explicit Check(const std::vector<car::Page>& query_pages = {query_page()}, const LeakTextRules& rules = {},
                 std::size_t max_leaks = 1000)
      : LeakCheck(index_of(query_pages, rules), rules, max_leaks) {}

 private:
  static LeakIndex index_of(const std::vector<car::Page>& query_pages, const LeakTextRules& rules) {
    LeakIndexWriter writer("a folder that is not needed");
    for (const auto& page : query_pages) writer.add(query_page_facts(page, rules));
    return writer.finish();
  }
};

/// The leaks of one page of the knowledge base.
std::vector<Leak> leaks_of(const car::Page& page, const LeakTextRules& rules = {}) {
  Check check({query_page()}, rules);
  check.check(page);
  EXPECT_EQ(check.ok(), check.leaks().empty());
  return check.leaks();
}

const std::string kQuery = "enwiki:Urban%20sprawl";

TEST(LeakCheck, FindsNothingInOtherPages) {
  EXPECT_TRUE(leaks_of(testing::page("Town", {para("p1", {std::string("A town is larger than a village and has a "
                                                                      "market of its own.")})}))
                  .empty());
  EXPECT_TRUE(Check().ok());
  Check without(std::vector<car::Page>{});
  without.check(query_page());
  EXPECT_TRUE(without.ok()) << "there are no query pages";
}

TEST(LeakCheck, FindsAQueryPageByIdTitleOrQid) {
  auto by_id = testing::page("Other", {});
  by_id.id = kQuery;
  auto by_title = testing::page("urban_sprawl", {});
  auto by_qid = testing::page("Zersiedelung", {});
  by_qid.metadata.qid = "Q193351";
  for (const auto& page : {by_id, by_title, by_qid})
    EXPECT_EQ(leaks_of(page), (std::vector<Leak>{{LeakKind::kQueryPage, page.id, page.name, kQuery, ""}})) << page.name;
}

TEST(LeakCheck, TitlesInOtherCaseAreOtherPages) {
  EXPECT_TRUE(leaks_of(testing::page("Urban Sprawl", {})).empty());
}

TEST(LeakCheck, SaysWhichPagesMustBeLeftOut) {
  const Check check;
  EXPECT_TRUE(check.is_leak(testing::page("urban_sprawl", {})));
  EXPECT_TRUE(check.is_leak(testing::page("Suburban sprawl", {})));
  EXPECT_FALSE(check.is_leak(testing::page("Urban Sprawl", {})));
  auto linked = testing::page("Town", {});
  linked.metadata.inlink_ids = {kQuery};
  EXPECT_FALSE(check.is_leak(linked)) << "what its metadata name is a leak, not the page";
  EXPECT_TRUE(check.ok()) << "nothing is reported";
}

TEST(LeakCheck, FindsRedirectsByTargetAndByName) {
  auto by_target = testing::page("Sprawl", {});
  by_target.type = car::PageType::kRedirect;
  by_target.redirect = car::Link{"Urban sprawl", "", {}, "", ""};
  auto by_target_id = by_target;
  by_target_id.redirect = car::Link{"", kQuery, {}, "", ""};
  const auto by_name = testing::page("Suburban sprawl", {});
  for (const auto& page : {by_target, by_target_id, by_name})
    EXPECT_EQ(leaks_of(page), (std::vector<Leak>{{LeakKind::kRedirect, page.id, page.name, kQuery, ""}})) << page.name;
}

TEST(LeakCheck, FindsAQueryPageThatIsNamedAsLinkingToThePage) {
  auto page = testing::page("Town", {});
  page.metadata.inlink_ids = {"enwiki:Village", kQuery};
  EXPECT_EQ(leaks_of(page), (std::vector<Leak>{{LeakKind::kInlink, page.id, page.name, kQuery, ""}}));
  page.metadata.inlink_ids = {"enwiki:Village"};
  EXPECT_TRUE(leaks_of(page).empty());
}

TEST(LeakCheck, FindsCopiesOfTextWhereverTheyStand) {
  const auto copy = para("p1", {std::string("low-density  houses at the EDGE of a growing town\nneed long ways. ")});
  const auto paragraph = std::get<car::Paragraph>(copy.element);
  const std::vector<car::Skeleton> places = {copy,
                                             section("A", {section("B", {copy})}),
                                             {car::ListItem{1, paragraph}},
                                             {car::Image{"File:X.png", {copy}}},
                                             {car::Infobox{"box", {{"key", {copy}}}}}};
  for (const auto& place : places) {
    const auto page = testing::page("Town", {place});
    EXPECT_EQ(leaks_of(page), (std::vector<Leak>{{LeakKind::kText, "enwiki:Town", "Town", kQuery, "p1"}}));
  }
}

TEST(LeakCheck, FindsCopiesWithLinksOrById) {
  const auto linked = testing::page(
      "Town", {para("p1", {std::string("Low-density houses at the edge of a growing "),
                           car::Link{"Town", "enwiki:Town", {}, "town", ""}, std::string(" need long ways.")})});
  EXPECT_EQ(leaks_of(linked).size(), 1U);
  const auto same_id =
      testing::page("Town", {para("q1", {std::string("one two three four five six seven eight nine")})});
  EXPECT_EQ(leaks_of(same_id).size(), 1U);
}

TEST(LeakCheck, FindsNearDuplicatesByTheirRepresentative) {
  const auto page = testing::page("Town", {para("p1", {std::string("one two three four five six seven eight nine")})});
  EXPECT_TRUE(leaks_of(page).empty());
  EXPECT_EQ(leaks_of(page, {.representative = [](std::string_view id) { return id == "p1" ? "q1" : std::string(id); }})
                .size(),
            1U);
}

TEST(LeakCheck, ShortTextsAreNoCopies) {
  const auto page = testing::page("Village", {para("q2", {std::string("Town")})});
  EXPECT_TRUE(leaks_of(page).empty());
  EXPECT_EQ(leaks_of(page, {.min_text_words = 1}).size(), 1U);
}

TEST(LeakCheck, ScriptsWithoutBlanksHaveWordsToo) {
  const std::string text = "郊外化とは都市の人口が周辺の地域に広がっていく現象のことであり世界の多くの国で見られる";
  Check check({testing::page("郊外化", {para("q1", {text})})});
  check.check(testing::page("都市", {para("p1", {text})}));
  EXPECT_EQ(check.count(LeakKind::kText), 1U);
}

TEST(LeakCheck, CountsAllLeaksAndKeepsTheFirst) {
  Check check({query_page()}, {}, 2);
  for (int i = 0; i < 5; ++i) check.check(testing::page("Town " + std::to_string(i), {para("p", {kText})}));
  check.check(query_page());
  EXPECT_EQ(check.leaks().size(), 2U);
  EXPECT_EQ(check.leaks()[0].page_name, "Town 0");
  EXPECT_EQ(check.count(LeakKind::kText), 6U);
  EXPECT_EQ(check.count(LeakKind::kQueryPage), 1U);
  EXPECT_EQ(check.count(LeakKind::kRedirect), 0U);
  EXPECT_FALSE(check.ok());
}

TEST(LeakCheck, NamesTheFirstOfQueryPagesThatShareATextAmongMany) {
  std::vector<car::Page> pages;
  for (int i = 0; i < 1000; ++i) {
    pages.push_back(testing::page("Town " + std::to_string(i), {para("q" + std::to_string(i), {kText})}));
  }
  Check check(pages);
  for (int i = 0; i < 1000; ++i) check.check(testing::page("Village " + std::to_string(i), {}));
  EXPECT_TRUE(check.ok()) << "these are other pages";
  check.check(testing::page("Town_999", {para("p", {kText})}));
  ASSERT_EQ(check.leaks().size(), 2U);
  EXPECT_EQ(check.leaks()[0].query_id, "enwiki:Town%20999");
  EXPECT_EQ(check.leaks()[1].query_id, "enwiki:Town%200");
}

TEST(LeakIndex, AFileThatBecameShorterIsNamed) {
  const ScratchFolder folder("leaks");
  LeakIndexWriter writer(folder.path());
  writer.add(query_page_facts(query_page(), {}));
  writer.finish(folder.path());
  const LeakIndex index(folder.path());
  const auto page = index.find(leak_key(LeakKey::kTitle, "Urban sprawl"));
  ASSERT_TRUE(page);
  EXPECT_EQ(index.id(*page), kQuery);
  std::filesystem::resize_file(folder.path() / "ids", 3);
  std::filesystem::resize_file(folder.path() / "keys", 3);
  EXPECT_THROW(index.id(*page), StorageError);
  EXPECT_THROW(index.find(leak_key(LeakKey::kTitle, "Urban sprawl")), StorageError);
}

}  // namespace
}  // namespace touchstone::collection::automatic
