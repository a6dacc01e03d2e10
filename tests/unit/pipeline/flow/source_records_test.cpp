#include "pipeline/flow/source_records.hpp"

#include "common/error.hpp"
#include "common/files.hpp"
#include "tests/support/temporary_folder.hpp"

#include <chrono>
#include <filesystem>

#include <gtest/gtest.h>

namespace touchstone::pipeline::flow {
namespace {

TEST(SourceRecords, ReadBackAsTheyWereWritten) {
  const std::vector<SourceRecord> sources = {{"/a b/\"x\".xml", "\"x\".xml", 12, -5, "ab"},
                                             {"-", "-", 0, 0, "", "pages"}};
  const auto read = decode_sources(encode_sources(sources));
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[0].path, sources[0].path);
  EXPECT_EQ(read[0].modified_ns, -5);
  EXPECT_EQ(read[1].name, "-");
  EXPECT_EQ(read[1].kind, "pages");
  EXPECT_TRUE(decode_sources("").empty());
  EXPECT_THROW(decode_sources("{"), StorageError);
  EXPECT_THROW(decode_sources("[{}]"), StorageError);
}

TEST(SourceRecords, AMissingFileIsAnError) {
  EXPECT_THROW(look_at_source({"/nowhere/at/all"}), StorageError);
}

constexpr const char* kDigestOfText = "982d9e3eb996f559e633f4d194def3761d909f5a3b647d1a851fead67c32c9d1";

/// Identity of a file as it is now, where the store remembers `recorded`.
std::string identity_now(const std::filesystem::path& file, const SourceRecord& recorded) {
  return identity_of_sources(compare_sources({look_at_source({file})}, {recorded}));
}

/// Writes other bytes of the same number into a new file, with the time of the old one.
void replace(const std::filesystem::path& file, std::string_view text) {
  const auto time = std::filesystem::last_write_time(file);
  write_file_atomically(file, text);
  std::filesystem::last_write_time(file, time);
}

TEST(SourceRecords, AMovedOrTouchedFileIsRecognisedByItsDigest) {
  const testing::TemporaryFolder folder;
  const auto file = folder / "a.xml";
  write_file_atomically(file, "text");
  auto recorded = look_at_source({file});
  recorded.sha256 = kDigestOfText;
  const auto identity = identity_of_sources({recorded});
  EXPECT_EQ(identity_of_sources(compare_sources({}, {recorded})), identity);
  std::filesystem::last_write_time(file, std::filesystem::last_write_time(file) + std::chrono::hours(1));
  EXPECT_EQ(identity_now(file, recorded), identity);
  write_file_atomically(file, "TEXT");
  EXPECT_NE(identity_now(file, recorded), identity);
}

TEST(SourceRecords, AFileThatReplacedOneOfTheSameSizeAndTimeIsNoticed) {
  const testing::TemporaryFolder folder;
  const auto file = folder / "a.xml";
  write_file_atomically(file, "text");
  auto recorded = look_at_source({file});
  recorded.sha256 = kDigestOfText;
  const auto identity = identity_of_sources({recorded});
  replace(file, "TEXT");
  const auto other = identity_now(file, recorded);
  EXPECT_NE(other, identity);
  // What was noted of it gives the same identity as long as nothing changes.
  const auto noted = compare_sources({look_at_source({file})}, {recorded});
  EXPECT_EQ(identity_now(file, decode_sources(encode_sources(noted)).front()), other);
}

TEST(SourceRecords, AFileThatIsReplacedBeforeItWasReadIsNoticedToo) {
  const testing::TemporaryFolder folder;
  const auto file = folder / "a.xml";
  write_file_atomically(file, "text");
  const auto recorded = look_at_source({file});
  replace(file, "TEXT");
  EXPECT_NE(identity_now(file, recorded), identity_of_sources({recorded}));
}

TEST(SourceRecords, TheSameBytesInAnotherFileAreTheSameSource) {
  const testing::TemporaryFolder folder;
  const auto file = folder / "a.xml";
  write_file_atomically(file, "text");
  auto recorded = look_at_source({file});
  recorded.sha256 = kDigestOfText;
  replace(file, "text");
  const auto now = compare_sources({look_at_source({file})}, {recorded});
  EXPECT_EQ(identity_of_sources(now), identity_of_sources({recorded}));
  EXPECT_NE(now.front().inode, 0U);
  EXPECT_EQ(now.front().inode, look_at_source({file}).inode) << "noted, so that the file is not read again";
  EXPECT_EQ(now.front().sha256, kDigestOfText);
}

TEST(SourceRecords, AStoreThatKnowsNoInodeTakesTheFile) {
  const testing::TemporaryFolder folder;
  const auto file = folder / "a.xml";
  write_file_atomically(file, "text");
  auto recorded = look_at_source({file});
  recorded.inode = 0;
  recorded.changed_ns = 0;
  const auto now = compare_sources({look_at_source({file})}, {recorded});
  EXPECT_EQ(identity_of_sources(now), identity_of_sources({recorded}));
  EXPECT_NE(now.front().inode, 0U);
}

TEST(SourceRecords, ARecordWithoutAKindIsADump) {
  const auto read = decode_sources(R"([{"path":"a.xml","name":"a.xml","bytes":7,"modified_ns":8,"sha256":"9"}])");
  ASSERT_EQ(read.size(), 1U);
  EXPECT_EQ(read[0].name, "a.xml");
  EXPECT_EQ(read[0].kind, "dump");
}

TEST(SourceRecords, AnotherReaderMakesAnotherSource) {
  testing::TemporaryFolder folder;
  std::ofstream(folder / "book.rst") << "Amber";
  auto recorded = look_at_source({folder / "book.rst", "pages"});
  recorded.reader = "pandoc 1";
  const auto kept = decode_sources(encode_sources({recorded}));
  EXPECT_EQ(kept.at(0).reader, "pandoc 1");
  auto now = recorded;
  EXPECT_EQ(identity_of_sources(compare_sources({now}, kept)), identity_of_sources(kept));
  now.reader = "pandoc 2";
  EXPECT_NE(identity_of_sources(compare_sources({now}, kept)), identity_of_sources(kept));
  EXPECT_EQ(identity_of_sources(compare_sources({}, kept)), identity_of_sources(kept));
}

}  // namespace
}  // namespace touchstone::pipeline::flow
