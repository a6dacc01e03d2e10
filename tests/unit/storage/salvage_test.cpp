#include "storage/salvage.hpp"

#include "common/files.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/temporary_folder.hpp"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace touchstone::storage {
namespace {

namespace fs = std::filesystem;
using testing::message_of;
using testing::TemporaryFolder;

using Records = std::map<std::string, std::string>;

/// A key as judgments have them: digests lie anywhere.
std::string key_of(int number) {
  return fmt::format("{:016x}", static_cast<std::uint64_t>(number) * 0x9E3779B97F4A7C15ULL) + std::string(48, 'a');
}
std::string value_of(int number) {
  return fmt::format("{} {}", number, std::string(300, static_cast<char>('a' + number % 26)));
}

/// A store with 3,000 judgments in two table files and 500 in the log.
class SalvageTest : public ::testing::Test {
 protected:
  static constexpr int kInTables = 3000, kAll = 3500;
  TemporaryFolder folder;
  fs::path directory = folder / "s";

  void SetUp() override {
    const auto store = Store::open(directory, Access::kReadWrite);
    for (int i = 0; i < kAll; ++i) {
      Batch batch;
      batch.put(Family::kJudgment, key_of(i), value_of(i));
      batch.put(Family::kPage, std::to_string(i), "page");
      store->write(batch, Durability::kProcess);
      if (i + 1 == kInTables / 2 || i + 1 == kInTables) store->checkpoint();
    }
  }
  Records salvage(SalvageCounts* counts = nullptr) {
    Records records;
    const auto found = salvage_judgments(directory, [&](std::string_view key, std::string_view value) {
      records[std::string(key)] = std::string(value);
    });
    if (counts != nullptr) *counts = found;
    return records;
  }
  /// All that was recovered is as it was written; returns how much that is.
  std::size_t expect_true(const Records& records) {
    Records all;
    for (int i = 0; i < kAll; ++i) all[key_of(i)] = value_of(i);
    for (const auto& [key, value] : records) {
      const auto found = all.find(key);
      if (found == all.end() || found->second != value) ADD_FAILURE() << "not written: " << key;
    }
    return records.size();
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

TEST_F(SalvageTest, AWholeStoreIsReadWhole) {
  SalvageCounts counts;
  EXPECT_EQ(expect_true(salvage(&counts)), std::size_t{kAll});
  EXPECT_TRUE(counts.complete());
  EXPECT_GE(counts.tables, 1U);
  EXPECT_GE(counts.logs, 1U);
}

TEST_F(SalvageTest, TheFilesThatNameTheOthersAreNotNeeded) {
  for (const auto& entry : fs::directory_iterator(directory)) {
    const auto name = entry.path().filename().string();
    if (name == "CURRENT" || name.starts_with("MANIFEST") || name.starts_with("OPTIONS") || name == "LOCK" ||
        name == "IDENTITY")
      fs::remove(entry.path());
  }
  SalvageCounts counts;
  EXPECT_EQ(expect_true(salvage(&counts)), std::size_t{kAll});
  EXPECT_TRUE(counts.complete());
}

TEST_F(SalvageTest, ADamagedBlockCostsItsRecordsOnly) {
  const auto table = files(".sst").front();
  const auto size = fs::file_size(table);
  for (const auto at : {std::uint64_t{0}, size / 4, size / 2}) damage(table, at, 64);
  SalvageCounts counts;
  const auto found = expect_true(salvage(&counts));
  EXPECT_LT(found, std::size_t{kAll});
  EXPECT_GT(found, std::size_t{kAll} - 200) << "three blocks of 4 KiB";
  EXPECT_EQ(counts.lost_records, std::size_t{kAll} - found);
  EXPECT_FALSE(counts.complete());
}

TEST_F(SalvageTest, ATableThatCannotBeOpenedIsCounted) {
  const auto table = files(".sst").front();
  fs::resize_file(table, fs::file_size(table) / 2);
  SalvageCounts counts;
  expect_true(salvage(&counts));
  EXPECT_EQ(counts.unopened_tables, 1U);
  EXPECT_EQ(counts.unopened_bytes, fs::file_size(table));
  EXPECT_FALSE(counts.complete());
}

TEST_F(SalvageTest, ADamagedLogCostsABlock) {
  const auto log = files(".log").front();
  damage(log, 40'000, 1);
  SalvageCounts counts;
  const auto found = expect_true(salvage(&counts));
  EXPECT_LT(found, std::size_t{kAll});
  EXPECT_GT(found, std::size_t{kAll} - 150) << "one block of 32 KiB";
  EXPECT_GT(counts.lost_log_bytes, 0U);
}

TEST_F(SalvageTest, AnythingInTheFilesEndsWell) {
  std::mt19937 random(20250104);
  std::map<fs::path, std::string> good;
  for (const char* ending : {".sst", ".log"}) {
    for (const auto& file : files(ending)) good[file] = read_file(file);
  }
  for (int round = 0; round < 60; ++round) {
    for (const auto& [file, bytes] : good) {
      auto bad = bytes.substr(0, round % 3 == 0 ? random() % (bytes.size() + 1) : bytes.size());
      for (int change = 0; change < 6 && !bad.empty(); ++change)
        bad[random() % bad.size()] = static_cast<char>(random());
      std::ofstream(file, std::ios::binary | std::ios::trunc) << bad;
    }
    expect_true(salvage());
  }
}

TEST_F(SalvageTest, NothingIsReadWhileSomebodyWrites) {
  // The lock counts for other processes only. RocksDB takes it with this call.
  const auto ready = folder / "ready";
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const int file = ::open((directory / "LOCK").c_str(), O_RDWR);
    struct flock lock {};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    if (::fcntl(file, F_SETLK, &lock) == 0) ::close(::open(ready.c_str(), O_WRONLY | O_CREAT, 0600));
    ::pause();
    ::_exit(0);
  }
  for (int wait = 0; wait < 10'000 && !fs::exists(ready); ++wait) ::usleep(1000);
  const auto said = message_of<StorageError>([&] { salvage(); });
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_NE(said.find("is in use by another"), std::string::npos) << said;
}

TEST_F(SalvageTest, NoStoreIsSaid) {
  directory = folder / "none";
  EXPECT_NE(message_of<StorageError>([&] { salvage(); }).find("no file of a store"), std::string::npos);
}

TEST_F(SalvageTest, ADirectoryWithFilesOfAStoreIsNeverMadeANewOne) {
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
      EXPECT_NE(said.find("--export FILE --salvage"), std::string::npos) << said;
    }
  }
  EXPECT_TRUE(Store::exists(directory)) << "what is damaged is not nothing";
  EXPECT_EQ(names(), before);
  EXPECT_EQ(expect_true(salvage()), std::size_t{kAll});
}

TEST_F(SalvageTest, OtherLossesAreCalledDamagesToo) {
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
      EXPECT_NE(said.find("--export FILE --salvage"), std::string::npos) << said;
    }
    fs::rename(aside, lost);
  }
  for (const char* content : {"", "MANIFEST-000001", "nonsense\n"}) {
    write_file_atomically(aside, read_file(directory / "CURRENT"));
    std::ofstream(directory / "CURRENT") << content;
    EXPECT_NE(message_of<StorageError>([&] { Store::open(directory, Access::kReadWrite); }).find("--salvage"),
              std::string::npos);
    std::ofstream(directory / "CURRENT") << read_file(aside);
  }
  const auto store = Store::open(directory, Access::kReadWrite);
  std::string value;
  EXPECT_TRUE(store->get(Family::kJudgment, key_of(kAll - 1), value)) << "nothing was lost by all this";
}

TEST_F(SalvageTest, ADamageInTheMiddleOfTheLogIsNotPassedOver) {
  const auto log = files(".log").front();
  damage(log, 40'000, 1);
  const auto said = message_of<StorageError>([&] { Store::open(directory, Access::kReadWrite); });
  EXPECT_NE(said.find("--salvage"), std::string::npos) << "the replies behind it would be gone: " << said;
}

TEST_F(SalvageTest, ALogThatWasCutAtItsEndOpens) {
  const auto log = files(".log").front();
  fs::resize_file(log, fs::file_size(log) - 100);
  const auto store = Store::open(directory, Access::kReadWrite);
  std::string value;
  EXPECT_TRUE(store->get(Family::kJudgment, key_of(kAll - 2), value));
  EXPECT_FALSE(store->get(Family::kJudgment, key_of(kAll - 1), value));
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
