#include "pipeline/flow/shard_manifest.hpp"

#include "common/error.hpp"
#include "common/files.hpp"
#include "tests/support/temporary_folder.hpp"

#include <filesystem>

#include <gtest/gtest.h>

namespace touchstone::pipeline::flow {
namespace {

namespace fs = std::filesystem;

class ShardManifests : public ::testing::Test {
 protected:
  void SetUp() override {
    for (std::uint32_t index = 0; index < 3; ++index) write({index, 3});
  }

  void write(Shard shard) {
    ShardWriter writer(folder_.path(), run_, shard);
    write_file_atomically(writer.folder() / "pages.jsonl", "page " + std::to_string(shard.index) + "\n");
    writer.finish();
  }

  fs::path file(std::uint32_t index, const char* name) const { return shard_folder(folder_.path(), {index, 3}) / name; }

  /// Expects that the second shard is the only one to run, for this reason.
  void expect_second(ShardState state, const std::string& words) const {
    const auto found = shards_to_run(folder_.path(), run_, 3);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].shard, (Shard{1, 3}));
    EXPECT_EQ(found[0].state, state);
    const std::string sentence = shard_sentence(found[0]);
    EXPECT_NE(sentence.find("shard 2 of 3 " + words), std::string::npos) << sentence;
    EXPECT_NE(sentence.find("; it has to run again"), std::string::npos) << sentence;
  }

  testing::TemporaryFolder folder_;
  ShardRun run_{"paragraphs", "opts", "in", "1.0"};
};

TEST_F(ShardManifests, WholeShardsDoNotRunAgain) {
  EXPECT_TRUE(shards_to_run(folder_.path(), run_, 3).empty());
}

TEST_F(ShardManifests, AnotherNumberOfShardsIsAnotherCut) {
  EXPECT_EQ(shards_to_run(folder_.path(), run_, 2).size(), 2U);
}

TEST_F(ShardManifests, AShardWithoutManifestDidNotFinish) {
  fs::remove(file(1, "manifest.json"));
  expect_second(ShardState::kMissing, "has no manifest");
  write({1, 3});
  EXPECT_TRUE(shards_to_run(folder_.path(), run_, 3).empty());
}

TEST_F(ShardManifests, AMissingPartIsFound) {
  fs::remove(file(1, "pages.jsonl"));
  expect_second(ShardState::kPartMissing, "lacks a file");
}

TEST_F(ShardManifests, ATruncatedPartIsFound) {
  fs::resize_file(file(1, "pages.jsonl"), 3);
  expect_second(ShardState::kPartTruncated, "has a file of another length");
}

TEST_F(ShardManifests, AnEditedPartOfEqualLengthIsFound) {
  write_file_atomically(file(1, "pages.jsonl"), "page 7\n");
  expect_second(ShardState::kPartEdited, "has a file whose bytes were changed");
}

TEST_F(ShardManifests, AFileThatTheShardDidNotWriteIsFound) {
  write_file_atomically(file(1, "more.jsonl"), "page 8\n");
  expect_second(ShardState::kPartUnknown, "has a file that it did not write");
}

TEST_F(ShardManifests, ADoubledShardIsFound) {
  for (const char* name : {"manifest.json", "pages.jsonl"})
    fs::copy_file(file(0, name), file(1, name), fs::copy_options::overwrite_existing);
  expect_second(ShardState::kOtherShard, "has the manifest of another shard");
}

TEST_F(ShardManifests, AnEditedManifestIsFound) {
  std::string text = read_file(file(1, "manifest.json"));
  const auto at = text.find("\"count\":");
  ASSERT_NE(at, std::string::npos);
  text[at + 8] = '9';
  write_file_atomically(file(1, "manifest.json"), text);
  expect_second(ShardState::kUnreadable, "has a damaged manifest");
}

TEST_F(ShardManifests, ATruncatedManifestIsFoundAtEveryLength) {
  const std::string text = read_file(file(1, "manifest.json"));
  for (std::size_t length = 0; length < text.size(); ++length) {
    write_file_atomically(file(1, "manifest.json"), text.substr(0, length));
    EXPECT_EQ(verify_shard(folder_.path(), run_, {1, 3}).state, ShardState::kUnreadable) << length;
  }
}

TEST_F(ShardManifests, APartialFileThatIsLeftOverDoesNotMakeAShardUnwhole) {
  write_file_atomically(file(1, "killed.jsonl.partial"), "page");
  EXPECT_EQ(verify_shard(folder_.path(), run_, {1, 3}).state, ShardState::kWhole);
  write({1, 3});
  EXPECT_FALSE(fs::exists(file(1, "killed.jsonl.partial")));
}

