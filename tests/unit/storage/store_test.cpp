#include "storage/store.hpp"

#include "storage/bulk_loader.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/older_store.hpp"
#include "tests/support/temporary_folder.hpp"

#include <algorithm>
#include <csignal>
#include <filesystem>

#include <gtest/gtest.h>
#include <unistd.h>

namespace touchstone::storage {
namespace {

using testing::message_of;
using testing::TemporaryFolder;

void put(Store& store, Family family, std::string_view key, std::string_view value,
         Durability durability = Durability::kProcess) {
  Batch batch;
  batch.put(family, key, value);
  store.write(batch, durability);
}

TEST(Store, KeepsWhatWasWrittenWhenOpenedAgain) {
  const TemporaryFolder folder;
  {
    const auto store = Store::open(folder / "s", Access::kReadWrite);
    put(*store, Family::kPage, "k", "v");
  }
  const auto store = Store::open(folder / "s", Access::kReadOnly);
  std::string value;
  ASSERT_TRUE(store->get(Family::kPage, "k", value));
  EXPECT_EQ(value, "v");
  EXPECT_FALSE(store->get(Family::kTitle, "k", value));
}

TEST(Store, RefusesANewerSchemaWithItsRemedy) {
  const TemporaryFolder folder;
  put(*Store::open(folder / "s", Access::kReadWrite), Family::kMeta, "schema_version", "99");
  const auto message = message_of<StorageError>([&] { Store::open(folder / "s", Access::kReadWrite); });
  EXPECT_NE(message.find("newer touchstone"), std::string::npos) << message;
  EXPECT_NE(message.find("use that version"), std::string::npos) << message;
}

TEST(Store, RefusesAnOlderSchemaWithItsRemedy) {
  const TemporaryFolder folder;
  put(*Store::open(folder / "s", Access::kReadWrite), Family::kMeta, "schema_version", "0");
  const auto message = message_of<StorageError>([&] { Store::open(folder / "s", Access::kReadOnly); });
  EXPECT_NE(message.find("older touchstone"), std::string::npos) << message;
  EXPECT_NE(message.find("build it again from the dump"), std::string::npos) << message;
}

TEST(Store, AStoreWithFewerFamiliesOpensAndGetsThem) {
  const TemporaryFolder folder;
  put(*Store::open(folder / "s", Access::kReadWrite), Family::kPage, "k", "v");
  testing::drop_family(folder / "s", "template");
  std::string value;
  {
    const auto store = Store::open(folder / "s", Access::kReadOnly);
    EXPECT_TRUE(store->get(Family::kPage, "k", value));
    EXPECT_FALSE(store->get(Family::kTemplate, "k", value));
    EXPECT_FALSE(store->cursor(Family::kTemplate).valid());
    EXPECT_EQ(store->disk_bytes(Family::kTemplate), 0U);
  }
  {
    const auto store = Store::open(folder / "s", Access::kReadWrite);
    EXPECT_FALSE(store->get(Family::kTemplate, "k", value));
    put(*store, Family::kTemplate, "k", "new");
    store->checkpoint();
  }
  const auto store = Store::open(folder / "s", Access::kReadOnly);
  EXPECT_TRUE(store->get(Family::kPage, "k", value));
  EXPECT_TRUE(store->get(Family::kTemplate, "k", value));
  EXPECT_EQ(value, "new");
}

TEST(Store, AFamilyThatANewerVersionAddedIsLeftAlone) {
  const TemporaryFolder folder;
  put(*Store::open(folder / "s", Access::kReadWrite), Family::kPage, "k", "v");
  testing::add_family(folder / "s", "entity");
  for (const auto access : {Access::kReadOnly, Access::kReadWrite}) {
    const auto store = Store::open(folder / "s", access);
    std::string value;
    EXPECT_TRUE(store->get(Family::kPage, "k", value));
    EXPECT_EQ(value, "v");
  }
}

TEST(Store, RecordsWhatWasReadAndWritten) {
  const TemporaryFolder folder;
  const auto store = Store::open(folder / "s", Access::kReadWrite);
  store->take_use();
  std::string value;
  store->get(Family::kPage, "k", value);
  store->get(Family::kMeta, "site", value);
  static_cast<void>(store->cursor(Family::kLink));
  put(*store, Family::kTitle, "k", "v");
  put(*store, Family::kMeta, "dumps", "v");
  BulkLoader loader(*store);
  loader.add(Family::kAlias, "k", "v");
  loader.commit();
  const auto use = store->take_use();
  const auto number = [](Family family) { return static_cast<std::size_t>(family); };
  EXPECT_EQ(use.read.count(), 2U);
  EXPECT_TRUE(use.read[number(Family::kPage)]);
  EXPECT_TRUE(use.read[number(Family::kLink)]);
  EXPECT_EQ(use.written.count(), 2U);
  EXPECT_TRUE(use.written[number(Family::kTitle)]);
  EXPECT_TRUE(use.written[number(Family::kAlias)]);
  EXPECT_EQ(use.meta_read, std::set<std::string>{"site"});
  EXPECT_EQ(use.meta_written, std::set<std::string>{"dumps"});
  EXPECT_TRUE(store->take_use().read.none()) << "taken";
}

TEST(Store, SaysThatThereIsNone) {
  const TemporaryFolder folder;
  EXPECT_NE(
      message_of<StorageError>([&] { Store::open(folder / "s", Access::kReadOnly); }).find("there is no store in"),
      std::string::npos);
}

TEST(Store, DoesNotTakeOverAFolderOfSomethingElse) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "s");
  FILE* file = std::fopen((folder / "s/letter.txt").c_str(), "w");
  std::fclose(file);
  EXPECT_NE(message_of<StorageError>([&] { Store::open(folder / "s", Access::kReadWrite); }).find("is not a store"),
            std::string::npos);
}

