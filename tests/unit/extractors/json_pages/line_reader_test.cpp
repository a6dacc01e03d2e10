#include "common/error.hpp"
#include "extractors/json_pages/json_pages_source.hpp"
#include "tests/support/memory_source.hpp"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::extractors::json_pages {
namespace {

using Lines = std::vector<std::pair<std::uint64_t, std::string>>;  // number and text

struct Reading {
  Lines lines;
  std::vector<std::uint64_t> too_large, batch_ends;
};

Reading read_lines(const std::string& bytes, LineReaderOptions options = {}, std::vector<std::size_t> pieces = {},
                   std::uint64_t from = 0) {
  LineReader reader(std::make_unique<testing::MemorySource>(bytes, std::move(pieces)), options);
  reader.skip_to(from);
  Reading reading;
  while (const auto batch = reader.next()) {
    for (const auto& record : batch->records) {
      reading.lines.emplace_back(record.place, batch->bytes.substr(record.begin, record.size));
    }
    reading.too_large.insert(reading.too_large.end(), batch->too_large.begin(), batch->too_large.end());
    reading.batch_ends.push_back(batch->end_offset);
  }
  EXPECT_FALSE(reader.next()) << "after the end";
  return reading;
}

TEST(LineReader, LinesAreNumberedFromOne) {
  const auto found = read_lines("one\ntwo\n");
  EXPECT_EQ(found.lines, (Lines{{1, "one"}, {2, "two"}}));
  EXPECT_EQ(found.batch_ends, std::vector<std::uint64_t>{8});
}

TEST(LineReader, TheLastLineNeedsNoEnd) {
  EXPECT_EQ(read_lines("one\ntwo").lines, (Lines{{1, "one"}, {2, "two"}}));
}

TEST(LineReader, BlankLinesCountAndAreLeftOut) {
  EXPECT_EQ(read_lines("\n \t\r\nthree\r\n\n").lines, (Lines{{3, "three"}}));
}

TEST(LineReader, AByteOrderMarkIsNoPartOfTheFirstLine) {
  EXPECT_EQ(read_lines("\xEF\xBB\xBFone\n\xEF\xBB\xBFtwo\n").lines, (Lines{{1, "one"}, {2, "\xEF\xBB\xBFtwo"}}));
}

TEST(LineReader, AnEmptyFileHasNoLines) {
  EXPECT_TRUE(read_lines("").lines.empty());
}

TEST(LineReader, LinesAboveTheLimitAreLeftOutWithTheirNumber) {
  LineReaderOptions options;
  options.max_line_bytes = 4;
  options.read_bytes = 3;
  const auto found = read_lines("abcd\nabcde\n" + std::string(100, 'x') + "\nab\n" + std::string(9, 'y'), options);
  EXPECT_EQ(found.lines, (Lines{{1, "abcd"}, {4, "ab"}}));
  EXPECT_EQ(found.too_large, (std::vector<std::uint64_t>{2, 3, 5}));
}

TEST(LineReader, ReadingGoesOnFromTheEndOfAnyBatchInAnyPieces) {
  std::string bytes;
  for (int i = 0; i < 40; ++i)
    bytes += std::string(static_cast<std::size_t>(i * 7 % 23), static_cast<char>('a' + i % 26)) + "\n";
  const auto whole = read_lines(bytes);
  LineReaderOptions small;
  small.batch_bytes = 10;
  small.read_bytes = 5;
  const auto cut = read_lines(bytes, small, {1, 3, 2});
  EXPECT_EQ(cut.lines, whole.lines);
  for (const auto end : cut.batch_ends) {
    const auto rest = read_lines(bytes, small, {2}, end).lines;
    ASSERT_LE(rest.size(), whole.lines.size());
    EXPECT_TRUE(std::equal(rest.rbegin(), rest.rend(), whole.lines.rbegin())) << end;
  }
}

TEST(LineReader, AFileThatBecameShorterIsAnError) {
  LineReader reader(std::make_unique<testing::MemorySource>("one\n"));
  EXPECT_THROW(reader.skip_to(5), FormatError);
}

}  // namespace
}  // namespace touchstone::extractors::json_pages
