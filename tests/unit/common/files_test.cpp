#include "common/files.hpp"

#include "common/edit_distance.hpp"
#include "common/error.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/temporary_folder.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/stat.h>

namespace touchstone {
namespace {

using testing::TemporaryFolder;

std::vector<std::string> lines_of(const std::filesystem::path& path) {
  std::vector<std::string> lines;
  for_each_line(path, [&](std::string_view line, std::uint64_t) {
    lines.emplace_back(line);
    return true;
  });
  return lines;
}

TEST(AtomicFile, LeavesTheOldFileWhenNotFinished) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "a", "old");
  { AtomicFile(folder / "a").write("new"); }
  EXPECT_EQ(read_file(folder / "a"), "old");
  EXPECT_FALSE(std::filesystem::exists(folder / "a.partial"));
}

TEST(AtomicFile, ReplacesTheOldFileWhenFinished) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "a", "old");
  write_file_atomically(folder / "a", "new");
  EXPECT_EQ(read_file(folder / "a"), "new");
}

TEST(AtomicFile, ReplacesWhatAKilledRunLeftInTheProgramsFolders) {
  const testing::TemporaryFolder folder;
  write_file_atomically(folder / "a.partial", "left");
  write_file_atomically(folder / "a", "new");
  EXPECT_EQ(read_file(folder / "a"), "new");
  EXPECT_FALSE(std::filesystem::exists(folder / "a.partial"));
}

TEST(AtomicFile, NeverWritesThroughALinkNorOverAnythingElse) {
  const testing::TemporaryFolder folder;
  write_file_atomically(folder / "mine", "mine");
  std::filesystem::create_symlink(folder / "mine", folder / "a.partial");
  std::filesystem::create_symlink(folder / "none", folder / "b.partial");
  std::filesystem::create_directory(folder / "c.partial");
  ASSERT_EQ(::mkfifo((folder / "d.partial").c_str(), 0600), 0);
  for (const char* name : {"a", "b", "c", "d"}) {
    const auto said = testing::message_of<StorageError>([&] { write_file_atomically(folder / name, "new"); });
    EXPECT_NE(said.find("move it away"), std::string::npos) << name << ": " << said;
    EXPECT_TRUE(std::filesystem::exists(std::filesystem::symlink_status(folder / (std::string(name) + ".partial"))));
  }
  EXPECT_EQ(read_file(folder / "mine"), "mine");
  EXPECT_FALSE(std::filesystem::exists(folder / "none"));
}

TEST(AtomicFile, AFileOfTheUsersIsInTheWayWhereTheUserNamesThePlace) {
  const testing::TemporaryFolder folder;
  write_file_atomically(folder / "a.partial", "mine");
  for (int time = 0; time < 2; ++time) {
    const auto said =
        testing::message_of<StorageError>([&] { write_file_atomically(folder / "a", "new", InTheWay::kRefuse); });
    EXPECT_NE(said.find("move it away"), std::string::npos) << said;
    EXPECT_EQ(read_file(folder / "a.partial"), "mine");
  }
  EXPECT_THROW(TextWriter(folder / "a", InTheWay::kRefuse), StorageError);
  std::filesystem::remove(folder / "a.partial");
  write_file_atomically(folder / "a", "new", InTheWay::kRefuse);
  EXPECT_EQ(read_file(folder / "a"), "new");
}

TEST(AtomicFile, GivesUpWhatItBeganAndNothingElse) {
  const testing::TemporaryFolder folder;
  EXPECT_THROW(
      {
        AtomicFile file(folder / "a");
        file.write("x");
        throw Error("something");
      },
      Error);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(AtomicFile, SaysWhereItCannotWrite) {
  try {
    AtomicFile file("/nowhere/at/all");
    FAIL();
  } catch (const StorageError& error) {
    EXPECT_NE(std::string(error.what()).find("/nowhere/at/all.partial"), std::string::npos);
  }
}

TEST(ReadFile, RefusesMoreThanItsBound) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "a", std::string(1000, 'x'));
  EXPECT_THROW(read_file(folder / "a", 999), FormatError);
  EXPECT_EQ(read_file(folder / "a", 1000).size(), 1000U);
}

