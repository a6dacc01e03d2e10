#include "common/line_sorter.hpp"

#include "common/error.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/temporary_folder.hpp"

#include <algorithm>
#include <random>
#include <set>

#include <gtest/gtest.h>

namespace touchstone {
namespace {

using testing::message_of;
using testing::TemporaryFolder;

std::vector<std::string> sorted(LineSorter& sorter) {
  std::vector<std::string> lines;
  sorter.for_each([&](std::string_view line) { lines.emplace_back(line); });
  return lines;
}

std::size_t file_count(const TemporaryFolder& folder) {
  const std::filesystem::directory_iterator files(folder.path());
  return static_cast<std::size_t>(std::distance(begin(files), end(files)));
}

TEST(LineSorter, SortsByBytesAndDropsDoubles) {
  const TemporaryFolder folder;
  LineSorter sorter(folder.path(), 1 << 20);
  for (const char* line : {"b", "a", "\xC3\xA4", "", "b", "aa", "B"}) sorter.add(line);
  EXPECT_EQ(sorted(sorter), (std::vector<std::string>{"", "B", "a", "aa", "b", "\xC3\xA4"}));
  EXPECT_EQ(file_count(folder), 0U);
}

TEST(LineSorter, TakesManyLinesAtOnce) {
  const TemporaryFolder folder;
  LineSorter sorter(folder.path(), 1 << 20);
  sorter.add_lines("b\n\na\n");
  sorter.add_lines("");
  sorter.add_lines("a\n");
  EXPECT_EQ(sorted(sorter), (std::vector<std::string>{"", "a", "b"}));
}

TEST(LineSorter, GivesNothingForNothing) {
  const TemporaryFolder folder;
  LineSorter sorter(folder.path(), 1 << 20);
  EXPECT_TRUE(sorted(sorter).empty());
}

std::size_t open_files() {
  const std::filesystem::directory_iterator files("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(files), end(files)));
}

TEST(LineSorter, SpillsToFewFilesWithoutNames) {
  const TemporaryFolder folder;
  const auto before = open_files();
  {
    LineSorter sorter(folder.path(), 64);
    for (int i = 0; i < 3000; ++i) sorter.add("line " + std::to_string(i));  // some 1,000 spills
    EXPECT_GT(open_files(), before);
    EXPECT_LT(open_files(), before + 50);
    EXPECT_EQ(file_count(folder), 0U);
    EXPECT_EQ(sorted(sorter).size(), 3000U);
  }
  EXPECT_EQ(open_files(), before);
}

TEST(LineSorter, GivesTheSameWithLittleAndWithMuchMemory) {
  const TemporaryFolder folder;
  std::mt19937 random(11);
  LineSorter small(folder.path(), 512), large(folder.path(), 1 << 24);
  for (int i = 0; i < 5000; ++i) {
    const std::string line = std::to_string(random() % 3000) + std::string(random() % 9, 'x');
    small.add(line);
    large.add(line);
  }
  const auto lines = sorted(small);
  EXPECT_EQ(lines, sorted(large));
  EXPECT_TRUE(std::is_sorted(lines.begin(), lines.end()));
  EXPECT_EQ(std::set<std::string>(lines.begin(), lines.end()).size(), lines.size());
}

TEST(LineSorter, SaysWhereLinesCannotBeSpilled) {
  const TemporaryFolder folder;
  LineSorter sorter(folder / "missing", 64);
  sorter.add(std::string(60, 'a'));
  EXPECT_NE(message_of<StorageError>([&] {
              sorter.add(std::string(60, 'b'));
            }).find("cannot write a temporary file in " + (folder / "missing").string()),
            std::string::npos);
}

}  // namespace
}  // namespace touchstone
