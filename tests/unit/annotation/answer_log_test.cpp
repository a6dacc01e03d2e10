#include "annotation/answer_log.hpp"

#include "common/error.hpp"
#include "tests/unit/annotation/campaign_folder.hpp"

#include <csignal>
#include <map>
#include <thread>

#include <sys/resource.h>

namespace touchstone::annotation {
namespace {

using AnswerLogTest = CampaignFolder;

Event event(const std::string& id, std::string reason = "") {
  Event made;
  made.answer.id = id;
  made.answer.annotator = "A1";
  made.answer.task = "t";
  made.answer.reason = std::move(reason);
  return made;
}

std::vector<std::string> ids_in(const std::filesystem::path& file) {
  std::vector<std::string> ids;
  for_each_event(file, [&](const Event& read) { ids.push_back(read.answer.id); });
  return ids;
}

void ignore(const Event& /*event*/) {}

/// No file of this process may grow beyond `bytes`, while it lives.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit less{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &less);
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int) = SIG_DFL;
};

TEST_F(AnswerLogTest, WhatManyThreadsAddIsAllThereInTheOrderOfEach) {
  constexpr int kThreads = 16, kEach = 100;
  std::vector<std::string> applied;  // the log calls for one event at a time
  {
    AnswerLog log(folder_ / "log", ignore);
    const std::function<void(const Event&)> apply = [&](const Event& stored) { applied.push_back(stored.answer.id); };
    std::vector<std::thread> threads;
    for (int thread = 0; thread < kThreads; ++thread) {
      threads.emplace_back([&, thread] {
        for (int i = 0; i < kEach; ++i) log.add(event(std::to_string(thread) + "-" + std::to_string(i)), apply);
      });
    }
    for (auto& thread : threads) thread.join();
  }
  const auto stored = ids_in(folder_ / "log");
  EXPECT_EQ(stored, applied);
  ASSERT_EQ(stored.size(), std::size_t{kThreads} * kEach);
  std::map<std::string, int> next;
  for (const auto& id : stored) {
    const auto dash = id.find('-');
    EXPECT_EQ(std::stoi(id.substr(dash + 1)), next[id.substr(0, dash)]++);
  }
}

TEST_F(AnswerLogTest, AnEventHasAppliedWhenAddReturns) {
  AnswerLog log(folder_ / "log", ignore);
  std::string seen;
  log.add({event("a"), event("b")}, [&](const Event& stored) { seen += stored.answer.id; });
  EXPECT_EQ(seen, "ab");
  log.add(std::vector<Event>(), [&](const Event& stored) { seen += stored.answer.id; });
  EXPECT_EQ(seen, "ab");
}

TEST_F(AnswerLogTest, OnAFullDiskNothingIsStoredOrAppliedAndItGoesOnWhenThereIsRoom) {
  {
    AnswerLog log(folder_ / "log", ignore);
    log.add(event("before"), ignore);
    {
      const FullDisk full(std::filesystem::file_size(folder_ / "log") + 30);
      bool applied = false;
      const auto message = message_of<StorageError>([&] {
        log.add({event("x"), event("y", std::string(4'000, 'x'))}, [&](const Event&) { applied = true; });
      });
      EXPECT_NE(message.find((folder_ / "log").string()), std::string::npos) << message;
      EXPECT_FALSE(applied);
    }
    EXPECT_EQ(ids_in(folder_ / "log"), std::vector<std::string>{"before"});
    log.add(event("after"), ignore);
  }
  EXPECT_EQ(ids_in(folder_ / "log"), (std::vector<std::string>{"before", "after"}));
}

TEST_F(AnswerLogTest, AFailureReachesEachWhoWaits) {
  AnswerLog log(folder_ / "log", ignore);
  const FullDisk full(std::filesystem::file_size(folder_ / "log"));
  std::atomic<int> failures{0};
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 8; ++thread) {
    threads.emplace_back([&, thread] {
      try {
        log.add(event(std::to_string(thread)), ignore);
      } catch (const StorageError&) {
        ++failures;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(failures, 8);
}

TEST_F(AnswerLogTest, AFileThatIsCutAnywhereKeepsWhatIsBeforeTheCut) {
  std::vector<std::uintmax_t> ends;
  {
    AnswerLog log(folder_ / "log", ignore);
    for (int i = 0; i < 5; ++i) {
      log.add(event(std::to_string(i)), ignore);
      ends.push_back(std::filesystem::file_size(folder_ / "log"));
    }
  }
  const auto whole = read(folder_ / "log");
  for (std::size_t size = ends.front(); size < whole.size(); ++size) {
    write("cut", whole.substr(0, size));
    std::size_t expected = 0;
    for (const auto end : ends) expected += end <= size ? 1 : 0;
    std::vector<std::string> read_ids;
    {
      AnswerLog log(folder_ / "cut", [&](const Event& stored) { read_ids.push_back(stored.answer.id); });
      ASSERT_EQ(read_ids.size(), expected) << size;
      log.add(event("new"), ignore);
    }
    ASSERT_EQ(ids_in(folder_ / "cut").size(), expected + 1) << size;
  }
}

TEST_F(AnswerLogTest, DamagedBytesCostOnlyTheAnswersInThem) {
  std::uintmax_t before = 0, behind = 0;
  {
    AnswerLog log(folder_ / "log", ignore);
    log.add(event("first"), ignore);
    before = std::filesystem::file_size(folder_ / "log");
    log.add(event("second"), ignore);
    behind = std::filesystem::file_size(folder_ / "log");
    log.add(event("third"), ignore);
  }
  const auto whole = read(folder_ / "log");
  for (auto at = before; at < behind; ++at) {
    auto bytes = whole;
    bytes[at] = static_cast<char>(bytes[at] ^ 0x41);
    write("damaged", bytes);
    ASSERT_EQ(ids_in(folder_ / "damaged"), (std::vector<std::string>{"first", "third"})) << at;
  }
}

TEST_F(AnswerLogTest, AFileOfSomethingElseIsLeftAlone) {
  write("log", "dear diary\n");
  EXPECT_THROW(AnswerLog(folder_ / "log", ignore), FormatError);
  EXPECT_EQ(read(folder_ / "log"), "dear diary\n");
}

}  // namespace
}  // namespace touchstone::annotation
