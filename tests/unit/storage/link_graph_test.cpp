#include "storage/link_graph.hpp"

#include "common/error.hpp"
#include "storage/keys.hpp"
#include "tests/support/temporary_folder.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::storage {
namespace {

using internal::BacklinkBlock;
using internal::BacklinkBlockBuilder;

using Numbers = std::vector<std::uint32_t>;
using Lists = std::vector<std::pair<std::uint32_t, Numbers>>;  ///< targets with their sources

/// Deterministic 32-bit numbers.
class Numbers32 {
 public:
  explicit Numbers32(unsigned seed) : engine_(seed) {}
  std::uint32_t operator()() { return static_cast<std::uint32_t>(engine_()); }
  std::mt19937& engine() { return engine_; }

 private:
  std::mt19937 engine_;
};

/// So many of the numbers below `end`, ascending.
Numbers some_of(std::uint32_t end, std::size_t count, Numbers32& random) {
  std::set<std::uint32_t> numbers;
  if (count * 2 > end) {  // dense: all but some
    Numbers all(end);
    for (std::uint32_t i = 0; i < end; ++i) all[i] = i;
    std::shuffle(all.begin(), all.end(), random.engine());
    numbers.insert(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count));
  } else {
    while (numbers.size() < count) numbers.insert(random() % end);
  }
  return {numbers.begin(), numbers.end()};
}

std::string block_of(std::uint32_t sources, const Lists& lists) {
  BacklinkBlockBuilder builder(sources);
  for (const auto& [target, numbers] : lists) builder.add(PageId{target}, numbers);
  return builder.take();
}

Lists lists_of(std::string_view bytes) {
  const BacklinkBlock block(bytes);
  Lists lists;
  Numbers numbers;
  block.for_each(numbers, [&](PageId target, const Numbers& list) { lists.emplace_back(target.value, list); });
  for (std::size_t i = 0; i < block.size(); ++i) {  // each alone is the same
    block.read(i, numbers);
    EXPECT_EQ(numbers, lists[i].second);
    EXPECT_EQ(block.find(PageId{lists[i].first}), i);
    EXPECT_EQ(block.count(i), numbers.size());
  }
  return lists;
}

TEST(BacklinkBlock, HoldsListsOfOneOfAllAndOfTheHighestNumbers) {
  constexpr auto kMost = UINT32_MAX;
  for (const auto& [sources, lists] : std::vector<std::pair<std::uint32_t, Lists>>{
           {1, {{7, {0}}}},
           {5, {{0, {0, 1, 2, 3, 4}}, {kMost, {4}}}},
           {kMost, {{1, {0, kMost - 1}}, {2, {kMost - 1}}, {kMost, {0, 1, 2}}}},
       }) {
    EXPECT_EQ(lists_of(block_of(sources, lists)), lists);
  }
}

// Property: what was written is read. The seeds are fixed and printed on failure.
TEST(BacklinkBlock, HoldsAnyLists) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Numbers32 random(seed);
    const auto sources = 1 + random() % (seed % 2 == 0 ? 40 : 3'000'000);
    BacklinkBlockBuilder builder(sources);
    Lists lists;
    std::uint32_t target = random() % 1000;
    while (!builder.full()) {
      const auto most = std::min(sources, random() % 3 == 0 ? 300U : 3U);
      lists.emplace_back(target, some_of(sources, 1 + random() % most, random));
      builder.add(PageId{target}, lists.back().second);
      target += 1 + random() % (random() % 2 == 0 ? 2 : 100'000);
    }
    EXPECT_EQ(builder.last().value, lists.back().first);
    const auto bytes = builder.take();
    EXPECT_EQ(lists_of(bytes), lists);
    EXPECT_FALSE(BacklinkBlock(bytes).find(PageId{target}));
    EXPECT_TRUE(builder.empty());
  }
}

TEST(BacklinkBlock, RandomListsTakeNearlyAsFewBitsAsPossible) {
  constexpr std::uint32_t kSources = 1'000'000;
  Numbers32 random(1);
  for (const std::size_t count : {1, 30, 900}) {
    Lists lists;
    for (std::uint32_t target = 1; target <= 2; ++target) lists.emplace_back(target, some_of(kSources, count, random));
    const auto bits = 8.0 * static_cast<double>(block_of(kSources, lists).size() - 12);  // 12: head of the block
    const double least = std::log2(2.718282 * kSources / static_cast<double>(count));    // for each of many links
    EXPECT_LT(bits / (2.0 * static_cast<double>(count)), least + (count == 1 ? 4 : 0.2)) << count;
  }
}

