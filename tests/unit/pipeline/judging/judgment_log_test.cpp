#include "pipeline/judging/judgment_log.hpp"

#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/records/record_coding.hpp"
#include "common/records/record_log.hpp"
#include "common/secrets.hpp"
#include "storage/store.hpp"
#include "tests/support/temporary_folder.hpp"

#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::judging {
namespace {

llm_client::StoredReply reply(std::string text) {
  return {"model \"x\"", std::move(text), 200, 90, 64, 5, 2, 123'456'789'012, 1500, {}};
}

std::string digest(char digit) {
  return std::string(64, digit);
}

using Access = JudgmentLog::Access;

class JudgmentLogTest : public ::testing::Test {
 protected:
  testing::TemporaryFolder folder;
  std::filesystem::path file = folder / "judgments.log";

  std::optional<llm_client::StoredReply> find(std::string_view digest) const {
    return JudgmentLog(file, Access::kRead).find(digest);
  }
  std::unique_ptr<storage::Store> store() const {
    return storage::Store::open(folder / "store", storage::Access::kReadWrite);
  }
};

TEST_F(JudgmentLogTest, AnyBytesAreKeptAsTheyCame) {
  auto failed = reply("{\"cut");
  failed.status = 0;
  failed.failure = "the reply \"broke off\"";
  const std::vector<llm_client::StoredReply> all = {reply(""), reply("a\nb"), reply(std::string("\0\xFF\xFE\n", 4)),
                                                    reply(std::string(100'000, '{')), failed};
  JudgmentLog log(file, Access::kAppend);
  for (std::size_t i = 0; i < all.size(); ++i) log.add({{digest(static_cast<char>('a' + i)), all[i]}});
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(log.find(digest(static_cast<char>('a' + i))), all[i]);
    EXPECT_EQ(find(digest(static_cast<char>('a' + i))), all[i]) << "read anew";
  }
}

TEST_F(JudgmentLogTest, AReplyIsNeverOverwritten) {
  JudgmentLog log(file, Access::kAppend);
  EXPECT_EQ(log.add({{digest('a'), reply("first")}, {digest('a'), reply("again")}}), 1U);
  EXPECT_EQ(log.add_computed({{digest('a'), reply("second")}, {digest('b'), reply("third")}}), 1U);
  log.add_new({{digest('d'), reply("new")}});
  EXPECT_EQ(log.add({{digest('d'), reply("newer")}}), 0U);
  EXPECT_EQ(log.find(digest('a'))->reply, "first");
  EXPECT_EQ(find(digest('a'))->reply, "first");
  EXPECT_EQ(find(digest('b'))->reply, "third");
  EXPECT_EQ(find(digest('d'))->reply, "new");
  EXPECT_FALSE(log.find(digest('c')));
}

TEST_F(JudgmentLogTest, ManyThreadsFindWhileOthersAdd) {
  constexpr int kReplies = 300;
  JudgmentLog log(file, Access::kAppend);
  std::atomic<int> added = 0;
  const auto key = [](int number) { return sha256_hex(std::to_string(number)); };
  {
    std::vector<std::jthread> threads;
    threads.emplace_back([&] {
      for (int i = 0; i < kReplies; ++i) {
        log.add_computed({{key(i), reply(std::to_string(i))}});
        added = i + 1;
      }
    });
    threads.emplace_back([&] {
      for (int i = 0; i < kReplies; ++i)
        log.add_computed({{key(-i - 1), reply("other")}, {key(i), reply(std::to_string(i))}});
    });
    for (int thread = 0; thread < 3; ++thread) {
      threads.emplace_back([&] {
        while (added < kReplies) {
          const int last = added - 1;
          EXPECT_TRUE(last < 0 || log.find(key(last))->reply == std::to_string(last));
          EXPECT_FALSE(log.find(key(kReplies)));
        }
      });
    }
  }
  EXPECT_EQ(export_log(file, nullptr, folder / "log.jsonl").read, 2U * kReplies);
}

TEST_F(JudgmentLogTest, SecretsAreNotWritten) {
  const std::string secret = "sk-judgment-log-test-4711";
  keep_secret(secret);
  auto echo = reply("you sent " + secret);
  echo.failure = "not " + secret;
  JudgmentLog(file, Access::kAppend).add({{digest('a'), echo}});
  const auto found = find(digest('a'));
  EXPECT_EQ(found->reply, "you sent ***");
  EXPECT_EQ(found->failure, "not ***");
}

TEST_F(JudgmentLogTest, RepliesOfOlderStoresAreReadAndMovedOver) {
  const auto old = store();
  const std::string value =
      "{\"judge\":\"model \\\"x\\\"\",\"status\":200,\"prompt_tokens\":90,\"cached_tokens\":64,\"reply_tokens\":5,"
      "\"attempts\":2,\"cost\":123456789012,\"latency_us\":1500}\n";
  storage::Batch batch;
  for (const char digit : {'a', 'b'}) batch.put(storage::Family::kJudgment, digest(digit), value + digit + "\n\xFF");
  old->write(batch, storage::Durability::kMachine);
  JudgmentLog(file, Access::kAppend).add({{digest('b'), reply("moved before a kill")}});
  EXPECT_EQ(JudgmentLog(file, Access::kRead, old.get()).find(digest('a')), reply("a\n\xFF"));
  EXPECT_FALSE(find(digest('a')));
  JudgmentLog::open(file, *old)->add({{digest('c'), reply("new")}});
  EXPECT_FALSE(old->cursor(storage::Family::kJudgment).valid());
  EXPECT_EQ(find(digest('a')), reply("a\n\xFF"));
  EXPECT_EQ(find(digest('b'))->reply, "moved before a kill");
  EXPECT_EQ(find(digest('c'))->reply, "new");
}

TEST_F(JudgmentLogTest, ExportedAndImportedItIsTheSame) {
  auto failed = reply("{\"cut");
  failed.failure = "the reply \"broke off\"";
  JudgmentLog(file, Access::kAppend)
      .add({{digest('b'), reply(std::string("\xFF\0x", 3))},
            {digest('a'), reply("plain ä \" \n")},
            {digest('c'), failed}});
  for (const std::string name : {"log.jsonl", "log.jsonl.gz"}) {
    EXPECT_EQ(export_log(file, nullptr, folder / name).read, 3U);
    JudgmentLog to(folder / ("to-" + name), Access::kAppend);
    EXPECT_EQ(import_log(to, folder / name).added, 3U);
    EXPECT_EQ(import_log(to, folder / name).added, 0U);
    for (const char digit : {'a', 'b', 'c'}) EXPECT_EQ(to.find(digest(digit)), find(digest(digit)));
  }
  const auto lines = read_file(folder / "log.jsonl");
  EXPECT_TRUE(lines.starts_with(
      "{\"digest\":\"" + digest('a') +
      "\",\"judge\":\"model \\\"x\\\"\",\"status\":200,\"prompt_tokens\":90,\"cached_tokens\":64,\"reply_tokens\":5,"
      "\"attempts\":2,\"cost\":123456789012,\"latency_us\":1500,\"reply\":\"plain ä \\\" \\n\"}\n"))
      << lines;
}

TEST_F(JudgmentLogTest, WhatAKeptReplyWasAskedStaysWithItAndOlderLogsAreRead) {
  {
    records::Encoder old;
    encode(old, JudgmentLog::Entry{digest('a'), reply("asked")});
    const std::string record = old.take();
    records::RecordLog(file, records::layout_of<JudgmentLog::Entry>(), Access::kAppend, [](auto, auto) {
    }).append({&record, 1}, records::RecordLog::Durability::kProcess);
  }
  auto kept = reply("kept");
  kept.kept_from = digest('a');
  JudgmentLog(file, Access::kAppend).add({{digest('b'), kept}});
  EXPECT_EQ(find(digest('a')), reply("asked"));
  EXPECT_EQ(find(digest('b')), kept);
  EXPECT_EQ(export_log(file, nullptr, folder / "log.jsonl").read, 2U);
  JudgmentLog to(folder / "to", Access::kAppend);
  EXPECT_EQ(import_log(to, folder / "log.jsonl").added, 2U);
  EXPECT_EQ(to.find(digest('a')), reply("asked"));
  EXPECT_EQ(to.find(digest('b')), kept);
}

TEST_F(JudgmentLogTest, AStoreThatHoldsRepliesIsExportedWithTheLog) {
  const auto old = store();
  storage::Batch batch;
  batch.put(storage::Family::kJudgment, digest('a'),
            "{\"judge\":\"j\",\"status\":200,\"prompt_tokens\":0,\"cached_tokens\":0,\"reply_tokens\":0,\"attempts\":1,"
            "\"cost\":0,\"latency_us\":0}\nold");
  old->write(batch, storage::Durability::kMachine);
  JudgmentLog(file, Access::kAppend).add({{digest('b'), reply("new")}});
  EXPECT_EQ(export_log(file, old.get(), folder / "log.jsonl").read, 2U);
}

TEST_F(JudgmentLogTest, ADamagedFileIsNamedWithItsLineAndWhatWasReadStays) {
  JudgmentLog(file, Access::kAppend).add({{digest('a'), reply("x")}});
  export_log(file, nullptr, folder / "log.jsonl");
  const auto good = read_file(folder / "log.jsonl");
  int number = 0;
  for (const std::string bad : {"no json", "{}", "{\"digest\":\"short\"}", "[1]"}) {
    const auto lines = folder / "bad.jsonl";
    write_file_atomically(lines, good + bad + "\n");
    JudgmentLog to(folder / ("to" + std::to_string(number++)), Access::kAppend);
    try {
      import_log(to, lines);
      ADD_FAILURE() << bad;
    } catch (const FormatError& error) {
      EXPECT_NE(std::string(error.what()).find("line 2"), std::string::npos);
    }
    EXPECT_TRUE(to.find(digest('a')));
  }
}

}  // namespace
}  // namespace touchstone::pipeline::judging
