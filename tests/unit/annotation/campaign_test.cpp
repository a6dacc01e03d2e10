#include "annotation/campaign.hpp"

#include "common/error.hpp"
#include "tests/unit/annotation/campaign_folder.hpp"

#include <atomic>
#include <csignal>
#include <set>
#include <thread>

#include <sys/resource.h>

namespace touchstone::annotation {
namespace {

class CampaignTest : public CampaignFolder {
 protected:
  void SetUp() override {
    access_ = std::make_unique<Access>(people());
    ann_ = number_of(*access_, "Ann");
    ben_ = number_of(*access_, "Ben");
  }

  std::unique_ptr<Campaign> open(std::vector<Task> tasks = CampaignFolder::tasks(8), CampaignOptions options = {}) {
    return std::make_unique<Campaign>(folder_, std::move(tasks), std::move(options), *access_);
  }

  static PostResult post(Campaign& campaign, std::size_t who, const PostedAnswer& answer) {
    return campaign.post(who, {answer}).front();
  }

  std::string pseudonym(std::size_t who) const { return access_->annotators()[who].pseudonym; }

  /// Ids of the answers that count.
  static std::set<std::string> ids(const Campaign& campaign) {
    std::set<std::string> found;
    for (const auto& annotation : campaign.annotations()) found.insert(annotation.id);
    return found;
  }

