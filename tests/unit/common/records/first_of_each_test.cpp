#include "common/records/first_of_each.hpp"

#include "tests/support/temporary_folder.hpp"

#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::records {
namespace {

using testing::TemporaryFolder;

struct Kept {
  std::vector<std::string> texts;
  std::uint64_t repeated_keys = 0;
  friend bool operator==(const Kept&, const Kept&) = default;
};

Kept kept(const std::vector<std::uint64_t>& keys, std::size_t memory_bytes) {
  const TemporaryFolder folder;
  FirstOfEach texts(folder.path(), memory_bytes);
  for (std::size_t i = 0; i < keys.size(); ++i) texts.add(keys[i], "text " + std::to_string(i));
  Kept kept;
  kept.repeated_keys = texts.finish([&](std::string_view text) { kept.texts.emplace_back(text); });
  return kept;
}

TEST(FirstOfEach, KeepsTheOrderInWhichTextsCame) {
  EXPECT_EQ(kept({7, 3, 7, 9, 3, 7}, 1 << 20), (Kept{{"text 0", "text 1", "text 3"}, 2}));
  EXPECT_EQ(kept({}, 1 << 20), Kept());
}

TEST(FirstOfEach, ATinyLimitOfMemoryGivesTheSameTexts) {
  std::mt19937_64 random(5);
  std::vector<std::uint64_t> keys;
  Kept expected;
  std::set<std::uint64_t> seen, repeated;
  for (std::size_t i = 0; i < 20'000; ++i) {
    keys.push_back(random() % 9'000);
    if (seen.insert(keys.back()).second) {
      expected.texts.push_back("text " + std::to_string(i));
    } else {
      repeated.insert(keys.back());
    }
  }
  expected.repeated_keys = repeated.size();
  EXPECT_EQ(kept(keys, 1 << 10), expected);
  EXPECT_EQ(kept(keys, 1 << 30), expected);
}

}  // namespace
}  // namespace touchstone::records
