#include "common/records/stored_bytes.hpp"

#include "common/error.hpp"
#include "common/files.hpp"
#include "common/records/row_index.hpp"
#include "common/records/sorter.hpp"
#include "common/records/spool.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/temporary_folder.hpp"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace touchstone::records {
namespace {

using ::testing::HasSubstr;
using testing::message_of;
using testing::TemporaryFolder;

std::string read(const StoredBytes& stored, std::uint64_t offset, std::size_t bytes) {
  std::string text(bytes, '\0');
  stored.read(offset, text.data(), bytes);
  return text;
}

TEST(StoredBytes, AreReadAtAnyPlaceWhereverTheyAre) {
  const TemporaryFolder folder;
  for (const std::size_t memory : {0, 1, 7, 1000}) {
    StoredBytes stored(folder.path(), memory);
    std::string all;
    for (const char* text : {"a", "", "passage", "of two words", "b"}) {
      stored.add(text);
      all += text;
      ASSERT_EQ(stored.size(), all.size());
      for (std::size_t begin = 0; begin <= all.size(); ++begin)
        for (std::size_t bytes = 0; begin + bytes <= all.size(); ++bytes)
          ASSERT_EQ(read(stored, begin, bytes), all.substr(begin, bytes)) << memory;
    }
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(StoredBytes, NeedNoFolderBelowTheirLimit) {
  StoredBytes stored("no/such/folder", 4);
  stored.add("four");
  EXPECT_EQ(read(stored, 0, 4), "four");
  EXPECT_THAT(message_of<StorageError>([&] { stored.add("."); }), HasSubstr("no/such/folder"));
}

TEST(StoredBytes, AFileThatBecameShorterIsNamed) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "bytes", "123456");
  const auto stored = StoredBytes::of_file(folder / "bytes");
  EXPECT_EQ(read(stored, 2, 4), "3456");
  std::filesystem::resize_file(folder / "bytes", 3);
  EXPECT_THAT(message_of<StorageError>([&] { read(stored, 2, 4); }), HasSubstr("shorter than it was"));
  EXPECT_THAT(message_of<StorageError>([&] { StoredBytes::of_file(folder / "none"); }), HasSubstr("none"));
}

TEST(StoredLists, AreReadByTheirNumbers) {
  const TemporaryFolder folder;
  for (const std::size_t memory : {0, 20, 1000}) {
    StoredLists<char> texts(folder.path(), memory);
    const std::vector<std::string> added{"", "first", "", "second", "of all"};
    for (const auto& text : added) texts.add(text);
    ASSERT_EQ(texts.size(), added.size());
    for (std::size_t i = added.size(); i-- > 0;) {
      std::string text = "what was there before";
      texts.read(i, text);
      EXPECT_EQ(text, added[i]);
    }
  }
}

TEST(Spool, NeedsNoFolderForAFewRecords) {
  Spool<std::uint64_t> spool("no/such/folder");
  for (std::uint64_t n = 0; n < 3; ++n) spool.add(n);
  for (int times = 0; times < 2; ++times) {
    spool.rewind();
    for (std::uint64_t n = 0; n < 3; ++n) {
      ASSERT_TRUE(spool.next());
      EXPECT_EQ(spool.head(), n);
    }
    EXPECT_FALSE(spool.next());
  }
}

struct Row {
  std::uint64_t key = 0, value = 0;
  friend auto operator<=>(const Row&, const Row&) = default;
};

TEST(RowIndex, FindsAllRowsWithAKeyInTheirOrder) {
  const TemporaryFolder folder;
  std::mt19937 random(3);
  for (const std::uint64_t keys : {1, 3, 40, 1000}) {
    for (const std::size_t count : {0, 1, 64, 65, 128, 500}) {
      std::vector<Row> rows;
      Sorter<Row> sorter(folder.path(), 1000);
      for (std::size_t i = 0; i < count; ++i) {
        rows.push_back({2 * (random() % keys) + 1, i});
        sorter.add(rows.back());
      }
      std::sort(rows.begin(), rows.end());
      const RowIndex<Row> index(stored_rows(sorter, folder.path(), 300));
      for (std::uint64_t key = 0; key <= 2 * keys; ++key) {
        std::vector<Row> expected, found;
        std::copy_if(rows.begin(), rows.end(), std::back_inserter(expected), [&](Row row) { return row.key == key; });
        index.for_each(key, [&](const Row& row) {
          found.push_back(row);
          return true;
        });
        ASSERT_EQ(found, expected);
        ASSERT_EQ(index.find(key), expected.empty() ? std::nullopt : std::optional(expected.front()));
      }
    }
  }
}

}  // namespace
}  // namespace touchstone::records
