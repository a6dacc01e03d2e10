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

TEST(SourceRecords, AMovedOrTouchedFileIsRecognisedByItsDigest) {
  const testing::TemporaryFolder folder;
  const auto file = folder / "a.xml";
  write_file_atomically(file, "text");
  auto recorded = look_at_source({file});
  recorded.sha256 = "982d9e3eb996f559e633f4d194def3761d909f5a3b647d1a851fead67c32c9d1";  // of "text"
  const auto identity = identity_of_sources({}, {recorded});
  std::filesystem::last_write_time(file, std::filesystem::last_write_time(file) + std::chrono::hours(1));
  EXPECT_EQ(identity_of_sources({look_at_source({file})}, {recorded}), identity);
  write_file_atomically(file, "TEXT");
  EXPECT_NE(identity_of_sources({look_at_source({file})}, {recorded}), identity);
}

TEST(SourceRecords, ARecordWithoutAKindIsADump) {
  const auto read = decode_sources(R"([{"path":"a.xml","name":"a.xml","bytes":7,"modified_ns":8,"sha256":"9"}])");
  ASSERT_EQ(read.size(), 1U);
  EXPECT_EQ(read[0].name, "a.xml");
  EXPECT_EQ(read[0].kind, "dump");
}

}  // namespace
}  // namespace touchstone::pipeline::flow
