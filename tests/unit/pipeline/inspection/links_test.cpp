#include "pipeline/inspection/links.hpp"

#include "pipeline/corpus/title_index.hpp"
#include "storage/keys.hpp"
#include "storage/records.hpp"
#include "tests/support/stage_fixture.hpp"

#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::inspection {
namespace {

using testing::simple_page;

class Links : public testing::StageFixture {
 protected:
  using Lines = std::vector<std::pair<std::string, std::string>>;

  Lines links(const LinkSelection& selection, std::size_t table_bytes = 1 << 20) const {
    Lines lines;
    for_each_link(*store, selection, {folder.path(), table_bytes},
                  [&](std::string_view from, std::string_view to) { lines.emplace_back(from, to); });
    return lines;
  }

  /// The resolved links by a look-up of each title.
  Lines looked_up() const {
    const corpus::TitleIndex titles(*store);
    Lines lines;
    for (auto cursor = store->cursor(storage::Family::kLink); cursor.valid(); cursor.next()) {
      const auto page = titles.page(*storage::read_page_key(cursor.key()));
      if (page->title.ns != kNamespaceMain) continue;
      std::set<std::string> targets;
      for (const auto& target : storage::decode_links(cursor.value()).targets) {
        const auto end = titles.resolve(target);
        if (end && end->page.title.ns == kNamespaceMain) targets.insert(end->page.title.text);
      }
      for (const auto& target : targets) lines.emplace_back(page->title.text, target);
    }
    return lines;
  }
};

TEST_F(Links, RedirectsAreFollowed) {
  fill_from_dump(simple_page(1, "A", "[[B]], [[Old B]], [[Nowhere]], [[Round]], [[:Help:X]], [[C|c]], [[c]]") +
                 simple_page(2, "B", "text") + simple_page(3, "Old B", "#REDIRECT [[Older B]]", "Older B") +
                 simple_page(4, "Older B", "#REDIRECT [[B]]", "B") +
                 simple_page(5, "Round", "#REDIRECT [[Round]]", "Round") + simple_page(6, "C", "[[Old B]]"));
  EXPECT_EQ(links({.resolved = true}), (Lines{{"A", "B"}, {"A", "C"}, {"Old B", "B"}, {"Older B", "B"}, {"C", "B"}}));
  EXPECT_EQ(links({.resolved = true}), looked_up());
  EXPECT_EQ(links({}).size(), 9U);
}

TEST_F(Links, ChainsOfEightRedirectsAreFollowedAndOfNineAreNot) {
  std::string pages = simple_page(1, "A", "[[R1]] [[R2]]") + simple_page(20, "End", "text");
  for (std::uint32_t i = 1; i <= 9; ++i) {
    const auto target = i == 9 ? "End" : "R" + std::to_string(i + 1);
    pages += simple_page(i + 1, "R" + std::to_string(i), "#REDIRECT [[" + target + "]]", target);
  }
  fill_from_dump(pages);
  const auto found = links({.resolved = true});
  EXPECT_EQ(found, looked_up());
  EXPECT_EQ(found.front(), (std::pair<std::string, std::string>{"A", "End"}));
}

TEST_F(Links, OfTwoPagesWithOneTitleTheOneThatTheTitleLeadsToCounts) {
  fill_from_dump(simple_page(1, "A", "[[E]] [[F]]") + simple_page(2, "E", "text") +
                 simple_page(3, "E", "#REDIRECT [[A]]", "A") + simple_page(4, "F", "#REDIRECT [[A]]", "A") +
                 simple_page(5, "F", "text"));
  EXPECT_EQ(links({.resolved = true}), looked_up());
}

// Property: any bound of memory gives the links that looking up each title gives. The seed is fixed.
TEST_F(Links, SmallTablesChangeNothing) {
  std::string pages;
  for (std::uint32_t i = 1; i <= 200; ++i) {
    const auto name = [](std::uint32_t number) { return "Page " + std::to_string(number); };
    if (i % 5 == 0) {
      const auto target = name(i * 7 % 230);
      pages += simple_page(i, name(i), "#REDIRECT [[" + target + "]]", target);
      continue;
    }
    std::string text;
    for (std::uint32_t k = 0; k < i % 23; ++k) text += "[[" + name(i * k * 31 % 230) + "]] ";
    pages += simple_page(i, name(i), text);
  }
  fill_from_dump(pages);
  const auto expected = looked_up();
  EXPECT_GT(expected.size(), 1000U);
  for (const std::size_t bytes : {1 << 20, 3000, 400}) EXPECT_EQ(links({.resolved = true}, bytes), expected);
}

TEST_F(Links, AWikiWithoutLinksHasNone) {
  fill_from_dump(simple_page(1, "A", "text"));
  EXPECT_TRUE(links({.resolved = true}).empty());
  EXPECT_TRUE(links({}).empty());
}

}  // namespace
}  // namespace touchstone::pipeline::inspection
