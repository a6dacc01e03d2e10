#include "pipeline/judging/online_requester.hpp"

#include "tests/support/judge_server.hpp"
#include "tests/support/temporary_folder.hpp"

#include <string>

#include <gtest/gtest.h>

namespace touchstone::pipeline::judging {
namespace {

using testing::JudgeServer;

/// An asker with a server that gives right answers.
class AskerTest : public ::testing::Test {
 protected:
  Panelist panelist() const {
    JudgeOptions options;
    options.kind = JudgeKind::kOpenAi;
    options.base_url = server.base_url();
    options.model = "test-model";
    return std::move(make_panel(options, {}).judges.front());
  }
  Errand errand(const std::string& member) const {
    llm_client::JudgeRequest request;
    request.page = "List of lighthouses";
    request.member = member;
    request.passage_text = "A lighthouse.";
    const auto question = judge.llm->question(request, 0);
    return {question.digest, judge.llm->body(question, {}), "topic", question.size, 0};
  }

  JudgeServer server;
  testing::TemporaryFolder folder;
  std::unique_ptr<storage::Store> store = storage::Store::open(folder / "store", storage::Access::kReadWrite);
  JudgmentLog log{*store};
  llm_client::Budget budget{{}};
  StopFlag stop;
  ProgressCounters progress;
  Panelist judge = panelist();
  Asker asker{judge, log, budget, stop, progress};
};

TEST_F(AskerTest, RepliesAreInTheLogWhenItHasFinished) {
  asker.look_begins();
  asker.ask(errand("a"));
  asker.ask(errand("b"));
  asker.finish();
  for (const auto* member : {"a", "b"}) {
    const auto reply = log.find(errand(member).key);
    ASSERT_TRUE(reply);
    EXPECT_EQ(reply->status, 200U);
  }
  EXPECT_EQ(asker.counts().answered, 2U);
}

TEST_F(AskerTest, AQuestionThatComesAgainIsNotAskedAgain) {
  asker.look_begins();
  asker.ask(errand("a"));
  asker.ask(errand("a"));  // while it is under way
  asker.finish();
  asker.ask(errand("a"));  // when it is answered, but was looked for before
  asker.finish();
  EXPECT_EQ(server.counts()["requests"], 1);
  asker.look_begins();
  asker.ask(errand("b"));
  asker.finish();
  EXPECT_EQ(server.counts()["requests"], 2);
}

}  // namespace
}  // namespace touchstone::pipeline::judging