TEST(TextWriter, TellsSizeAndDigestOfWhatItWrote) {
  const TemporaryFolder folder;
  std::vector<FinishedFile> finished;
  WriteOptions options;
  options.flush_to_disk = false;
  options.finished = [&](const FinishedFile& file) { finished.push_back(file); };
  for (const char* name : {"a.txt", "b.gz", "empty"}) {
    TextWriter writer(folder / name, options);
    for (int i = 0; i < 30'000 && name[0] != 'e'; ++i) writer.write("line " + std::to_string(i * 7919) + "\n");
    EXPECT_FALSE(std::filesystem::exists(folder / name));
    writer.finish();
    ASSERT_FALSE(finished.empty());
    const FinishedFile& last = finished.back();
    EXPECT_EQ(last.path, folder / name);
    EXPECT_EQ(last.bytes, std::filesystem::file_size(folder / name));
    EXPECT_EQ(last.sha256, sha256_file(folder / name));
  }
  EXPECT_EQ(finished.size(), 3U);
}

TEST(SyncFilesBelow, GoesThroughAllFoldersAndNamesWhatIsMissing) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "a/b");
  write_file_atomically(folder / "a/b/file", "text");
  EXPECT_NO_THROW(sync_files_below(folder.path()));
  EXPECT_THROW(sync_files_below(folder / "none"), std::exception);
}

TEST(TextWriter, GzipBytesAreTheSameAtEveryRun) {
  const TemporaryFolder folder;
  for (const char* name : {"a.gz", "b.gz"}) {
    TextWriter writer(folder / name);
    for (int i = 0; i < 50'000; ++i) writer.write("line " + std::to_string(i * 7919) + "\n");
    writer.finish();
  }
  EXPECT_EQ(read_file(folder / "a.gz"), read_file(folder / "b.gz"));
  EXPECT_EQ(lines_of(folder / "a.gz").size(), 50'000U);
  EXPECT_EQ(lines_of(folder / "a.gz")[49'999], "line " + std::to_string(49'999 * 7919));
}

TEST(ForEachLine, DropsCarriageReturnsAndGivesTheLastLineWithoutEnd) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "a", "one\r\n\nthree");
  EXPECT_EQ(lines_of(folder / "a"), (std::vector<std::string>{"one", "", "three"}));
}

TEST(ForEachLine, SeesACutAtTheEndOfABlock) {
  const TemporaryFolder folder;
  TextWriter writer(folder / "a.gz");
  for (int i = 0; i < 200'000; ++i) writer.write("line\n");
  writer.finish();
  const auto whole = read_file(folder / "a.gz");
  std::size_t cuts = 0;
  for (auto at = whole.find(std::string("\0\0\xff\xff", 4)); at != std::string::npos;
       at = whole.find(std::string("\0\0\xff\xff", 4), at + 4), ++cuts) {
    write_file_atomically(folder / "cut.gz", whole.substr(0, at + 4));
    EXPECT_THROW(lines_of(folder / "cut.gz"), FormatError) << at;
  }
  EXPECT_GE(cuts, 3U);
}

TEST(ForEachLine, SaysThatAGzipFileIsCutShort) {
  const TemporaryFolder folder;
  TextWriter writer(folder / "a.gz");
  for (int i = 0; i < 50'000; ++i) writer.write("line " + std::to_string(i * 7919) + "\n");
  writer.finish();
  const std::string whole = read_file(folder / "a.gz");
  write_file_atomically(folder / "a.gz", std::string_view(whole).substr(0, whole.size() / 2));
  EXPECT_THROW(lines_of(folder / "a.gz"), FormatError);
}

TEST(ForEachLine, RefusesAnEndlessLine) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "a", std::string(5'000'000, 'x'));
  EXPECT_THROW(for_each_line(
                   folder / "a", [](std::string_view, std::uint64_t) { return true; }, 1'000'000),
               FormatError);
}

TEST(DidYouMeanFile, NamesTheNearestInTheFolder) {
  const TemporaryFolder folder;
  for (const char* name : {"collection", "store", "report.html"}) write_file_atomically(folder / name, "x");
  const auto meant = [&](const char* name) { return "; did you mean " + (folder / name).string() + "?"; };
  EXPECT_EQ(did_you_mean_file(folder / "colection"), meant("collection"));
  EXPECT_EQ(did_you_mean_file(folder / "colection/"), meant("collection"));
  EXPECT_EQ(did_you_mean_file(folder / "report.htm"), meant("report.html"));
  EXPECT_EQ(did_you_mean_file(folder / "zebra"), "");
  EXPECT_EQ(did_you_mean_file(folder / "none" / "store"), "");
  EXPECT_EQ(did_you_mean_file(""), "");
}

TEST(EditDistance, CountsNeighboursThatChangePlacesOnce) {
  EXPECT_EQ(edit_distance("form", "from"), 1U);
  EXPECT_EQ(edit_distance("biuld", "build"), 1U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(did_you_mean("--form", std::vector<std::string>{"--work", "--from"}), "; did you mean --from?");
}

}  // namespace
}  // namespace touchstone
