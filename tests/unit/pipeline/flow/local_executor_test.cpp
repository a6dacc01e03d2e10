#include "pipeline/flow/local_executor.hpp"

#include "common/error.hpp"
#include "common/files.hpp"
#include "common/log.hpp"
#include "pipeline/flow/runner.hpp"
#include "tests/support/temporary_folder.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace touchstone::pipeline::flow {
namespace {

namespace fs = std::filesystem;

/// What is done to the test's stage, and what it did.
struct CutStageScript {
  std::mutex mutex;
  std::set<std::uint64_t> ran;      ///< first numbers of the cuts that were mapped; 99 for the merge
  std::set<std::uint64_t> went_on;  ///< those whose parts were there already
  int stop_at = -1;                 ///< the cut or merge that does not finish
  bool cut = true;

  void did(std::uint64_t what) {
    const std::lock_guard lock(mutex);
    ran.insert(what);
    if (static_cast<int>(what) == stop_at) throw Interrupted("stopped");
  }
};

struct Number {
  std::uint64_t value = 0;

  template <class Fields>
  void fields(Fields& field) {
    field("value", value);
  }
};

/// Writes the numbers 0 to 11, a line each. Its six cuts have two numbers each.
class CutStage : public Stage {
 public:
  explicit CutStage(CutStageScript& script) : script_(script) {}

  Cuts plan(const ReadContext&) override {
    if (!script_.cut) return {};
    Cuts cuts;
    for (std::uint64_t i = 0; i < 12; i += 2) cuts.push_back({i, i + 2});
    return cuts;
  }

  void open(const ReadContext&) override { is_open_ = true; }

  void map(const ReadContext&, const Cut& cut, const PartWriter& parts) const override {
    EXPECT_TRUE(is_open_);
    if (fs::exists(parts.path("numbers"))) {
      const std::lock_guard lock(script_.mutex);
      script_.went_on.insert(cut.first);
    }
    auto numbers = parts.records<Number>("numbers");
    for (auto i = cut.first; i < cut.end; ++i) numbers.add({i});
    numbers.finish();
    script_.did(cut.first);
  }

  StageReport merge(WriteContext& context, const Parts& parts) override {
    script_.did(99);
    std::string text;
    StageReport report;
    const auto add = [&](std::uint64_t number) {
      text += std::to_string(number) + "\n";
      ++report.counts["lines"];
    };
    parts.for_each<Number>("numbers", [&](const Number& number) { add(number.value); });
    if (!script_.cut) {
      for (std::uint64_t i = 0; i < 12; ++i) add(i);
    }
    write_file_atomically(context.output("numbers"), text);
    return report;
  }

 private:
  CutStageScript& script_;
  bool is_open_ = false;
};

class LocalExecutorTest : public ::testing::Test {
 protected:
  using Ran = std::set<std::uint64_t>;

  void SetUp() override { configure_log(LogLevel::kError, LogFormat::kText); }

  Ran build(std::uint32_t shards, bool force = false) {
    std::vector<StageInfo> rows;
    rows.push_back({.name = "count",
                    .summary = "Counts.",
                    .format_version = version_,
                    .outputs = {file("numbers")},
                    .make = [this] { return std::make_unique<CutStage>(script_); },
                    .resumes_parts = resumes_parts_});
    const StageGraph graph(std::move(rows), {}, {});
    const auto settings = graph.settings();
    RunOptions run;
    run.work = folder_ / "work";
    run.progress = ProgressMode::kNever;
    run.shards = shards;
    run.force = force;
    run.threads = 2;
    Runner runner(graph, settings, run, storage::Access::kReadWrite);
    script_.ran.clear();
    script_.went_on.clear();
    runner.run(graph.stages_for("count"), stop_);
    EXPECT_EQ(read_file(numbers()), "0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n");
    EXPECT_EQ(runner.manifest("count").report.counts.at("lines"), 12U);
    EXPECT_FALSE(fs::exists(folder_ / "work/stages/shards"));
    return script_.ran;
  }