TEST_F(ShardManifests, AShardThatRunsAgainHasNoManifestAndNoOldFilesUntilItIsWhole) {
  write_file_atomically(file(1, "more.jsonl"), "page 8\n");
  { const ShardWriter killed(folder_.path(), run_, {1, 3}); }
  EXPECT_FALSE(fs::exists(file(1, "more.jsonl")));
  expect_second(ShardState::kMissing, "has no manifest");
}

TEST_F(ShardManifests, AFolderInAShardIsRefused) {
  fs::create_directories(file(1, "more"));
  expect_second(ShardState::kPartUnknown, "has a file that it did not write");
  ShardWriter writer(folder_.path(), run_, {1, 3});
  EXPECT_FALSE(fs::exists(file(1, "more")));
  fs::create_directories(writer.folder() / "more");
  EXPECT_THROW(writer.finish(), StorageError);
  EXPECT_FALSE(fs::exists(file(1, "manifest.json")));
}

TEST_F(ShardManifests, AFileWhereAShardHasItsFolderIsRefused) {
  fs::remove_all(shard_folder(folder_.path(), {1, 3}));
  write_file_atomically(shard_folder(folder_.path(), {1, 3}), "no folder");
  EXPECT_EQ(verify_shard(folder_.path(), run_, {1, 3}).state, ShardState::kMissing);
  EXPECT_THROW(ShardWriter(folder_.path(), run_, {1, 3}), StorageError);
}

TEST_F(ShardManifests, OfTwoAttemptsTheFirstThatIsWholeIsTheShard) {
  fs::remove_all(shard_folder(folder_.path(), {1, 3}));
  ShardAttempt slow(folder_.path(), run_, {1, 3}, "slow"), quick(folder_.path(), run_, {1, 3}, "quick");
  write_file_atomically(slow.folder() / "pages.jsonl", "of the slow one\n");
  write_file_atomically(quick.folder() / "pages.jsonl", "of the quick one\n");
  EXPECT_EQ(shards_to_run(folder_.path(), run_, 3).size(), 1U) << "neither is whole";
  EXPECT_TRUE(quick.finish());
  EXPECT_FALSE(slow.finish());
  EXPECT_TRUE(shards_to_run(folder_.path(), run_, 3).empty());
  EXPECT_EQ(read_file(file(1, "pages.jsonl")), "of the quick one\n");
  EXPECT_FALSE(fs::exists(slow.folder()));
}

TEST_F(ShardManifests, AnAttemptTakesThePlaceOfWhatIsDamagedOrOfAnotherRun) {
  write_file_atomically(file(1, "pages.jsonl"), "page 9\n");
  const auto attempt = [&](const ShardRun& run, const std::string& name) {
    ShardAttempt attempt(folder_.path(), run, {1, 3}, name);
    write_file_atomically(attempt.folder() / "pages.jsonl", name + "\n");
    return attempt.finish();
  };
  EXPECT_TRUE(attempt(run_, "new"));
  EXPECT_EQ(read_file(file(1, "pages.jsonl")), "new\n");
  auto other = run_;
  other.inputs = "of an older dump";
  EXPECT_TRUE(attempt(other, "late"));
  expect_second(ShardState::kOtherInputs, "was made from other inputs");
}

TEST_F(ShardManifests, AShardHasOneWriterAtATime) {
  {
    const ShardWriter first(folder_.path(), run_, {1, 3});
    EXPECT_THROW(ShardWriter(folder_.path(), run_, {1, 3}), StorageError);
    EXPECT_NO_THROW(ShardWriter(folder_.path(), run_, {0, 3}));
  }
  write({1, 3});
  EXPECT_EQ(verify_shard(folder_.path(), run_, {1, 3}).state, ShardState::kWhole);
}

TEST_F(ShardManifests, ShardsOfAnotherRunAreFound) {
  const auto state = [&](const ShardRun& run) { return verify_shard(folder_.path(), run, {0, 3}).state; };
  EXPECT_EQ(state({"facets", "opts", "in", "1.0"}), ShardState::kOtherStage);
  EXPECT_EQ(state({"paragraphs", "other", "in", "1.0"}), ShardState::kOtherOptions);
  EXPECT_EQ(state({"paragraphs", "opts", "other", "1.0"}), ShardState::kOtherInputs);
  EXPECT_EQ(state({"paragraphs", "opts", "in", "1.1"}), ShardState::kOtherProgram);
}

}  // namespace
}  // namespace touchstone::pipeline::flow
