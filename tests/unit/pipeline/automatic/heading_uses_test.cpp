#include "pipeline/automatic/heading_uses.hpp"

#include "common/records/record_file.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/unit/pipeline/automatic/selection/page_builder.hpp"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::automatic {
namespace {

using namespace touchstone::testing;

/// A page of a village: what a robot wrote, and what people did.
car::Page village(int i) {
  const auto number = std::to_string(i);
  std::string words;
  for (const char digit : number) words += std::string(" w") + static_cast<char>('a' + (digit - '0'));
  return page("Village " + number,
              {section("Population", {para("Village " + number + " has " + number + " inhabitants.")}),
               section("HISTORY:", {para("Once there were" + words + " who lived" + words + " by the river.")}),
               section("Rare " + number, {para("The same.")})});
}

std::vector<std::string> found_in(const std::vector<HeadingUse>& uses, std::uint64_t pages, double share = 0.1) {
  const TemporaryFolder folder;
  records::RecordFile<HeadingUse>::Writer out(folder / "uses");
  for (auto use : uses) {
    use.of_pages = pages;
    out.add(use);
  }
  out.finish();
  selection::AutomaticOptions options;
  options.boilerplate_share = share;
  return boilerplate_headings(folder / "uses", options);
}

TEST(HeadingUses, TextsOfOneMouldMakeAFrequentHeadingBoilerplate) {
  HeadingUses uses;
  for (int i = 1; i <= 60; ++i) uses.add(village(i));
  EXPECT_EQ(uses.pages(), 60U);
  const auto all = uses.take();
  ASSERT_EQ(all.size(), 62U);
  EXPECT_EQ(all[0].heading, "history");
  EXPECT_EQ(all[0].texts, 60U);
  EXPECT_EQ(all[1].pages, 60U);
  EXPECT_EQ(all[1].moulds.size(), 1U);
  EXPECT_EQ(found_in(all, 60), (std::vector<std::string>{"population"}));
  EXPECT_EQ(found_in(all, 700), std::vector<std::string>{}) << "on less than a tenth of the pages";
  EXPECT_EQ(found_in(all, 60, 0), std::vector<std::string>{}) << "switched off";
}

TEST(HeadingUses, AFewTextsSayNothing) {
  HeadingUses uses;
  for (int i = 1; i <= 19; ++i) uses.add(village(i));
  EXPECT_EQ(found_in(uses.take(), 19), std::vector<std::string>{});
}

TEST(HeadingUses, PartsOfAWikiAddUp) {
  HeadingUses whole, first, second;
  for (int i = 1; i <= 400; ++i) {
    whole.add(village(i));
    (i % 3 == 0 ? first : second).add(village(i));
  }
  const auto expected = whole.take();
  HeadingUse sum = first.take().front();
  sum.add(second.take().front());
  EXPECT_EQ(sum.moulds, expected.front().moulds);
  EXPECT_EQ(sum.pages, 400U);
  EXPECT_EQ(sum.texts, 400U);
  EXPECT_EQ(sum.moulds.size(), HeadingUse::kMostMoulds);
  EXPECT_NEAR(sum.distinct_moulds(), 400, 100);
}

}  // namespace
}  // namespace touchstone::pipeline::automatic