TEST(BacklinkBlock, DamagedBytesAreRefusedOrGiveListsInOrder) {
  Numbers32 random(3);
  Lists lists;
  for (std::uint32_t target = 10; target < 30; ++target) lists.emplace_back(target, some_of(5000, target, random));
  const auto whole = block_of(5000, lists);
  std::size_t refused = 0;
  for (unsigned i = 0; i < 20'000; ++i) {
    auto bytes = whole;
    switch (i % 3) {
      case 0:
        bytes.resize(random() % bytes.size());
        break;
      case 1:
        bytes[random() % bytes.size()] ^= static_cast<char>(1U << random() % 8);
        break;
      default:
        for (auto& byte : bytes) byte = static_cast<char>(random());
    }
    try {
      const BacklinkBlock block(bytes);
      Numbers numbers;
      block.for_each(numbers, [&](PageId, const Numbers& list) {
        EXPECT_TRUE(std::is_sorted(list.begin(), list.end()));
        EXPECT_LT(list.back(), block.sources());
      });
    } catch (const StorageError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 13'000U);
}

class LinkGraphTest : public ::testing::Test {
 protected:
  using Graph = std::map<std::uint32_t, std::vector<LinkGraph::Source>>;  ///< by target

  void write(const Graph& graph) {
    std::set<PageId> pages;
    for (const auto& [target, sources] : graph)
      for (const auto& source : sources) pages.insert(source.page);
    const SourcePages numbered({pages.begin(), pages.end()});
    BulkLoader loader(*store_);
    LinkGraphWriter writer(numbered, loader);
    for (const auto& [target, sources] : graph) {
      for (const auto& source : sources) writer.add_source(source.page, source.places);
      writer.end_target(PageId{target});
    }
    writer.finish();
    loader.commit();
    EXPECT_EQ(writer.targets(), graph.size());
  }
  static Graph random_graph(unsigned seed) {
    Numbers32 random(seed);
    Graph graph;
    for (unsigned i = 0; i < 400; ++i) {
      auto& sources = graph[random() % 3 == 0 ? random() : random() % 2000];
      for (const auto number : some_of(3000, 1 + random() % (random() % 50 == 0 ? 2000 : 5), random)) {
        Numbers places{random() % 3};
        while (random() % 3 == 0) places.push_back(places.back() + 1 + random() % 200);
        sources.push_back({PageId{number * 1'000'003 + 1}, places});
      }
      std::sort(sources.begin(), sources.end(), [](const auto& a, const auto& b) { return a.page < b.page; });
      const auto same = [](const auto& a, const auto& b) { return a.page == b.page; };
      sources.erase(std::unique(sources.begin(), sources.end(), same), sources.end());
    }
    return graph;
  }

  testing::TemporaryFolder folder_;
  std::unique_ptr<Store> store_ = Store::open(folder_ / "store", Access::kReadWrite);
};

TEST_F(LinkGraphTest, GivesWhatWasWritten) {
  const auto graph = random_graph(1);
  write(graph);
  const LinkGraph read(*store_);
  EXPECT_FALSE(read.empty());
  Graph listed;
  read.for_each_list(PageId{0}, PageId{UINT32_MAX}, [&](PageId target, std::span<const PageId> sources) {
    for (const PageId source : sources) listed[target.value].push_back({source, {}});
  });
  ASSERT_EQ(listed.size(), graph.size());
  for (const auto& [target, sources] : graph) {
    EXPECT_EQ(read.sources_with_places(PageId{target}), sources);
    EXPECT_EQ(read.count(PageId{target}), sources.size());
    std::vector<PageId> pages, in_scan;
    for (const auto& source : sources) pages.push_back(source.page);
    for (const auto& source : listed[target]) in_scan.push_back(source.page);
    EXPECT_EQ(read.sources(PageId{target}), pages);
    EXPECT_EQ(in_scan, pages);
  }
}

TEST_F(LinkGraphTest, PagesWithoutBacklinksHaveNone) {
  const LinkGraph before(*store_);
  EXPECT_TRUE(before.empty());
  EXPECT_EQ(before.count(PageId{5}), 0U);
  write({{10, {{PageId{1}, {0}}}}, {UINT32_MAX - 1, {{PageId{2}, {3}}}}});
  const LinkGraph read(*store_);
  for (const std::uint32_t page : {0U, 9U, 11U, UINT32_MAX}) {
    EXPECT_EQ(read.count(PageId{page}), 0U);
    EXPECT_TRUE(read.sources(PageId{page}).empty());
    EXPECT_TRUE(read.sources_with_places(PageId{page}).empty());
  }
}

TEST_F(LinkGraphTest, ARangeOfTargetsHasBothOfItsEnds) {
  Graph graph;
  for (std::uint32_t target = 1; target <= 500; ++target) graph[target] = {{PageId{target % 7}, {1}}};
  write(graph);
  const LinkGraph read(*store_);
  for (const auto& [first, last] : {std::pair{1U, 500U}, {100U, 100U}, {64U, 65U}, {499U, 9000U}}) {
    Numbers targets, expected;
    read.for_each_list(PageId{first}, PageId{last}, [&](PageId target, auto) { targets.push_back(target.value); });
    for (auto target = first; target <= std::min(last, 500U); ++target) expected.push_back(target);
    EXPECT_EQ(targets, expected);
  }
}

TEST_F(LinkGraphTest, SeveralThreadsReadIt) {
  const auto graph = random_graph(2);
  write(graph);
  const LinkGraph read(*store_);
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (const auto& [target, sources] : graph) EXPECT_EQ(read.sources(PageId{target}).size(), sources.size());
    });
}

TEST_F(LinkGraphTest, ListsOfOtherSourcesAreRefused) {
  write({{10, {{PageId{1}, {0}}, {PageId{2}, {0}}}}});
  store_->clear(std::vector{Family::kBacklinkSource});
  EXPECT_THROW(LinkGraph(*store_).sources(PageId{10}), StorageError);
}

TEST_F(LinkGraphTest, ListsOfOlderStoresAreNotRead) {
  Batch batch;
  batch.put(Family::kBacklink, page_key(PageId{10}), "\x01\x02\x01");
  store_->write(batch, Durability::kProcess);
  const LinkGraph read(*store_);
  EXPECT_TRUE(read.empty());
  EXPECT_EQ(read.count(PageId{10}), 0U);
}

TEST_F(LinkGraphTest, DamagedPlacesAreRefused) {
  write({{10, {{PageId{1}, {0}}, {PageId{2}, {0, 4}}}}});
  Batch batch;
  batch.put(Family::kBacklinkPlace, page_key(PageId{10}), "\x02\x01\x01");
  store_->write(batch, Durability::kProcess);
  const LinkGraph read(*store_);
  EXPECT_EQ(read.sources(PageId{10}).size(), 2U);
  EXPECT_THROW(read.sources_with_places(PageId{10}), StorageError);
}

}  // namespace
}  // namespace touchstone::storage