  std::unique_ptr<Access> access_;
  std::size_t ann_ = 0, ben_ = 0;
};

using Ids = std::set<std::string>;

TEST_F(CampaignTest, AnAnswerIsStoredOnceHoweverOftenItIsSent) {
  auto campaign = open();
  EXPECT_EQ(post(*campaign, ann_, answer("a", "t0")).state, PostState::kStored);
  EXPECT_EQ(post(*campaign, ann_, answer("a", "t0")).state, PostState::kDuplicate);
  const auto twice = campaign->post(ann_, {answer("b", "t1"), answer("b", "t1")});
  EXPECT_EQ(twice[0].state, PostState::kStored);
  EXPECT_EQ(twice[1].state, PostState::kDuplicate);
  campaign.reset();
  campaign = open();
  EXPECT_EQ(post(*campaign, ann_, answer("a", "t0")).state, PostState::kDuplicate);
  EXPECT_EQ(ids(*campaign), (Ids{"a", "b"}));
}

TEST_F(CampaignTest, TheSameIdOfAnotherPersonIsAnotherAnswer) {
  auto campaign = open();
  EXPECT_EQ(post(*campaign, ann_, answer("1", "t0")).state, PostState::kStored);
  EXPECT_EQ(post(*campaign, ben_, answer("1", "t0")).state, PostState::kStored);
  EXPECT_EQ(campaign->annotations().size(), 2U);
}

TEST_F(CampaignTest, AnAnswerHasAllThatIsKnownOfIt) {
  auto options = CampaignOptions{};
  options.guidelines = "Read well.";
  auto campaign = open(tasks(1), options);
  auto sent = answer("a", "t0", 3);
  sent.spans = {{9, 14}, {2, 8}, {14, 16}};
  sent.difficult = true;
  sent.reason = "tall\ntree \xF0\x9F\x8C\xB2";
  EXPECT_EQ(post(*campaign, ann_, sent).state, PostState::kStored);
  const auto stored = campaign->annotations().front();
  EXPECT_EQ(stored.annotator, pseudonym(ann_));
  EXPECT_EQ(stored.topic, "q0");
  EXPECT_EQ(stored.docid, "d0");
  EXPECT_EQ(stored.grade, 3);
  EXPECT_EQ(stored.spans, (std::vector<Span>{{2, 8}, {9, 16}}));
  EXPECT_TRUE(stored.difficult);
  EXPECT_EQ(stored.reason, sent.reason);
  EXPECT_EQ(stored.visible_ms, 1000U);
  EXPECT_EQ(stored.guidelines, campaign->guidelines_version());
  EXPECT_GT(stored.judged_at_ms, 1'700'000'000'000);
}

TEST_F(CampaignTest, WrongAnswersAreRejectedInOneSentenceAndTheOthersStored) {
  auto campaign = open();
  const auto problem = [&](PostedAnswer sent) {
    const auto result = post(*campaign, ann_, sent);
    EXPECT_EQ(result.state, PostState::kRejected);
    return result.problem;
  };
  auto wrong = answer("a", "t0", 2);
  wrong.spans = {{0, 29}};
  EXPECT_EQ(problem(wrong), "a selected part is outside of the passage; select it again");
  wrong.spans = {{5, 5}};
  EXPECT_EQ(problem(wrong), "a selected part is outside of the passage; select it again");
  wrong.spans = std::vector<Span>(1'001, Span{0, 1});
  EXPECT_EQ(problem(wrong), "more than 1000 parts are selected");
  wrong.spans.clear();
  EXPECT_EQ(problem(wrong), "this grade needs the words that answer the query; select them");
  EXPECT_EQ(problem(answer("a", "t0", 4)), "the grade 4 is not one of 0 to 3");
  EXPECT_EQ(problem(answer("a", "t0", -1)), "the grade -1 is not one of 0 to 3");
  EXPECT_EQ(problem(answer("a", "t0", std::nullopt)), "the answer has no grade; choose one, or skip the task");
  EXPECT_EQ(problem(answer("", "t0")), "the answer has no id of letters, digits and hyphens");
  EXPECT_EQ(problem(answer("a\nb", "t0")), "the answer has no id of letters, digits and hyphens");
  EXPECT_EQ(problem(answer(std::string(65, 'a'), "t0")), "the answer has no id of letters, digits and hyphens");
  EXPECT_EQ(problem(answer("a", "t99")), "this task is not here any more; go on with the next one");
  auto skipped = answer("a", "t0", 1);
  skipped.skipped = true;
  EXPECT_EQ(problem(skipped), "a task cannot be both graded and skipped");
  auto slow = answer("a", "t0");
  slow.visible_ms = 86'400'001;
  EXPECT_EQ(problem(slow), "the time is longer than a day");
  auto long_winded = answer("a", "t0");
  long_winded.reason = std::string(4'001, 'x');
  EXPECT_EQ(problem(long_winded), "the reason has more than 4000 bytes; make it shorter");
  const auto mixed = campaign->post(ann_, {answer("x", "t0", 9), answer("y", "t0", 1)});
  EXPECT_EQ(mixed[0].state, PostState::kRejected);
  EXPECT_EQ(mixed[1].state, PostState::kStored);
  EXPECT_EQ(ids(*campaign), Ids{"y"});
}

TEST_F(CampaignTest, YesAndNoAreTheOnlyAnswersToEvidenceAndSpansHaveNone) {
  {
    auto campaign = open(tasks(1, TaskKind::kEvidence));
    EXPECT_EQ(post(*campaign, ann_, answer("a", "t0", 2)).problem, "the grade 2 is not one of 0 to 1");
    EXPECT_EQ(post(*campaign, ann_, answer("a", "t0", 1)).state, PostState::kStored);
  }
  std::filesystem::remove_all(folder_ / "answers.log");
  std::filesystem::remove_all(folder_ / "campaign.json");
  auto campaign = open(tasks(1, TaskKind::kSpans));
  EXPECT_EQ(post(*campaign, ann_, answer("a", "t0", 1)).problem,
            "this task asks for parts of the passage and has no grades");
  EXPECT_EQ(post(*campaign, ann_, answer("a", "t0", std::nullopt)).state, PostState::kStored);
}

TEST_F(CampaignTest, OnlyAPlainVersionOfTheGuidelinesIsKept) {
  auto campaign = open();
  auto sent = answer("a", "t0");
  sent.guidelines = std::string(63, 'x') + "\xC3\xA9";
  EXPECT_EQ(post(*campaign, ann_, sent).state, PostState::kStored);
  sent = answer("b", "t1");
  sent.guidelines = "0123456789ab";
  EXPECT_EQ(post(*campaign, ann_, sent).state, PostState::kStored);
  EXPECT_EQ(campaign->annotations()[0].guidelines, campaign->guidelines_version());
  EXPECT_EQ(campaign->annotations()[1].guidelines, "0123456789ab");
}

TEST_F(CampaignTest, ALaterAnswerToATaskTakesThePlaceOfTheFirst) {
  auto campaign = open();
  post(*campaign, ann_, answer("a", "t0", 0));
  post(*campaign, ann_, answer("b", "t0", 1));
  EXPECT_EQ(ids(*campaign), Ids{"b"});
  EXPECT_EQ(campaign->progress(ann_).answered, 1U);
  campaign.reset();
  EXPECT_EQ(ids(*open()), Ids{"b"});
}

TEST_F(CampaignTest, AnAnnotatorTakesAnAnswerBackAndIsAskedAgain) {
  auto campaign = open(tasks(1));
  post(*campaign, ann_, answer("a", "t0"));
  EXPECT_EQ(campaign->next(ann_, 1, {}).state, Assignment::State::kDone);
  auto back = answer("b", "t0");
  back.withdraw = true;
  EXPECT_EQ(post(*campaign, ann_, back).state, PostState::kStored);
  EXPECT_EQ(post(*campaign, ann_, back).state, PostState::kDuplicate);
  EXPECT_EQ(ids(*campaign), Ids{});
  campaign.reset();
  campaign = open(tasks(1));
  EXPECT_EQ(ids(*campaign), Ids{});
  EXPECT_EQ(campaign->next(ann_, 1, {}).tasks.size(), 1U);
}

TEST_F(CampaignTest, WhatTheOwnerHasWithdrawnAnAnnotatorCannotReopen) {
  auto campaign = open(tasks(1));
  post(*campaign, ann_, answer("a", "t0"));
  campaign->take_back({}, false, false);
  auto back = answer("b", "t0");
  back.withdraw = true;
  post(*campaign, ann_, back);
  EXPECT_TRUE(campaign->next(ann_, 1, {}).tasks.empty());
}

TEST_F(CampaignTest, TheOwnerTakesBackWhatAFilterNames) {
  auto campaign = open();
  post(*campaign, ann_, answer("a0", "t0", 0));
  post(*campaign, ann_, answer("a5", "t5", 1));
  auto slow = answer("b5", "t5", 1);
  slow.visible_ms = 60'000;
  post(*campaign, ben_, slow);
  const auto matched = [&](const AnswerFilter& filter) { return campaign->take_back(filter, true, true).matched; };
  AnswerFilter filter;
  EXPECT_EQ(matched(filter), 3U);
  filter.annotator = pseudonym(ann_);
  EXPECT_EQ(matched(filter), 2U);
  filter.grade = 1;
  EXPECT_EQ(matched(filter), 1U);
  filter.topic = "q0";
  EXPECT_EQ(matched(filter), 0U);
  filter = {};
  filter.faster_than_ms = 60'000;
  EXPECT_EQ(matched(filter), 2U);
  filter = {};
  filter.task = "t5";
  EXPECT_EQ(matched(filter), 2U);
  filter = {};
  filter.to_ms = campaign->annotations().front().judged_at_ms;
  EXPECT_EQ(matched(filter), 0U);
  filter = {};
  filter.from_ms = campaign->annotations().front().judged_at_ms;
  EXPECT_EQ(matched(filter), 3U);
  EXPECT_EQ(ids(*campaign).size(), 3U) << "a dry run changes nothing";

  filter = {};
  filter.annotator = pseudonym(ann_);
  filter.task = "t5";
  const auto changed = campaign->take_back(filter, true, false);
  EXPECT_EQ(changed.matched, 1U);
  EXPECT_EQ(changed.changed, 1U);
  EXPECT_EQ(ids(*campaign), (Ids{"a0", "b5"}));
  campaign.reset();
  campaign = open();
  EXPECT_EQ(ids(*campaign), (Ids{"a0", "b5"}));
  const auto next = campaign->next(ann_, 1, {});
  ASSERT_EQ(next.tasks.size(), 1U);
  EXPECT_EQ(next.tasks.front().task->id, "t5") << "asked again first";
}

TEST_F(CampaignTest, HistoryHasTheNewestAnswersFirstAndTheirPlacesInWhatIsShown) {
  CampaignOptions options;
  options.rotate = true;
  auto campaign = open(tasks(8), options);
  for (int i = 0; i < 8; ++i) {
    auto sent = answer("a" + std::to_string(i), "t" + std::to_string(i), 2);
    sent.spans = {{0, 3}};
    EXPECT_EQ(post(*campaign, ann_, sent).state, PostState::kStored);
  }
  const auto history = campaign->history(ann_, 5);
  ASSERT_EQ(history.size(), 5U);
  EXPECT_EQ(history.front().answer.id, "a7");
  bool any_rotated = false;
  for (const auto& [shown, past] : history) {
    EXPECT_EQ(past.spans, (std::vector<Span>{{0, 3}}));
    any_rotated = any_rotated || shown.rotated;
  }
  EXPECT_TRUE(any_rotated);
  for (const auto& stored : campaign->annotations())
    EXPECT_EQ(stored.spans.front().first, stored.rotated ? 15U : 0U) << "the file has places of the text itself";
}

TEST_F(CampaignTest, NoPlaceIsOutsideOfAPassageThatCannotBeRotated) {
  CampaignOptions options;
  options.rotate = true;
  auto made = tasks(20);
  for (auto& task : made) task.text = "word";
  auto campaign = open(made, options);
  for (const auto& task : made) {
    auto sent = answer("a-" + task.id, task.id, 2);
    sent.spans = {{0, 5}};
    EXPECT_EQ(post(*campaign, ann_, sent).state, PostState::kRejected);
  }
}

TEST_F(CampaignTest, SomeSeeHalvesInReverseOrderAndAlwaysTheSame) {
  CampaignOptions options;
  options.rotate = true;
  options.assignment.overlap = 3;
  std::set<std::string> rotated;
  for (int round = 0; round < 2; ++round) {
    auto campaign = open(tasks(200), options);
    std::set<std::string> now;
    for (std::size_t who = 0; who < 3; ++who) {
      for (const auto& shown : campaign->next(who, 200, {}).tasks) {
        EXPECT_EQ(shown.text == shown.task->text, !shown.rotated);
        if (shown.rotated) now.insert(pseudonym(who) + shown.task->id);
      }
    }
    EXPECT_NEAR(static_cast<double>(now.size()), 300, 50);
    if (round == 1) {
      EXPECT_EQ(now, rotated);
    }
    rotated = now;
  }
}

TEST_F(CampaignTest, OptionsThatPlacesDependOnMayNotChange) {
  open().reset();
  const auto refused = [&](const CampaignOptions& options, TaskKind kind = TaskKind::kGrade) {
    return message_of<ConfigError>([&] { open(tasks(8, kind), options); });
  };
  CampaignOptions rotated, seeded;
  rotated.rotate = true;
  seeded.assignment.seed = 2;
  const auto end = "; give the same value, or another folder with --out";
  EXPECT_EQ(refused(rotated), folder_.string() + " was begun with --rotate off, and this run says on" + end);
  EXPECT_EQ(refused(seeded), folder_.string() + " was begun with --seed 1, and this run says 2" + end);
  EXPECT_EQ(refused({}, TaskKind::kSpans),
            folder_.string() + " was begun with --kind grade, and this run says spans" + end);
}

TEST_F(CampaignTest, AnswersToTasksThatAreGoneAreKeptAndDoNotCount) {
  auto campaign = open();
  post(*campaign, ann_, answer("a", "t7"));
  campaign.reset();
  campaign = open(tasks(4));
  EXPECT_EQ(ids(*campaign), Ids{});
  campaign.reset();
  EXPECT_EQ(ids(*open()), Ids{"a"});
}

TEST_F(CampaignTest, TimesDoNotGoBackWhenTheClockDoes) {
  {
    AnswerLog log(folder_ / "answers.log", [](const Event&) {});
    Event future;
    future.answer.id = "future";
    future.answer.annotator = pseudonym(ann_);
    future.answer.task = "t0";
    future.answer.topic = "q0";
    future.answer.docid = "d0";
    future.answer.grade = 0;
    future.answer.judged_at_ms = 4'102'444'800'000;  // 2100
    log.add(future, [](const Event&) {});
  }
  auto campaign = open();
  post(*campaign, ann_, answer("a", "t1"));
  for (const auto& stored : campaign->annotations()) EXPECT_GE(stored.judged_at_ms, 4'102'444'800'000);
}

TEST_F(CampaignTest, OnAFullDiskNoAnswerCountsAndTheSameOneIsStoredLater) {
  auto campaign = open();
  post(*campaign, ann_, answer("a", "t0"));
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit full{std::filesystem::file_size(folder_ / "answers.log"), before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &full);
  EXPECT_THROW(campaign->post(ann_, {answer("b", "t1")}), StorageError);
  EXPECT_EQ(ids(*campaign), Ids{"a"});
  ::setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_EQ(post(*campaign, ann_, answer("b", "t1")).state, PostState::kStored);
  campaign.reset();
  EXPECT_EQ(ids(*open()), (Ids{"a", "b"}));
}

TEST_F(CampaignTest, ManyThreadsThatSendTheSameAnswersInAnyOrderStoreEachOnce) {
  auto campaign = open(tasks(40));
  std::atomic<int> stored{0};
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 12; ++thread) {
    threads.emplace_back([&, thread] {
      for (int round = 0; round < 10; ++round) {
        std::vector<PostedAnswer> batch;
        for (int i = 0; i < 4; ++i) {
          const auto id = std::to_string(round * 4 + (thread % 2 == 0 ? i : 3 - i));
          batch.push_back(answer("a" + id, "t" + id));
        }
        std::rotate(batch.begin(), batch.begin() + thread % 4, batch.end());
        for (const auto& result : campaign->post(ann_, batch)) stored += result.state == PostState::kStored ? 1 : 0;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(stored, 40);
  EXPECT_EQ(ids(*campaign).size(), 40U);
}

TEST_F(CampaignTest, TheExportHasWhatCountsAndTheHistoryHasEverythingUnderPseudonyms) {
  auto campaign = open();
  post(*campaign, ann_, answer("a", "t0"));
  post(*campaign, ann_, answer("b", "t0", 1));
  post(*campaign, ben_, answer("c", "t0"));
  AnswerFilter filter;
  filter.annotator = pseudonym(ben_);
  campaign->take_back(filter, false, false);
  export_answers(*campaign, folder_);
  const auto answers = read(folder_ / "annotations.jsonl"), history = read(folder_ / "history.jsonl");
  EXPECT_EQ(std::count(answers.begin(), answers.end(), '\n'), 1);
  EXPECT_EQ(std::count(history.begin(), history.end(), '\n'), 4);
  EXPECT_NE(history.find(R"({"event":"withdraw","by":"owner","answer":{"id":"c-withdrawn-)"), std::string::npos);
  for (const auto& text : {answers, history}) {
    for (const auto* const name : {"Ann", "Ben", "Cleo"}) EXPECT_EQ(text.find(name), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace touchstone::annotation
