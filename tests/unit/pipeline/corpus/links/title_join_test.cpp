#include "pipeline/corpus/links/title_join.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::corpus::links {
namespace {

struct Asked {
  std::uint64_t hash = 0;
  std::uint32_t number = 0;
  friend auto operator<=>(const Asked&, const Asked&) = default;
};

struct Joined {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> answers;  ///< number of the question and page, ascending
  std::vector<std::uint32_t> doubles;
};

template <class Record>
auto walk(std::vector<Record>& records) {
  std::sort(records.begin(), records.end());
  return [&records, next = std::size_t{0}]() mutable {
    return next < records.size() ? std::optional(records[next++]) : std::nullopt;
  };
}

Joined join(std::vector<TitledPage> pages, std::vector<Asked> asked) {
  Joined joined;
  join_titles(
      walk(pages), walk(asked),
      [&](const Asked& question, std::uint32_t page) { joined.answers.emplace_back(question.number, page); },
      [&](std::uint32_t page) { joined.doubles.push_back(page); });
  std::sort(joined.answers.begin(), joined.answers.end());
  return joined;
}

TEST(JoinTitles, EveryQuestionIsAnsweredOnce) {
  std::vector<TitledPage> pages;
  std::vector<Asked> asked;
  for (std::uint32_t page = 1; page <= 500; ++page)
    pages.push_back({title_hash(0, "Page " + std::to_string(page)), page});
  for (std::uint32_t i = 0; i < 900; ++i) asked.push_back({title_hash(0, "Page " + std::to_string(i)), i});
  const auto joined = join(pages, asked);
  ASSERT_EQ(joined.answers.size(), 900U);
  for (const auto& [number, page] : joined.answers) EXPECT_EQ(page, number <= 500 ? number : 0);
  EXPECT_TRUE(joined.doubles.empty());
}

TEST(JoinTitles, TheNamespaceIsPartOfTheTitle) {
  const auto joined = join({{title_hash(0, "A"), 1}, {title_hash(10, "A"), 2}}, {{title_hash({10, "A"}), 7}});
  EXPECT_EQ(joined.answers, (std::vector<std::pair<std::uint32_t, std::uint32_t>>{{7, 2}}));
}

TEST(JoinTitles, OfTwoPagesWithOneTitleTheLowerIdCounts) {
  const auto hash = title_hash(0, "A");
  const auto joined = join({{hash, 9}, {hash, 3}, {hash, 5}}, {{hash, 1}});
  EXPECT_EQ(joined.answers, (std::vector<std::pair<std::uint32_t, std::uint32_t>>{{1, 3}}));
  EXPECT_EQ(joined.doubles, (std::vector<std::uint32_t>{5, 9}));
}

}  // namespace
}  // namespace touchstone::pipeline::corpus::links
