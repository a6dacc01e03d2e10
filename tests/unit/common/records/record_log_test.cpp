#include "common/records/record_log.hpp"

#include "common/error.hpp"
#include "common/files.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/temporary_folder.hpp"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::records {
namespace {

using Access = RecordLog::Access;
using Durability = RecordLog::Durability;
using Texts = std::vector<std::string>;

constexpr std::string_view kLayout = "{text:t}";

class RecordLogTest : public ::testing::Test {
 protected:
  testing::TemporaryFolder folder_;
  std::filesystem::path path_ = folder_ / "a.log";

  RecordLog open(Access access, Texts* found = nullptr, std::string_view layout = kLayout) const {
    return RecordLog(path_, layout, access, [&](auto, std::string_view record) {
      if (found != nullptr) found->emplace_back(record);
    });
  }
  Texts texts(Access access = Access::kRead) const {
    Texts found;
    open(access, &found);
    return found;
  }
  void put(const Texts& records) const { open(Access::kAppend).append(records, Durability::kMachine); }
  void write(std::string_view bytes) const { std::ofstream(path_, std::ios::binary | std::ios::trunc) << bytes; }
};

TEST_F(RecordLogTest, WhatWasAppendedIsThereAgain) {
  EXPECT_EQ(texts(), Texts{}) << "no file is an empty log";
  EXPECT_FALSE(std::filesystem::exists(path_));
  const Texts first = {"one", "", std::string("\0\xFF\n", 3)}, second = {std::string(100'000, 'x'), "four"};
  std::vector<RecordLog::Place> places;
  {
    auto log = open(Access::kAppend);
    for (const auto& records : {first, second}) {
      for (const auto place : log.append(records, Durability::kProcess)) places.push_back(place);
    }
    EXPECT_TRUE(log.append({}, Durability::kMachine).empty());
    EXPECT_EQ(log.read(places[3]), second[0]);
  }
  put({"five"});
  const Texts all = {first[0], first[1], first[2], second[0], second[1], "five"};
  EXPECT_EQ(texts(), all);
  const auto log = open(Access::kRead);
  for (std::size_t i = 0; i < places.size(); ++i) EXPECT_EQ(log.read(places[i]), all[i]);
  EXPECT_EQ(log.losses().bytes + log.losses().cut, 0U);
}

TEST_F(RecordLogTest, ATornEndCostsTheLastBlockOnlyWhereverItIsTorn) {
  put({"one"});
  const auto one = read_file(path_).size();
  put({"two"});
  const auto two = read_file(path_).size();
  put({"three"});
  const auto whole = read_file(path_);
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    write(whole.substr(0, size));
    const auto expected = size < one            ? Texts{}
                          : size < two          ? Texts{"one"}
                          : size < whole.size() ? Texts{"one", "two"}
                                                : Texts{"one", "two", "three"};
    ASSERT_EQ(texts(), expected) << size;
    ASSERT_EQ(read_file(path_).size(), size) << "a reader changes nothing";
    put({"new"});
    auto longer = expected;
    longer.emplace_back("new");
    ASSERT_EQ(texts(), longer) << size;
  }
  write(whole.substr(0, whole.size() - 1));
  EXPECT_EQ(open(Access::kAppend).losses().cut, whole.size() - 1 - two);
  EXPECT_EQ(read_file(path_), whole.substr(0, two));
}

TEST_F(RecordLogTest, ADamagedByteCostsItsBlockAndIsCounted) {
  const Texts all = {"one", "two", "three", "four"};
  std::vector<std::size_t> ends = {0};
  for (const auto& text : all) {
    put({text});
    ends.push_back(std::filesystem::file_size(path_));
  }
  const auto whole = read_file(path_);
  const auto head = whole.find('\n') + 1;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const int change : {0x01, 0x80, 0xFF}) {
      auto bad = whole;
      bad[at] = static_cast<char>(bad[at] ^ change);
      write(bad);
      auto expected = all;
      const auto block = std::upper_bound(ends.begin(), ends.end(), at) - ends.begin() - 1;
      if (at >= head) expected.erase(expected.begin() + block);
      Texts found;
      const auto losses = open(Access::kRead, &found).losses();
      ASSERT_EQ(found, expected) << at;
      ASSERT_EQ(losses.places, block + 1 < std::ssize(all) || at < head ? 1U : 0U) << at;
      ASSERT_EQ(texts(Access::kAppend), expected) << at;
      ASSERT_EQ(read_file(path_), at >= ends[3] ? whole.substr(0, ends[3]) : bad) << "only the end is cut off: " << at;
    }
  }
}

TEST_F(RecordLogTest, BytesThatWereLostOrPutInCostTheirBlock) {
  for (const auto* text : {"one", "two", "three"}) put({text});
  const auto whole = read_file(path_);
  const auto second = whole.find("\x9B\xE4", whole.find("\x9B\xE4") + 1);
  write(whole.substr(0, second + 10) + whole.substr(second + 12));
  EXPECT_EQ(texts(), (Texts{"one", "three"}));
  write(whole.substr(0, second) + std::string(3'000'000, '\x9B') + whole.substr(second));
  Texts found;
  EXPECT_EQ(open(Access::kRead, &found).losses().bytes, 3'000'000U);
  EXPECT_EQ(found, (Texts{"one", "two", "three"}));
}

TEST_F(RecordLogTest, OtherFilesAndOtherRecordsAreRefused) {
  put({"one"});
  const auto refused = [&](std::string_view layout) {
    for (const auto access : {Access::kRead, Access::kAppend})
      EXPECT_NE(testing::message_of<FormatError>([&] { open(access, nullptr, layout); }).find("move it away"),
                std::string::npos);
  };
  const auto whole = read_file(path_);
  refused("{text:t,number:n}");
  EXPECT_EQ(read_file(path_), whole);
  write("something else\n");
  refused(kLayout);
}

TEST_F(RecordLogTest, TwoWritersAreRefusedAndReadersAreNot) {
  auto log = open(Access::kAppend);
  log.append(Texts{"one"}, Durability::kProcess);
  EXPECT_EQ(testing::message_of<StorageError>([&] { open(Access::kAppend); }),
            path_.string() + " is in use by another touchstone process; wait for it or name another --work directory");
  EXPECT_EQ(texts(), Texts{"one"});
}

TEST_F(RecordLogTest, ReadersSeeWholeRecordsWhileOthersAreWritten) {
  constexpr std::size_t kRecords = 400;
  std::atomic<bool> done = false;
  std::jthread writer([&] {
    auto log = open(Access::kAppend);
    for (std::size_t i = 0; i < kRecords; ++i)
      log.append(Texts{std::to_string(i), std::string(i, 'x')}, Durability::kProcess);
    done = true;
  });
  for (bool last = false; !last;) {
    last = done;
    Texts found;
    ASSERT_EQ(open(Access::kRead, &found).losses().bytes, 0U);
    ASSERT_LE(found.size(), 2 * kRecords);
    for (std::size_t i = 0; i < found.size(); ++i)
      ASSERT_EQ(found[i], i % 2 == 0 ? std::to_string(i / 2) : std::string(i / 2, 'x'));
    ASSERT_TRUE(!last || found.size() == 2 * kRecords);
  }
}

}  // namespace
}  // namespace touchstone::records