  /// Runs until the merge of three shards.
  void stop_in_merge() {
    script_.stop_at = 99;
    EXPECT_THROW(build(3), Interrupted);
    script_.stop_at = -1;
  }

  fs::path numbers() const { return folder_ / "work/numbers"; }
  fs::path part(std::uint32_t index) const {
    return shard_folder(folder_ / "work/stages/shards/count", {index, 3}) / fmt::format("{:05}.numbers", 2 * index);
  }

  testing::TemporaryFolder folder_;
  CutStageScript script_;
  StopFlag stop_;
  int version_ = 1;
  bool resumes_parts_ = false;
};

const std::set<std::uint64_t> kAll{0, 2, 4, 6, 8, 10, 99};

TEST_F(LocalExecutorTest, MapsAllCutsAndMergesTheirPartsInOrder) {
  EXPECT_EQ(build(3), kAll);
}

TEST_F(LocalExecutorTest, OneShardHasAllCuts) {
  EXPECT_EQ(build(1), kAll);
}

TEST_F(LocalExecutorTest, MoreShardsThanCutsLeaveSomeEmpty) {
  EXPECT_EQ(build(9), kAll);
}

TEST_F(LocalExecutorTest, AStageWithoutCutsIsItsMerge) {
  script_.cut = false;
  EXPECT_EQ(build(3), Ran{99});
}

TEST_F(LocalExecutorTest, TheNumberOfShardsRunsNothingAgain) {
  build(3);
  EXPECT_EQ(build(2), (Ran{}));
  EXPECT_EQ(build(1), (Ran{}));
}

TEST_F(LocalExecutorTest, AShardThatIsWholeDoesNotRunAgain) {
  script_.stop_at = 6;
  EXPECT_THROW(build(3), Interrupted);
  script_.stop_at = -1;
  EXPECT_EQ(build(3), (Ran{4, 6, 8, 10, 99}));
}

TEST_F(LocalExecutorTest, AStopInTheMergeRunsTheMergeAlone) {
  stop_in_merge();
  EXPECT_EQ(build(3), (Ran{99}));
}

TEST_F(LocalExecutorTest, ADamagedShardRunsAgainAlone) {
  stop_in_merge();
  write_file_atomically(part(1), "4\n5\n6\n8\n");
  EXPECT_EQ(build(3), (Ran{4, 6, 99}));
}

TEST_F(LocalExecutorTest, AnotherNumberOfShardsIsMadeAnew) {
  stop_in_merge();
  EXPECT_EQ(build(2), kAll);
}

TEST_F(LocalExecutorTest, ShardsOfAnotherFormatOfTheStageAreMadeAnew) {
  stop_in_merge();
  version_ = 2;
  EXPECT_EQ(build(3), kAll);
}

TEST_F(LocalExecutorTest, OnlyAStageThatResumesItsPartsFindsThoseOfAShardThatDidNotFinish) {
  script_.stop_at = 10;
  EXPECT_THROW(build(3), Interrupted);
  EXPECT_THROW(build(3), Interrupted);
  EXPECT_EQ(script_.went_on, Ran{});
  resumes_parts_ = true;
  EXPECT_THROW(build(3), Interrupted);
  script_.stop_at = -1;
  build(3);
  EXPECT_TRUE(script_.went_on.contains(10));
}

TEST_F(LocalExecutorTest, PartsThatAreDamagedOrOfAnotherFormatAreNotResumed) {
  resumes_parts_ = true;
  stop_in_merge();
  write_file_atomically(part(1), "4\n5\n6\n8\n");
  EXPECT_EQ(build(3), (Ran{4, 6, 99}));
  EXPECT_EQ(script_.went_on, Ran{});
  version_ = 2;
  script_.stop_at = 10;
  EXPECT_THROW(build(3), Interrupted);
  version_ = 3;
  script_.stop_at = -1;
  build(3);
  EXPECT_EQ(script_.went_on, Ran{});
}

TEST_F(LocalExecutorTest, ForceRunsAllShardsAgain) {
  stop_in_merge();
  EXPECT_EQ(build(3, true), kAll);
}

}  // namespace
}  // namespace touchstone::pipeline::flow
