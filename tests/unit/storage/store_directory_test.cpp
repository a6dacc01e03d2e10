#include "common/files.hpp"
#include "storage/store.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/temporary_folder.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::storage {
namespace {

namespace fs = std::filesystem;
using testing::message_of;
using testing::TemporaryFolder;

std::string key_of(int number) {
  return std::to_string(number);
}

/// A store with 3,000 pages in two table files and 500 in the log.
class DamagedStoreTest : public ::testing::Test {
 protected:
  static constexpr int kInTables = 3000, kAll = 3500;
  TemporaryFolder folder;
  fs::path directory = folder / "s";

  void SetUp() override {
    const auto store = Store::open(directory, Access::kReadWrite);
    for (int i = 0; i < kAll; ++i) {
      Batch batch;
      batch.put(Family::kPage, key_of(i), std::string(300, static_cast<char>('a' + i % 26)));
      store->write(batch, Durability::kProcess);
      if (i + 1 == kInTables / 2 || i + 1 == kInTables) store->checkpoint();
    }
  }
  std::vector<fs::path> files(const std::string& ending) {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(directory)) {
      if (entry.path().extension() == ending) found.push_back(entry.path());
    }
    std::sort(found.begin(), found.end(),
              [](const auto& a, const auto& b) { return fs::file_size(a) > fs::file_size(b); });
    return found;
  }
  static void damage(const fs::path& file, std::uint64_t at, std::size_t bytes) {
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekp(static_cast<std::streamoff>(at));
    stream << std::string(bytes, '\x5a');
  }
};

TEST_F(DamagedStoreTest, ADirectoryWithFilesOfAStoreIsNeverMadeANewOne) {
  fs::remove(directory / "CURRENT");
  const auto names = [&] {
    std::set<std::string> all;
    for (const auto& entry : fs::directory_iterator(directory)) all.insert(entry.path().filename().string());
    return all;
  };
  const auto before = names();
  for (int time = 0; time < 3; ++time) {
    for (const auto access : {Access::kReadOnly, Access::kReadWrite}) {
      const auto said = message_of<StorageError>([&] { Store::open(directory, access); });
      EXPECT_NE(said.find("is damaged"), std::string::npos) << said;
      EXPECT_NE(said.find("move the directory away and build again"), std::string::npos) << said;
    }
  }
  EXPECT_TRUE(Store::exists(directory)) << "a damaged store still exists";
  EXPECT_EQ(names(), before);
}

TEST_F(DamagedStoreTest, OtherLossesAreCalledDamagesToo) {
  const auto manifest = [&] {
    for (const auto& entry : fs::directory_iterator(directory)) {
      if (entry.path().filename().string().starts_with("MANIFEST")) return entry.path();
    }
    return fs::path();
  }();
  const auto aside = folder / "aside";
  for (const auto& lost : {manifest, files(".sst").front()}) {
    fs::rename(lost, aside);
    for (const auto access : {Access::kReadWrite, Access::kReadOnly}) {
      const auto said = message_of<StorageError>([&] { Store::open(directory, access); });
      EXPECT_NE(said.find("move the directory away and build again"), std::string::npos) << said;
    }
    fs::rename(aside, lost);
  }
  for (const char* content : {"", "MANIFEST-000001", "nonsense\n"}) {
    write_file_atomically(aside, read_file(directory / "CURRENT"));
    std::ofstream(directory / "CURRENT") << content;
    EXPECT_NE(
        message_of<StorageError>([&] { Store::open(directory, Access::kReadWrite); }).find("move the directory away"),
        std::string::npos);
    std::ofstream(directory / "CURRENT") << read_file(aside);
  }
  const auto store = Store::open(directory, Access::kReadWrite);
  std::string value;
  EXPECT_TRUE(store->get(Family::kPage, key_of(kAll - 1), value)) << "nothing was lost by all this";
}

TEST_F(DamagedStoreTest, ADamageInTheMiddleOfTheLogIsNotPassedOver) {
  const auto log = files(".log").front();
  damage(log, 40'000, 1);
  const auto said = message_of<StorageError>([&] { Store::open(directory, Access::kReadWrite); });
  EXPECT_NE(said.find("move the directory away"), std::string::npos) << said;
}

TEST_F(DamagedStoreTest, ALogThatWasCutAtItsEndOpens) {
  const auto log = files(".log").front();
  fs::resize_file(log, fs::file_size(log) - 100);
  const auto store = Store::open(directory, Access::kReadWrite);
  std::string value;
  EXPECT_TRUE(store->get(Family::kPage, key_of(kAll - 2), value));
  EXPECT_FALSE(store->get(Family::kPage, key_of(kAll - 1), value));
}

TEST(StoreDirectory, AnInterruptedMakingIsNoDamage) {
  const TemporaryFolder folder;
  fs::create_directories(folder / "s");
  for (const char* name : {"LOCK", "LOG", "IDENTITY", "000001.dbtmp", "MANIFEST-000001"})
    std::ofstream(folder.path() / "s" / name) << "";
  EXPECT_FALSE(Store::exists(folder / "s"));
  Store::open(folder / "s", Access::kReadWrite);
  EXPECT_TRUE(Store::exists(folder / "s"));
}

}  // namespace
}  // namespace touchstone::storage
