#include "common/records/sorter.hpp"

#include "common/error.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/unit/common/resident_memory.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::records {
namespace {

using testing::message_of;
using testing::TemporaryFolder;

/// A record of numbers alone.
struct Place {
  std::uint64_t key = 0;
  std::uint32_t value = 0;
  friend auto operator<=>(const Place&, const Place&) = default;
};

/// A record that is sorted by its words.
struct Edge {
  std::uint32_t target = 0, source = 0, place = 0;
  std::array<std::uint32_t, 3> words() const { return {target, source, place}; }
  friend auto operator<=>(const Edge&, const Edge&) = default;
};

struct Line {
  std::string text;
  template <class Fields>
  void fields(Fields& field) {
    field("text", text);
  }
  friend auto operator<=>(const Line&, const Line&) = default;
};

template <class Record, class Order>
std::vector<Record> sorted(Sorter<Record, Order>& sorter) {
  std::vector<Record> all;
  while (auto record = sorter.next()) all.push_back(std::move(*record));
  return all;
}

std::vector<std::string> sorted_lines(Sorter<Line>& sorter) {
  std::vector<std::string> lines;
  for (auto& line : sorted(sorter)) lines.push_back(std::move(line.text));
  return lines;
}

std::size_t file_count(const std::filesystem::path& folder) {
  const std::filesystem::directory_iterator files(folder);
  return static_cast<std::size_t>(std::distance(begin(files), end(files)));
}

TEST(Sorter, SpilledRunsGiveTheSameOrderAsMemory) {
  const TemporaryFolder folder;
  Sorter<Place> small(folder.path(), 1024 * sizeof(Place)), large(folder.path(), 1 << 30);
  std::mt19937_64 random(42);
  for (std::size_t i = 0; i < 100'000; ++i) {
    const Place place{random() % 1000, static_cast<std::uint32_t>(random() % 100)};
    small.add(place);
    large.add(place);
  }
  const auto spilled = sorted(small);
  ASSERT_EQ(spilled.size(), 100'000U);
  EXPECT_TRUE(std::is_sorted(spilled.begin(), spilled.end()));
  EXPECT_EQ(spilled, sorted(large));
}

TEST(Sorter, SortsRecordsOfWordsAsComparingWould) {
  const TemporaryFolder folder;
  std::mt19937 random(7);
  for (const std::uint32_t most : {1U, 3U, 1000U, 70'000U, UINT32_MAX}) {
    std::vector<Edge> edges;
    const auto draw = [&] { return static_cast<std::uint32_t>(random() % most); };
    for (int i = 0; i < 5000; ++i) edges.push_back({draw(), draw(), draw()});
    const auto by_source = [](const Edge& a, const Edge& b) {
      return std::pair(a.source, a.place) < std::pair(b.source, b.place);
    };
    for (const bool is_partly_sorted : {false, true}) {
      if (is_partly_sorted) std::sort(edges.begin(), edges.end(), by_source);
      for (const std::size_t memory : {std::size_t{700} * sizeof(Edge), std::size_t{1} << 30}) {
        Sorter<Edge> keeps(folder.path(), memory), drops(folder.path(), memory, Repeats::kDrop);
        for (const auto& edge : edges) {
          keeps.add(edge);
          drops.add(edge);
        }
        const std::set<Edge> distinct(edges.begin(), edges.end());
        auto all = edges;
        std::sort(all.begin(), all.end());
        EXPECT_EQ(sorted(keeps), all);
        EXPECT_EQ(sorted(drops), std::vector<Edge>(distinct.begin(), distinct.end()));
      }
    }
  }
}

TEST(Sorter, SortsTextsByBytesAndKeepsOrDropsRepeats) {
  const TemporaryFolder folder;
  Sorter<Line> keeps(folder.path(), 1 << 20), drops(folder.path(), 1 << 20, Repeats::kDrop);
  for (const char* text : {"b", "a", "\xC3\xA4", "", "b", "aa", "B"}) {
    keeps.add({text});
    drops.add({text});
  }
  EXPECT_EQ(sorted_lines(keeps), (std::vector<std::string>{"", "B", "a", "aa", "b", "b", "\xC3\xA4"}));
  EXPECT_EQ(sorted_lines(drops), (std::vector<std::string>{"", "B", "a", "aa", "b", "\xC3\xA4"}));
}

TEST(Sorter, DropsRepeatsInSpilledRunsToo) {
  const TemporaryFolder folder;
  std::mt19937 random(11);
  Sorter<Line> sorter(folder.path(), 512, Repeats::kDrop);
  std::set<std::string> different;
  for (int i = 0; i < 5000; ++i) {
    const std::string text = std::to_string(random() % 3000) + std::string(random() % 30, 'x');
    sorter.add({text});
    different.insert(text);
  }
  EXPECT_EQ(sorted_lines(sorter), std::vector<std::string>(different.begin(), different.end()));
}

TEST(Sorter, TheOrderIsAValue) {
  const TemporaryFolder folder;
  const auto falling = [](const Place& a, const Place& b) { return b.key < a.key; };
  Sorter<Place, decltype(falling)> sorter(folder.path(), 100, Repeats::kDrop, falling);
  for (const std::uint32_t key : {3U, 9U, 1U, 9U, 4U, 5U, 3U, 8U}) sorter.add({key, key});
  EXPECT_EQ(sorted(sorter), (std::vector<Place>{{9, 9}, {8, 8}, {5, 5}, {4, 4}, {3, 3}, {1, 1}}));
}

TEST(Sorter, GivesNothingForNothing) {
  const TemporaryFolder folder;
  Sorter<Place> sorter(folder.path(), 1024);
  EXPECT_FALSE(sorter.next());
  EXPECT_FALSE(sorter.next());
}

TEST(Sorter, SpillsToFewFilesWithoutNames) {
  const TemporaryFolder folder;
  const auto before = file_count("/proc/self/fd");
  {
    Sorter<Line> sorter(folder.path(), 100);
    for (int i = 0; i < 3000; ++i) sorter.add({"line " + std::to_string(i)});  // some 1,000 spills
    EXPECT_GT(file_count("/proc/self/fd"), before);
    EXPECT_LT(file_count("/proc/self/fd"), before + 50);
    EXPECT_EQ(file_count(folder.path()), 0U);
    EXPECT_EQ(sorted(sorter).size(), 3000U);
  }
  EXPECT_EQ(file_count("/proc/self/fd"), before);
}

TEST(Sorter, SaysWhereRecordsCannotBeSpilled) {
  const TemporaryFolder folder;
  Sorter<Line> sorter(folder / "missing", 64);
  sorter.add({std::string(60, 'a')});
  EXPECT_NE(message_of<StorageError>([&] {
              sorter.add({std::string(60, 'b')});
            }).find("cannot write a temporary file in " + (folder / "missing").string()),
            std::string::npos);
}

TEST(Sorter, NeedsNoMemoryForRecordsThatAreOnTheDisk) {
  if (!kMemoryIsMeasured) GTEST_SKIP() << "the sanitizer keeps memory that was given back";
  constexpr std::size_t kNumbers = 4'000'000;
  Sorter<std::uint64_t> sorter(std::filesystem::temp_directory_path(), kNumbers / 2 * sizeof(std::uint64_t));
  const auto before = resident_bytes();
  for (std::uint64_t i = 0; i < kNumbers; ++i) sorter.add(i);
  EXPECT_EQ(sorter.next(), 0U);
  EXPECT_LT(resident_bytes(), before + 8'000'000);
}

}  // namespace
}  // namespace touchstone::records
