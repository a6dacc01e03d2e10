#include "pipeline/judging/shared_replies.hpp"

#include "tests/support/temporary_folder.hpp"

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::judging {
namespace {

llm_client::ReplyStore::Entry entry(char digit, const std::string& text) {
  return {std::string(64, digit), {"model", text}};
}

class SharedRepliesTest : public ::testing::Test {
 protected:
  std::string found(const SharedReplies& replies, char digit) const {
    const auto reply = replies.find(std::string(64, digit));
    return reply ? reply->reply : "none";
  }
  testing::TemporaryFolder folder;
  std::filesystem::path log = folder / "judgments.log", logs = folder / "replies";
};

TEST_F(SharedRepliesTest, EverybodyReadsAllLogsAndAddsToItsOwn) {
  JudgmentLog(log, JudgmentLog::Access::kAppend).add({entry('a', "old")});
  SharedReplies one(log, logs, nullptr, "one"), other(log, logs, nullptr, "other");
  EXPECT_EQ(one.add({entry('a', "again"), entry('b', "new")}), 1U);
  EXPECT_EQ(found(one, 'a'), "old");
  EXPECT_EQ(found(one, 'b'), "new");
  EXPECT_EQ(found(other, 'b'), "none");
  other.refresh();
  EXPECT_EQ(found(other, 'b'), "new");
  EXPECT_EQ(found(SharedReplies(log, logs, nullptr), 'b'), "new");
}

TEST_F(SharedRepliesTest, LogsAreTakenOverAndThoseOfTheLivingStay) {
  {
    SharedReplies ended(log, logs, nullptr, "ended");
    ended.add_new({entry('a', "1")});
  }
  SharedReplies alive(log, logs, nullptr, "alive");
  alive.add_new({entry('b', "2")});
  JudgmentLog whole(log, JudgmentLog::Access::kAppend);
  take_over(whole, logs);
  EXPECT_EQ(whole.find(std::string(64, 'a'))->reply, "1");
  EXPECT_EQ(whole.find(std::string(64, 'b'))->reply, "2");
  EXPECT_EQ(reply_logs_in(logs), std::vector<std::filesystem::path>{logs / "alive.log"});
  alive.add_new({entry('c', "3")});
  take_over(whole, logs);
  EXPECT_EQ(whole.find(std::string(64, 'c'))->reply, "3");
}

TEST_F(SharedRepliesTest, ThereNeedBeNoFolder) {
  EXPECT_EQ(found(SharedReplies(log, logs, nullptr), 'a'), "none");
  EXPECT_FALSE(std::filesystem::exists(logs));
}

}  // namespace
}  // namespace touchstone::pipeline::judging