TEST(Store, SecondWriterIsToldThatItIsInUse) {
  const TemporaryFolder folder;
  const auto store = Store::open(folder / "s", Access::kReadWrite);
  EXPECT_NE(message_of<StorageError>([&] { Store::open(folder / "s", Access::kReadWrite); }).find("in use by another"),
            std::string::npos);
}

TEST(Store, AFolderThatMayNotBeWrittenIsNotSaidToBeInUse) {
  const TemporaryFolder folder;
  Store::open(folder / "s", Access::kReadWrite);
  std::filesystem::remove(folder / "s/LOCK");
  std::filesystem::create_directory(folder / "s/LOCK");  // no lock file can be made, as in a read-only folder
  const auto said = message_of<StorageError>([&] { Store::open(folder / "s", Access::kReadWrite); });
  EXPECT_EQ(said.find("in use"), std::string::npos) << said;
  EXPECT_NE(said.find("see that this user may write the folder"), std::string::npos) << said;
}

TEST(Store, ClearedFamilyIsEmptyAndOthersStay) {
  const TemporaryFolder folder;
  const auto store = Store::open(folder / "s", Access::kReadWrite);
  put(*store, Family::kPage, "a", "1");
  put(*store, Family::kTitle, "b", "2");
  store->checkpoint();
  put(*store, Family::kPage, "c", "3");
  constexpr Family families[] = {Family::kPage};
  store->clear(families);
  EXPECT_FALSE(store->cursor(Family::kPage).valid());
  std::string value;
  EXPECT_TRUE(store->get(Family::kTitle, "b", value));
}

TEST(Store, RangeErasesItsStartAndNotItsEnd) {
  const TemporaryFolder folder;
  const auto store = Store::open(folder / "s", Access::kReadWrite);
  for (const char* key : {"a", "b", "c"}) put(*store, Family::kTable, key, key);
  Batch batch;
  batch.erase_range(Family::kTable, "a", "c");
  store->write(batch, Durability::kProcess);
  const auto cursor = store->cursor(Family::kTable);
  ASSERT_TRUE(cursor.valid());
  EXPECT_EQ(cursor.key(), "c");
}

/// All pairs of a family, in order.
std::string pairs(const Store& store, Family family) {
  std::string all;
  for (auto cursor = store.cursor(family); cursor.valid(); cursor.next())
    all += std::string(cursor.key()) + "=" + std::string(cursor.value()) + " ";
  return all;
}

/// Opens a store that takes families over from one before, erases "a", and loads "c" from a table.
void make_next(const std::filesystem::path& before, const std::filesystem::path& directory, std::string_view value) {
  const Family families[] = {Family::kPage, Family::kLink};
  const auto store = Store::open(directory, Access::kReadWrite);
  put(*store, Family::kLink, "old", "goes");
  put(*store, Family::kTitle, "other", "stays");
  store->take_over(*Store::open(before, Access::kReadOnly), families);
  Batch batch;
  batch.erase(Family::kPage, "a");
  store->write(batch, Durability::kGroup);
  BulkLoader loader(*store);
  loader.add(Family::kPage, "c", value);
  loader.commit();
  put(*store, Family::kPage, "d", value, Durability::kGroup);
  store->checkpoint();
}

TEST(Store, TakesFamiliesOverFromAnotherOneMonthAfterMonth) {
  const TemporaryFolder folder;
  {
    const auto store = Store::open(folder / "0", Access::kReadWrite);
    BulkLoader loader(*store);
    for (const auto* key : {"a", "b", "c"}) loader.add(Family::kPage, key, "0");
    loader.commit();
    store->checkpoint();
  }
  for (int month = 1; month < 12; ++month) {
    const auto name = std::to_string(month);
    make_next(folder / std::to_string(month - 1), folder / name, name);
    const auto store = Store::open(folder / name, Access::kReadOnly);
    EXPECT_EQ(pairs(*store, Family::kPage), "b=0 c=" + name + " d=" + name + " ");
    EXPECT_EQ(pairs(*store, Family::kLink), "");
    EXPECT_EQ(pairs(*store, Family::kTitle), "other=stays ");
  }
  EXPECT_EQ(pairs(*Store::open(folder / "0", Access::kReadOnly), Family::kPage), "a=0 b=0 c=0 ");
  make_next(folder / "2", folder / "1", "again");
  EXPECT_EQ(pairs(*Store::open(folder / "1", Access::kReadOnly), Family::kPage), "b=0 c=again d=again ")
      << "what was there before goes";
}

