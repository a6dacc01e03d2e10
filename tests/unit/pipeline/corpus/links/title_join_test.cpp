#include "pipeline/corpus/links/title_join.hpp"

#include "tests/support/temporary_folder.hpp"

#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::corpus::links {
namespace {

TEST(TitleJoin, EveryQuestionIsAnsweredOnceWhetherOrNotItFitsInMemory) {
  testing::TemporaryFolder folder;
  for (const std::size_t memory : {std::size_t{1} << 24, std::size_t{1}}) {
    TitleJoin join(folder.path(), memory);
    for (std::uint32_t page = 1; page <= 5000; ++page) join.add_page({0, "Page " + std::to_string(page)}, page);
    for (std::uint32_t i = 0; i < 9000; ++i) join.ask({0, "Page " + std::to_string(i)}, {i, i % 7});
    std::map<std::uint32_t, std::uint32_t> found;
    std::uint32_t missing = 0;
    join.finish(
        [&](TitleJoin::Question question, std::uint32_t page) {
          EXPECT_EQ(question.tag, question.page % 7);
          EXPECT_TRUE(found.emplace(question.page, page).second);
        },
        [&](TitleJoin::Question question) {
          EXPECT_TRUE(question.page == 0 || question.page > 5000);
          ++missing;
        },
        [](std::uint32_t) { FAIL() << "no title comes twice"; });
    EXPECT_EQ(found.size(), 5000U);
    EXPECT_EQ(missing, 4000U);
    for (const auto& [question, page] : found) EXPECT_EQ(question, page);
  }
}

TEST(TitleJoin, TheNamespaceIsPartOfTheTitle) {
  testing::TemporaryFolder folder;
  TitleJoin join(folder.path(), 1 << 20);
  join.add_page({0, "A"}, 1);
  join.add_page({10, "A"}, 2);
  join.ask({10, "A"}, {7, 0});
  std::vector<std::uint32_t> pages;
  join.finish([&](TitleJoin::Question, std::uint32_t page) { pages.push_back(page); },
              [](TitleJoin::Question) { FAIL(); }, [](std::uint32_t) { FAIL(); });
  EXPECT_EQ(pages, std::vector<std::uint32_t>{2});
}

TEST(TitleJoin, OfTwoPagesWithOneTitleTheLowerNumberCounts) {
  testing::TemporaryFolder folder;
  TitleJoin join(folder.path(), 1 << 20);
  for (const std::uint32_t page : {9U, 3U, 5U}) join.add_page({0, "A"}, page);
  join.ask({0, "A"}, {1, 0});
  std::vector<std::uint32_t> found, doubles;
  join.finish([&](TitleJoin::Question, std::uint32_t page) { found.push_back(page); },
              [](TitleJoin::Question) { FAIL(); }, [&](std::uint32_t page) { doubles.push_back(page); });
  EXPECT_EQ(found, std::vector<std::uint32_t>{3});
  EXPECT_EQ(doubles, (std::vector<std::uint32_t>{5, 9}));
}

}  // namespace
}  // namespace touchstone::pipeline::corpus::links
