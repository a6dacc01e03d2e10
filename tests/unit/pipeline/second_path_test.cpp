// A second kind of collection is added by rows alone: this one lists the longest titles of the wiki that the first path
// reads, with an option of its own.
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/log.hpp"
#include "pipeline/flow/runner.hpp"
#include "pipeline/stage_table.hpp"
#include "storage/keys.hpp"
#include "tests/support/dump_text.hpp"
#include "tests/support/temporary_folder.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline {
namespace {

using storage::Family;

constexpr std::string_view kTitlesFile = "stages/titles.txt";
constexpr std::string_view kLongestFile = "longest.txt";

struct LongestOptions {
  std::int64_t count = 1;

  static std::vector<Option<LongestOptions>> options() {
    return {{"longest.count", &LongestOptions::count, between(1, 100), "How many titles to list."}};
  }
};

class TitlesStage : public flow::Stage {
 public:
  flow::StageReport merge(flow::WriteContext& context, const flow::Parts& /*parts*/) override {
    flow::StageReport report;
    TextWriter out(context.output(kTitlesFile));
    for (auto cursor = context.store.cursor(Family::kTitle); cursor.valid(); cursor.next()) {
      const auto key = storage::read_title_key(cursor.key());
      if (!key) continue;
      out.write(std::string(key->text) + "\n");
      ++report.counts["titles"];
    }
    out.finish();
    return report;
  }
};

class LongestStage : public flow::Stage {
 public:
  flow::StageReport merge(flow::WriteContext& context, const flow::Parts& /*parts*/) override {
    context.stop.check();
    std::vector<std::string> titles;
    for_each_line(context.input(kTitlesFile), [&](std::string_view line, std::uint64_t) {
      titles.emplace_back(line);
      return true;
    });
    std::sort(titles.begin(), titles.end(),
              [](const auto& a, const auto& b) { return std::pair(b.size(), a) < std::pair(a.size(), b); });
    const auto count = static_cast<std::size_t>(context.options<LongestOptions>().count);
    titles.resize(std::min(titles.size(), count));
    std::string text;
    for (const auto& title : titles) text += title + "\n";
    if (stop_once) {
      stop_once = false;
      throw Interrupted("stopped");
    }
    write_file_atomically(context.output(kLongestFile), text);
    return {};
  }
  static inline bool stop_once = false;
};

/// The program's graph with two rows more, and a target for them.
flow::StageGraph graph_with_second_path() {
  const auto stages = stage_graph().stages();
  const auto known_targets = stage_graph().targets();
  std::vector<flow::StageInfo> rows(stages.begin(), stages.end());
  rows.push_back({.name = "titles",
                  .summary = "List all titles",
                  .inputs = {flow::family(Family::kTitle)},
                  .outputs = {flow::file(kTitlesFile)},
                  .make = flow::make_stage<TitlesStage>});
  rows.push_back({.name = "longest",
                  .summary = "Keep the longest",
                  .inputs = {flow::file(kTitlesFile)},
                  .outputs = {flow::file(kLongestFile)},
                  .options = {flow::reads<LongestOptions>()},
                  .make = flow::make_stage<LongestStage>});
  std::vector<flow::Target> targets(known_targets.begin(), known_targets.end());
  targets.push_back({"longest-titles", "The longest titles", {"longest"}});
  return flow::StageGraph(std::move(rows), std::move(targets));
}

class SecondPathTest : public ::testing::Test {
 protected:
  testing::TemporaryFolder folder;
  flow::StageGraph graph = graph_with_second_path();
  std::vector<std::string> assignments = {"topics.min_evidence=1"};
  StopFlag stop;

  void SetUp() override {
    configure_log(LogLevel::kError, LogFormat::kText);
    write_file_atomically(
        folder / "tiny.xml",
        testing::dump_xml(testing::simple_page(1, "Amber", "A [[Basil Light]].") +
                          testing::simple_page(2, "Basil Light", "Text.") + testing::simple_page(3, "Cress", "Text.")));
  }

  template <class Use>
  auto with_runner(Use use) {
    auto settings = graph.settings();
    for (const auto& assignment : assignments) settings.read_assignment(assignment);
    settings.throw_if_problems();
    flow::RunOptions run;
    run.work = folder / "work";
    run.sources = {{folder / "tiny.xml"}};
    run.progress = ProgressMode::kNever;
    flow::Runner runner(graph, settings, run, storage::Access::kReadWrite);
    return use(runner);
  }
  void build(std::string_view target) {
    with_runner([&](flow::Runner& runner) { runner.run(graph.stages_for(target), stop); });
  }
  std::vector<std::string> to_run(std::string_view target) {
    return with_runner([&](flow::Runner& runner) {
      std::vector<std::string> names;
      for (const auto& plan : runner.plan(graph.stages_for(target))) {
        if (plan.run) names.emplace_back(plan.stage->name);
      }
      return names;
    });
  }
  std::string result() { return read_file(folder / "work" / kLongestFile); }
};

using Names = std::vector<std::string>;

TEST_F(SecondPathTest, NeedsTheSharedCorpusAndNothingOfTheFirstPath) {
  EXPECT_EQ(to_run("longest-titles"), (Names{"ingest", "titles", "longest"}));
  build("longest-titles");
  EXPECT_EQ(result(), "Basil Light\n");
  EXPECT_EQ(to_run("longest-titles"), Names{});
}

TEST_F(SecondPathTest, ItsOptionRunsItsStageAndLeavesTheFirstPathAlone) {
  build("all");
  build("longest-titles");
  assignments.emplace_back("longest.count=2");
  EXPECT_EQ(to_run("longest-titles"), Names{"longest"});
  EXPECT_EQ(to_run("all"), Names{});
  build("longest-titles");
  EXPECT_EQ(result(), "Basil Light\nAmber\n");
  assignments.emplace_back("groups.mode=strict");
  EXPECT_EQ(to_run("longest-titles"), Names{}) << "an option of the first path";
}

TEST_F(SecondPathTest, GoesOnAfterAStop) {
  LongestStage::stop_once = true;
  EXPECT_THROW(build("longest-titles"), Interrupted);
  EXPECT_EQ(to_run("longest-titles"), Names{"longest"});
  build("longest-titles");
  EXPECT_EQ(result(), "Basil Light\n");
}

}  // namespace
}  // namespace touchstone::pipeline
