#include "common/shared_journal.hpp"

#include "common/error.hpp"
#include "tests/support/temporary_folder.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace touchstone {
namespace {

using Entries = std::vector<std::string>;

TEST(SharedJournal, AllReadTheSameEntriesInTheSameOrder) {
  const testing::TemporaryFolder folder;
  SharedJournal one(folder / "journal", "one"), other(folder / "journal", "other");
  EXPECT_TRUE(one.add("a"));
  EXPECT_FALSE(other.add("b")) << "it does not know of a yet";
  EXPECT_EQ(other.news(), Entries{"a"});
  EXPECT_TRUE(other.add("b"));
  EXPECT_EQ(one.news(), Entries{"b"});
  EXPECT_EQ(one.news(), Entries{});
  EXPECT_EQ(SharedJournal(folder / "journal", "third").news(), (Entries{"a", "b"}));
}

TEST(SharedJournal, WritersAtTheSameTimeLoseNoEntry) {
  constexpr std::size_t kWriters = 4, kEntries = 25;
  const testing::TemporaryFolder folder;
  std::vector<std::thread> writers;
  for (std::size_t writer = 0; writer < kWriters; ++writer) {
    writers.emplace_back([&, writer] {
      SharedJournal journal(folder / "journal", fmt::format("writer{}", writer));
      for (std::size_t i = 0; i < kEntries; ++i) {
        while (!journal.add(fmt::format("{} {}", writer, i))) static_cast<void>(journal.news());
      }
    });
  }
  for (auto& writer : writers) writer.join();
  auto all = SharedJournal(folder / "journal", "reader").news();
  EXPECT_EQ(all.size(), kWriters * kEntries);
  std::sort(all.begin(), all.end());
  EXPECT_EQ(std::unique(all.begin(), all.end()), all.end());
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder / "journal"), {}), kWriters * kEntries)
      << "no drafts are left";
}

TEST(SharedJournal, WhoeverWritesAfterItsEndIsRefused) {
  const testing::TemporaryFolder folder;
  SharedJournal late(folder / "journal", "late");
  std::filesystem::remove_all(folder / "journal");
  EXPECT_EQ(late.news(), Entries{});
  EXPECT_THROW(late.add("a"), StorageError);
}

}  // namespace
}  // namespace touchstone
