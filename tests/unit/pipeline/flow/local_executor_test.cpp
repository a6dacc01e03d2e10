#include "pipeline/flow/local_executor.hpp"

#include "common/error.hpp"
#include "common/files.hpp"
#include "common/log.hpp"
#include "pipeline/flow/runner.hpp"
#include "tests/support/temporary_folder.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::flow {
namespace {

namespace fs = std::filesystem;

/// What is done to the test's stage, and what it did.
struct CutStageScript {
  std::vector<std::uint32_t> ran;  ///< indexes of shards; 99 for the merge, 100 for all of the work
  int stop_at = -1;                ///< the shard or merge that does not finish
};

/// Writes the numbers 0 to 11, a line each.
class CutStage : public Stage {
 public:
  explicit CutStage(CutStageScript& script) : script_(script) {}

  StageReport run(StageContext& context) override {
    did(100);
    write_file_atomically(context.output("numbers"), lines({}));
    return report(12);
  }

  ShardCounts run_shard(StageContext& context, const ShardWriter& shard) override {
    write_file_atomically(shard.part("part"), lines(context.shard));
    did(context.shard.index);
    return {{"lines", 12 / context.shard.count}};
  }

  StageReport merge(StageContext& context, const std::vector<WholeShard>& shards) override {
    did(99);
    std::string text;
    std::uint64_t count = 0;
    for (const auto& shard : shards) {
      text += read_file(shard.folder / "part");
      count += shard.counts.at("lines");
    }
    write_file_atomically(context.output("numbers"), text);
    return report(count);
  }

 private:
  void did(std::uint32_t what) {
    script_.ran.push_back(what);
    if (static_cast<int>(what) == script_.stop_at) throw Interrupted("stopped");
  }
  static std::string lines(Shard shard) {
    std::string text;
    for (std::uint32_t i = 12 * shard.index / shard.count; i < 12 * (shard.index + 1) / shard.count; ++i)
      text += std::to_string(i) + "\n";
    return text;
  }
  static StageReport report(std::uint64_t count) {
    StageReport report;
    report.counts["lines"] = count;
    return report;
  }

  CutStageScript& script_;
};

class LocalExecutorTest : public ::testing::Test {
 protected:
  using Ran = std::vector<std::uint32_t>;

  void SetUp() override { configure_log(LogLevel::kError, LogFormat::kText); }

  Ran build(std::uint32_t shards, bool force = false) {
    std::vector<StageInfo> rows;
    rows.push_back({.name = "count",
                    .summary = "Counts.",
                    .format_version = version_,
                    .outputs = {file("numbers")},
                    .make = [this] { return std::make_unique<CutStage>(script_); },
                    .cut = cut_});
    const StageGraph graph(std::move(rows), {}, {});
    const auto settings = graph.settings();
    RunOptions run;
    run.work = folder_ / "work";
    run.progress = ProgressMode::kNever;
    run.shards = shards;
    run.force = force;
    Runner runner(graph, settings, run, storage::Access::kReadWrite);
    script_.ran.clear();
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
    return shard_folder(folder_ / "work/stages/shards/count", {index, 3}) / "part";
  }

  testing::TemporaryFolder folder_;
  CutStageScript script_;
  StopFlag stop_;
  Cut cut_ = Cut::kPages;
  int version_ = 1;
};

TEST_F(LocalExecutorTest, RunsEachShardAndMergesThemInOrder) {
  EXPECT_EQ(build(3), (Ran{0, 1, 2, 99}));
}

TEST_F(LocalExecutorTest, OneShardIsAllOfTheWork) {
  EXPECT_EQ(build(1), (Ran{100}));
}

TEST_F(LocalExecutorTest, AStageWithoutACutRunsAsAWhole) {
  cut_ = Cut::kNone;
  EXPECT_EQ(build(3), (Ran{100}));
}

TEST_F(LocalExecutorTest, TheNumberOfShardsRunsNothingAgain) {
  build(3);
  EXPECT_EQ(build(2), (Ran{}));
  EXPECT_EQ(build(1), (Ran{}));
}

TEST_F(LocalExecutorTest, AShardThatIsWholeDoesNotRunAgain) {
  script_.stop_at = 1;
  EXPECT_THROW(build(3), Interrupted);
  script_.stop_at = -1;
  EXPECT_EQ(build(3), (Ran{1, 2, 99}));
}

TEST_F(LocalExecutorTest, AStopInTheMergeRunsTheMergeAlone) {
  stop_in_merge();
  EXPECT_EQ(build(3), (Ran{99}));
}

TEST_F(LocalExecutorTest, ADamagedShardRunsAgainAlone) {
  stop_in_merge();
  write_file_atomically(part(1), "4\n5\n6\n8\n");
  EXPECT_EQ(build(3), (Ran{1, 99}));
}

TEST_F(LocalExecutorTest, AnotherNumberOfShardsIsMadeAnew) {
  stop_in_merge();
  EXPECT_EQ(build(2), (Ran{0, 1, 99}));
}

TEST_F(LocalExecutorTest, ShardsOfAnotherFormatOfTheStageAreMadeAnew) {
  stop_in_merge();
  version_ = 2;
  EXPECT_EQ(build(3), (Ran{0, 1, 2, 99}));
}

TEST_F(LocalExecutorTest, ForceRunsAllShardsAgain) {
  stop_in_merge();
  EXPECT_EQ(build(3, true), (Ran{0, 1, 2, 99}));
}

}  // namespace
}  // namespace touchstone::pipeline::flow
