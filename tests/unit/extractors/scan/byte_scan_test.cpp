#include "extractors/scan/byte_scan.hpp"

#include <algorithm>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::extractors::scan {
namespace {

/// A search with what it stops at, in words that a reader can check against the header.
struct Search {
  std::string_view name;
  std::size_t (*find)(std::string_view, std::size_t) noexcept;
  std::string_view bytes;
  std::vector<std::string_view> pairs;
  bool controls = false;
  bool not_ascii = false;

  bool stops(std::string_view text, std::size_t i) const {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (bytes.find(text[i]) != std::string_view::npos || (not_ascii && byte >= 0x80)) return true;
    if (controls && (byte < 0x20 || byte == 0x7F)) return true;
    return std::find(pairs.begin(), pairs.end(), text.substr(i, 2)) != pairs.end();
  }
  std::size_t expected(std::string_view text, std::size_t from) const {
    while (from < text.size() && !stops(text, from)) ++from;
    return from;
  }
};

std::size_t find_token_stop(std::string_view text, std::size_t from) noexcept {
  std::vector<std::uint64_t> memory;
  return TokenStops(text, memory).next(from);
}

template <Stop kStop>
std::size_t find_kind(std::string_view text, std::size_t from) noexcept {
  return find_stop(kStop, text, from);
}

const Search kSearches[] = {
    {"markup open", find_kind<Stop::kMarkupOpen>, "{<", {"[[", "\n="}},
    {"page stop", find_kind<Stop::kPage>, "{<", {"\n="}},
    {"call stop", find_kind<Stop::kCall>, "]{}<|=", {"[[", "\n="}},
    {"flat stop", find_kind<Stop::kFlat>, "{}<", {"[[", "\n="}},
    {"link stop", find_kind<Stop::kLink>, "[]{<\n", {}},
    {"target stop", find_kind<Stop::kTarget>, "[]{}|", {}, true},
    {"title stop", find_kind<Stop::kTitle>, "<>[]{}|_:#%&.~", {"  "}, true, true},
    {"token stop", find_token_stop, "\n<[]\x7F", {"''", "__"}},
    {"unclean", find_kind<Stop::kUnclean>, {"\0\r\x7F", 3}, {}},
};

void use_best_way() {
  static_cast<void>(scan_by(ScanWay::kBy32) || scan_by(ScanWay::kBy16));
}

/// Every way to search that the processor has; one byte at a time always is.
std::vector<ScanWay> ways_of_this_processor() {
  std::vector<ScanWay> ways;
  for (const ScanWay way : {ScanWay::kOneByOne, ScanWay::kBy16, ScanWay::kBy32}) {
    if (scan_by(way)) ways.push_back(way);
  }
  use_best_way();
  return ways;
}

class ByteScan : public ::testing::TestWithParam<ScanWay> {
 protected:
  void SetUp() override { ASSERT_TRUE(scan_by(GetParam())); }
  void TearDown() override { use_best_way(); }
};
INSTANTIATE_TEST_SUITE_P(Extractors, ByteScan, ::testing::ValuesIn(ways_of_this_processor()), [](const auto& way) {
  return way.param == ScanWay::kOneByOne ? "OneByOne" : way.param == ScanWay::kBy16 ? "By16" : "By32";
});

/// Mostly letters, so that stops are at all distances.
std::string random_text(std::mt19937& random, std::size_t size) {
  std::string text;
  while (text.size() < size) {
    const auto number = static_cast<unsigned>(random());
    text.push_back(number % 8 == 0 ? static_cast<char>(number >> 8U) : "abc[]{}|<=\n' _XYZdefghijk"[number % 25]);
  }
  const auto letters = static_cast<std::ptrdiff_t>(random() % (size + 1));
  std::fill(text.begin(), text.begin() + letters, 'a');
  return text;
}

TEST_P(ByteScan, EverySearchStopsAtItsBytesOnlyWhateverTheLengthAndTheStart) {
  std::mt19937 random(20250101);
  for (const Search& search : kSearches) {
    for (std::size_t size = 0; size < 150; ++size) {
      const std::string text = random_text(random, size);
      for (std::size_t from = 0; from <= size; ++from)
        ASSERT_EQ(search.find(text, from), search.expected(text, from))
            << search.name << ", " << from << " in " << text;
    }
  }
}

TEST_P(ByteScan, EverySearchKnowsAll256Bytes) {
  for (const Search& search : kSearches) {
    for (int byte = 0; byte < 256; ++byte) {
      for (const int next : {int{'a'}, int{' '}, int{'='}, int{'['}, int{'\''}, int{'_'}, byte}) {
        std::string text(40, 'a');
        text[20] = static_cast<char>(byte);
        text[21] = static_cast<char>(next);
        ASSERT_EQ(search.find(text, 0), search.expected(text, 0)) << search.name << ", byte " << byte;
      }
    }
  }
}

TEST_P(ByteScan, WordsAreCopiedUpToTheFirstByteThatNeedsALook) {
  const Search stop{"words", nullptr, "&\xC2\t\n\v\f\r", {"  "}};
  std::mt19937 random(20250102);
  for (std::size_t size = 1; size < 150; ++size) {
    for (int round = 0; round < 20; ++round) {
      const std::string text = random_text(random, size);
      std::string out(size + kCopyPadding, '\0');
      bool other_than_ascii = false;
      const std::size_t count = copy_words(text, out.data(), other_than_ascii);
      ASSERT_EQ(count, stop.expected(text, 1)) << text;
      ASSERT_EQ(out.substr(0, count), text.substr(0, count));
      const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
      const std::string_view copied = std::string_view(text).substr(0, count);
      const bool copied_ascii = std::all_of(copied.begin(), copied.end(), is_ascii);
      const bool all_ascii = std::all_of(text.begin(), text.end(), is_ascii);
      ASSERT_TRUE(other_than_ascii || copied_ascii) << text;  // what is behind may or may not be told
      ASSERT_FALSE(other_than_ascii && all_ascii) << text;
    }
  }
}

}  // namespace
}  // namespace touchstone::extractors::scan
