#include "pipeline/flow/page_range.hpp"

#include "storage/keys.hpp"
#include "storage/store.hpp"
#include "tests/support/temporary_folder.hpp"

#include <cstdint>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::flow {
namespace {

class PageRanges : public ::testing::Test {
 protected:
  void put(const std::vector<std::uint32_t>& ids) {
    storage::Batch batch;
    for (const auto id : ids) batch.put(storage::Family::kPage, storage::page_key(PageId{id}), "page");
    store_->write(batch, storage::Durability::kProcess);
  }

  /// The first ids of the shards, and the end of the last one. Expects that each begins where the one before ends.
  std::vector<std::uint64_t> bounds(std::uint32_t count) const {
    std::vector<std::uint64_t> bounds{0};
    for (std::uint32_t index = 0; index < count; ++index) {
      const PageRange range = page_range(*store_, {index, count});
      EXPECT_EQ(range.first, bounds.back());
      EXPECT_EQ(range.first_key(), storage::page_key(PageId{static_cast<std::uint32_t>(range.first)}));
      bounds.push_back(range.end);
    }
    return bounds;
  }

  testing::TemporaryFolder folder_;
  std::unique_ptr<storage::Store> store_ = storage::Store::open(folder_.path() / "store", storage::Access::kReadWrite);
};

TEST_F(PageRanges, AllOfTheWorkIsAllIds) {
  put({7});
  EXPECT_EQ(bounds(1), (std::vector<std::uint64_t>{0, std::uint64_t{1} << 32}));
}

TEST_F(PageRanges, AreEqualPartsOfTheIdsUpToTheLastPage) {
  put({3, 5, 89});
  EXPECT_EQ(bounds(3), (std::vector<std::uint64_t>{0, 30, 60, 90}));
}

TEST_F(PageRanges, TheHighestIdIsInTheLastShard) {
  put({0, 4294967295U});
  EXPECT_EQ(bounds(2), (std::vector<std::uint64_t>{0, std::uint64_t{1} << 31, std::uint64_t{1} << 32}));
}

TEST_F(PageRanges, AStoreWithoutPagesHasEmptyShards) {
  EXPECT_EQ(bounds(2), (std::vector<std::uint64_t>{0, 0, 0}));
}

TEST_F(PageRanges, MoreShardsThanIdsLeaveSomeEmpty) {
  put({1});
  EXPECT_EQ(bounds(4), (std::vector<std::uint64_t>{0, 0, 1, 1, 2}));
}

}  // namespace
}  // namespace touchstone::pipeline::flow