TEST(Store, TakesOverFamiliesWithErasedRanges) {
  const TemporaryFolder folder;
  {
    const auto store = Store::open(folder / "0", Access::kReadWrite);
    for (const auto* key : {"a", "b", "c"}) put(*store, Family::kPage, key, "0", Durability::kGroup);
    put(*store, Family::kTable, "t", "0", Durability::kGroup);
    store->checkpoint();
    Batch batch;
    batch.erase_range(Family::kPage, "a", "c");
    batch.erase_range(Family::kTable, "a", "z");
    batch.erase_range(Family::kLink, "a", "z");
    store->write(batch, Durability::kGroup);
    store->checkpoint();
  }
  const Family families[] = {Family::kPage, Family::kTable, Family::kLink};
  const auto store = Store::open(folder / "1", Access::kReadWrite);
  store->take_over(*Store::open(folder / "0", Access::kReadOnly), families);
  EXPECT_EQ(pairs(*store, Family::kPage), "c=0 ");
  EXPECT_EQ(pairs(*store, Family::kTable) + pairs(*store, Family::kLink), "");
}

TEST(BulkLoader, LoadsAllFamiliesOrNothing) {
  const TemporaryFolder folder;
  const auto store = Store::open(folder / "s", Access::kReadWrite);
  {
    BulkLoader dropped(*store);
    dropped.add(Family::kBacklinkList, "a", "1");
  }
  EXPECT_FALSE(store->cursor(Family::kBacklinkList).valid());
  BulkLoader loader(*store);
  loader.add(Family::kBacklinkList, "a", "1");
  loader.add(Family::kBacklinkList, "b", "2");
  loader.add(Family::kAlias, "c", "3");
  loader.commit();
  std::string value;
  EXPECT_TRUE(store->get(Family::kBacklinkList, "b", value));
  EXPECT_TRUE(store->get(Family::kAlias, "c", value));
}

// A kill after the files were added, and before they lost their first names.
TEST(BulkLoader, AFileThatAKilledLoadLeftIsNotWrittenOver) {
  const TemporaryFolder folder;
  const auto load = [&] {
    const auto store = Store::open(folder / "s", Access::kReadWrite);
    BulkLoader loader(*store);
    loader.add(Family::kBacklinkList, "a", "1");
    loader.add(Family::kBacklinkList, "b", "2");
    loader.commit();
  };
  load();
  std::filesystem::path newest;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "s")) {
    if (entry.path().extension() == ".sst") newest = std::max(newest, entry.path());
  }
  std::filesystem::create_hard_link(newest, folder / "s" / "bulk-backlink.sst.partial");
  load();
  const auto store = Store::open(folder / "s", Access::kReadOnly);
  std::string value;
  EXPECT_TRUE(store->get(Family::kBacklinkList, "b", value));
  EXPECT_EQ(value, "2");
}

// A child process writes two families without log, the marker in the same batch, and is killed. Whatever survives, the
// marker must not be ahead of the data.
TEST(StoreDeathTest, KilledBetweenCheckpointsMarkerAndDataAgree) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // the child is started anew: RocksDB's threads do not survive a fork
  // One folder for parent and child, which is this test run once more.
  const auto path = std::filesystem::temp_directory_path() / "touchstone-store-death-test";
  const auto write_and_die = [&] {
    std::filesystem::remove_all(path);
    const auto store = Store::open(path, Access::kReadWrite);
    for (int i = 0; i < 2000; ++i) {
      Batch batch;
      batch.put(Family::kParagraph, "p" + std::to_string(i), std::string(20'000, static_cast<char>('a' + i % 26)));
      batch.put(Family::kMeta, "progress", std::to_string(i));
      store->write(batch, Durability::kGroup);
    }
    ::kill(::getpid(), SIGKILL);
  };
  EXPECT_EXIT(write_and_die(), ::testing::KilledBySignal(SIGKILL), "");
  {
    const auto store = Store::open(path, Access::kReadWrite);
    std::string progress, value;
    const int last = store->get(Family::kMeta, "progress", progress) ? std::stoi(progress) : -1;
    for (int i = 0; i < 2000; ++i)
      EXPECT_EQ(store->get(Family::kParagraph, "p" + std::to_string(i), value), i <= last) << i;
    EXPECT_GT(last, 0) << "40 MB were written: some of it must have been flushed";
  }
  std::filesystem::remove_all(path);
}

}  // namespace
}  // namespace touchstone::storage
