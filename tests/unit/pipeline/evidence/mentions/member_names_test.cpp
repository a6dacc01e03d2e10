#include "pipeline/evidence/mentions/member_names.hpp"

#include "common/unicode.hpp"
#include "storage/bulk_loader.hpp"
#include "storage/keys.hpp"
#include "storage/records.hpp"
#include "tests/support/stage_fixture.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::evidence::mentions {
namespace {

using testing::simple_page;

class MemberNamesOfAWiki : public testing::StageFixture {
 protected:
  NameCounts counts;

  /// `name>page`, in order; page 0 for longer titles.
  std::vector<std::string> names(const std::string& wiki, const std::vector<PageId>& members,
                                 std::size_t most_letters = MemberNames::kMostLetters) {
    if (pairs(storage::Family::kPage).empty()) fill_from_dump(wiki);
    const corpus::TitleIndex titles(*store);
    const auto collected = MemberNames::collect(*store, titles, members, "en", stop, most_letters);
    counts = collected.counts;
    std::vector<std::string> all;
    for (const auto& name : collected.names) {
      std::string text;
      for (const auto letter : name.folded) append_utf8(text, letter);
      all.push_back(text + ">" + std::to_string(name.member.value));
    }
    return all;
  }
};

TEST_F(MemberNamesOfAWiki, AreTitlesAndRedirectsWithAndWithoutQualifier) {
  const auto wiki = simple_page(1, "Amber (light)", "A light.") + simple_page(2, "Basil", "A light.") +
                    simple_page(3, "Old Amber", "#REDIRECT [[Amber (light)]]", "Amber (light)") +
                    simple_page(4, "Lamp of Basil", "#REDIRECT [[Basil#Lamp]]", "Basil#Lamp");
  EXPECT_EQ(names(wiki, {PageId{1}, PageId{2}}),
            (std::vector<std::string>{"amber>1", "amber (light)>1", "basil>2", "old amber>1"}));
  EXPECT_EQ(counts.names, 4U);
}

TEST_F(MemberNamesOfAWiki, AmbiguousOnesAreCountedAndLeftOut) {
  const auto wiki = simple_page(1, "Amber", "A light.") + simple_page(2, "Amber (ship)", "A ship.") +
                    simple_page(3, "Basil", "A light.") + simple_page(4, "BASIL", "#REDIRECT [[Coast]]", "Coast") +
                    simple_page(5, "Coast", "A coast.") + simple_page(6, "Dune", "A light.") +
                    simple_page(7, "The Dune", "#REDIRECT [[Dune]]", "Dune") + simple_page(8, "Elder (a)", "A.") +
                    simple_page(9, "Elder (b)", "B.");
  EXPECT_EQ(names(wiki, {PageId{1}, PageId{3}, PageId{6}, PageId{8}, PageId{9}}),
            (std::vector<std::string>{"dune>6", "elder (a)>8", "elder (b)>9", "the dune>6"}));
  EXPECT_EQ(counts.ambiguous, 3U);
}

TEST_F(MemberNamesOfAWiki, ShortNamesAndFunctionWordsAreLeftOut) {
  const auto wiki = simple_page(1, "Oak", "A tree.") + simple_page(2, "1901", "A year.") +
                    simple_page(3, "Which", "A film.") + simple_page(4, "東京", "A city.") +
                    simple_page(5, "もち", "A cake.") + simple_page(6, "Elms", "Trees.");
  const std::vector<PageId> all = {PageId{1}, PageId{2}, PageId{3}, PageId{4}, PageId{5}, PageId{6}};
  EXPECT_EQ(names(wiki, all), (std::vector<std::string>{"elms>6", "東京>4"}));
  EXPECT_EQ(counts.too_short, 3U);
  EXPECT_EQ(counts.common, 1U);
}

TEST_F(MemberNamesOfAWiki, LongerTitlesOfOtherPagesComeAlong) {
  const auto wiki = simple_page(1, "Izumo", "A town.") + simple_page(2, "Izumo Province", "A province.") +
                    simple_page(3, "Old Izumo (town)", "#REDIRECT [[Izumo]]", "Izumo") +
                    simple_page(4, "Izumoya", "A shop.") + simple_page(5, "List (of Izumo)", "A list.");
  EXPECT_EQ(names(wiki, {PageId{1}}),
            (std::vector<std::string>{"izumo>1", "izumo province>0", "old izumo>1", "old izumo (town)>1"}));
  EXPECT_EQ(counts.longer_titles, 1U);
}

TEST_F(MemberNamesOfAWiki, DisambiguationPagesHaveNone) {
  const auto wiki = simple_page(1, "Amber (disambiguation)", "Amber may be:\n* [[A]]\n{{disambiguation}}");
  EXPECT_TRUE(names(wiki, {PageId{1}}).empty());
}

TEST_F(MemberNamesOfAWiki, WhatDoesNotFitIsCounted) {
  const auto wiki = simple_page(1, "Amber", "A light.") + simple_page(2, "Basil", "A light.");
  EXPECT_EQ(names(wiki, {PageId{1}, PageId{2}}, 7), std::vector<std::string>{"amber>1"});
  EXPECT_EQ(counts.beyond_limit, 1U);
}

TEST(WithoutQualifier, LeavesTheName) {
  EXPECT_EQ(without_qualifier("Amber (light)"), "Amber");
  EXPECT_EQ(without_qualifier("山田（作家）"), "山田");
  EXPECT_EQ(without_qualifier("(Amber)"), "(Amber)");
  EXPECT_EQ(without_qualifier("f(x)"), "f(x)");
  EXPECT_EQ(without_qualifier("Amber (light) House"), "Amber (light) House");
}

TEST_F(MemberNamesOfAWiki, NamesOfItemsAreAddedUnlessTheyAreTitlesOrOfSeveralMembers) {
  const auto wiki =
      simple_page(1, "Amber", "A light.") + simple_page(2, "Basil", "A light.") + simple_page(3, "Coast", "A coast.");
  fill_from_dump(wiki);
  {
    storage::BulkLoader loader(*store);
    const auto add = [&](std::uint32_t page, std::vector<std::string> labels, std::vector<std::string> aliases) {
      loader.add(storage::Family::kEntity, storage::page_key(PageId{page}),
                 encode(storage::EntityRecord{page, storage::ItemFacts{std::move(labels), std::move(aliases), {}}}));
    };
    add(1, {"Amber"}, {"Golden Lamp", "Shared Name", "Coast", "of"});
    add(2, {"Amber"}, {"Shared Name", "Basil Lamp"});
    loader.commit();
  }
  EXPECT_EQ(names(wiki, {PageId{1}, PageId{2}}),
            (std::vector<std::string>{"amber>1", "basil>2", "basil lamp>2", "golden lamp>1"}));
}

}  // namespace
}  // namespace touchstone::pipeline::evidence::mentions
