#include "pipeline/judging/judgment_log.hpp"

#include "common/error.hpp"
#include "common/files.hpp"
#include "tests/support/temporary_folder.hpp"

#include <string>

#include <gtest/gtest.h>

namespace touchstone::pipeline::judging {
namespace {

llm_client::StoredReply reply(std::string text) {
  return {"model \"x\"", std::move(text), 200, 90, 64, 5, 2, 123'456'789'012, 1500, {}};
}

std::string digest(char digit) {
  return std::string(64, digit);
}

TEST(JudgmentLog, AnyBytesAreKeptAsTheyCame) {
  for (const std::string& text :
       {std::string(), std::string("a\nb"), std::string("\0\xFF\xFE\n", 4), std::string(100'000, '{')}) {
    const auto original = reply(text);
    EXPECT_EQ(decode_reply("d", encode_reply(original)), original);
  }
  EXPECT_THROW((void)decode_reply("d", "no head"), StorageError);
  EXPECT_THROW((void)decode_reply("d", "{}\nx"), StorageError);
}

TEST(JudgmentLog, TheHeadOfARecordIsALineOfJson) {
  EXPECT_EQ(
      encode_reply(reply("{}")),
      "{\"judge\":\"model \\\"x\\\"\",\"status\":200,\"prompt_tokens\":90,\"cached_tokens\":64,\"reply_tokens\":5,"
      "\"attempts\":2,\"cost\":123456789012,\"latency_us\":1500}\n{}");
}

TEST(JudgmentLog, AReplyThatDidNotArriveWholeKeepsItsReason) {
  auto failed = reply("{\"cut");
  failed.status = 0;
  failed.failure = "the reply \"broke off\"";
  EXPECT_EQ(decode_reply("d", encode_reply(failed)), failed);
  const testing::TemporaryFolder folder;
  const auto store = storage::Store::open(folder / "store", storage::Access::kReadWrite);
  const auto other = storage::Store::open(folder / "other", storage::Access::kReadWrite);
  JudgmentLog log(*store);
  log.add({{digest('a'), failed}});
  export_log(*store, folder / "log.jsonl");
  import_log(*other, folder / "log.jsonl");
  EXPECT_EQ(JudgmentLog(*other).find(digest('a')), failed);
}

TEST(JudgmentLog, AReplyIsNeverOverwritten) {
  const testing::TemporaryFolder folder;
  const auto store = storage::Store::open(folder / "store", storage::Access::kReadWrite);
  JudgmentLog log(*store);
  EXPECT_EQ(log.add({{digest('a'), reply("first")}}), 1U);
  EXPECT_EQ(log.add({{digest('a'), reply("second")}, {digest('b'), reply("third")}}), 1U);
  EXPECT_EQ(log.find(digest('a'))->reply, "first");
  EXPECT_FALSE(log.find(digest('c')));
}

TEST(JudgmentLog, ExportedAndImportedItIsTheSame) {
  const testing::TemporaryFolder folder;
  const auto from = storage::Store::open(folder / "from", storage::Access::kReadWrite);
  JudgmentLog(*from).add({{digest('a'), reply("plain ä \" \n")}, {digest('b'), reply(std::string("\xFF\0x", 3))}});
  for (const std::string name : {"log.jsonl", "log.jsonl.gz"}) {
    EXPECT_EQ(export_log(*from, folder / name).read, 2U);
    const auto to = storage::Store::open(folder / ("to-" + name), storage::Access::kReadWrite);
    EXPECT_EQ(import_log(*to, folder / name).added, 2U);
    EXPECT_EQ(import_log(*to, folder / name).added, 0U);
    for (const char digit : {'a', 'b'}) EXPECT_EQ(find_reply(*to, digest(digit)), find_reply(*from, digest(digit)));
  }
}

TEST(JudgmentLog, ADamagedFileIsNamedWithItsLineAndWhatWasReadStays) {
  const testing::TemporaryFolder folder;
  const auto from = storage::Store::open(folder / "from", storage::Access::kReadWrite);
  JudgmentLog(*from).add({{digest('a'), reply("x")}});
  export_log(*from, folder / "log.jsonl");
  const auto good = read_file(folder / "log.jsonl");
  int number = 0;
  for (const std::string bad : {"no json", "{}", "{\"digest\":\"short\"}", "[1]"}) {
    const auto file = folder / "bad.jsonl";
    write_file_atomically(file, good + bad + "\n");
    const auto to = storage::Store::open(folder / ("to" + std::to_string(number++)), storage::Access::kReadWrite);
    try {
      import_log(*to, file);
      ADD_FAILURE() << bad;
    } catch (const FormatError& error) {
      EXPECT_NE(std::string(error.what()).find("line 2"), std::string::npos);
    }
    EXPECT_TRUE(find_reply(*to, digest('a')));
  }
}

}  // namespace
}  // namespace touchstone::pipeline::judging
