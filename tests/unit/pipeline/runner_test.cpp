#include "pipeline/flow/runner.hpp"

#include "common/error.hpp"
#include "common/files.hpp"
#include "common/log.hpp"
#include "pipeline/stage_table.hpp"
#include "tests/support/dump_text.hpp"
#include "tests/support/temporary_folder.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline {
namespace {

using flow::Runner;
using flow::RunOptions;
using flow::StageManifest;
using testing::dump_xml;
using testing::page_xml;
using testing::revision_xml;
using testing::simple_page;

/// A wiki of one list with three lights, and a page that speaks of them.
std::string tiny_pages() {
  return simple_page(
             1, "List of lights",
             "{| class=\"wikitable\"\n! Name !! Built\n|-\n| [[Amber Light]] || 1900\n|-\n| [[Basil Light]] || 1901\n"
             "|-\n| [[Cress]] || 1902\n|}") +
         simple_page(2, "Amber Light", "'''Amber Light''' is a light. So is [[Basil Light]].") +
         simple_page(3, "Basil Light", "'''Basil Light''' is a light near [[Cress|the third]].") +
         simple_page(4, "Cress Light", "'''Cress Light''' is a light.") +
         simple_page(5, "Cress", "#REDIRECT [[Cress Light]]", "Cress Light") +
         simple_page(6, "Coast", "The lights of the coast are [[Amber Light]], [[Basil Light]] and [[Cress]].");
}

class RunnerTest : public ::testing::Test {
 protected:
  testing::TemporaryFolder folder;
  std::filesystem::path dump = folder / "tiny.xml";
  std::vector<std::filesystem::path> dumps = {dump};
  std::vector<std::string> assignments = {"topics.min_evidence=0", "topics.max_unsure=1"};
  bool force = false;
  StopFlag stop;

  void SetUp() override {
    configure_log(LogLevel::kError, LogFormat::kText);
    write_file_atomically(dump, dump_xml(tiny_pages()));
  }

  template <class Use>
  auto with_runner(Use use) {
    auto settings = stage_graph().settings();
    for (const auto& assignment : assignments) settings.read_assignment(assignment);
    settings.throw_if_problems();
    RunOptions run;
    run.work = folder / "work";
    for (const auto& file : dumps) run.sources.push_back({file});
    run.threads = 2;
    run.progress = ProgressMode::kNever;
    run.force = force;
    Runner runner(stage_graph(), settings, run, storage::Access::kReadWrite);
    return use(runner);
  }
  /// Runs what a target needs; with `from`, only from that stage on.
  void build(std::string_view target = default_target(), std::string_view from = {}) {
    with_runner([&](Runner& runner) { runner.run(stage_graph().stages_for(target, from), stop); });
  }
  /// Stage -> why it runs; stages that would not run are left out.
  std::map<std::string, std::string> plan(std::string_view target = default_target(), std::string_view from = {}) {
    return with_runner([&](Runner& runner) {
      std::map<std::string, std::string> why;
      for (const auto& stage : runner.plan(stage_graph().stages_for(target, from))) {
        if (stage.run) why[std::string(stage.stage->name)] = stage.why;
      }
      return why;
    });
  }
  std::vector<std::string> names(const std::map<std::string, std::string>& why) {
    std::vector<std::string> out;
    for (const auto& [name, reason] : why) out.push_back(name);
    return out;
  }
  StageManifest manifest(std::string_view stage) {
    return with_runner([&](Runner& runner) { return runner.manifest(stage); });
  }
  std::filesystem::path result(const std::string& name) { return folder / ("work/" + name); }
};

TEST_F(RunnerTest, NothingWasEverRunInANewWorkDirectory) {
  const auto why = plan();
  EXPECT_EQ(why.size(), stage_graph().stages_for(default_target()).size());
  EXPECT_EQ(why.at("ingest"), "never run");
}

TEST_F(RunnerTest, AllStagesRunOnceAndAreDone) {
  build();
  EXPECT_TRUE(std::filesystem::exists(result("report.html")));
  EXPECT_TRUE(std::filesystem::exists(result("collection/qrels.txt")));
  EXPECT_TRUE(plan().empty());
  const auto ingest = manifest("ingest");
  EXPECT_EQ(ingest.state, StageManifest::State::kDone);
  EXPECT_EQ(ingest.report.counts.at("pages"), 6U);
  EXPECT_EQ(ingest.report.counts.at("redirects"), 1U);
  EXPECT_EQ(manifest("export").report.counts.at("topics"), 1U);
  EXPECT_EQ(manifest("export").report.counts.at("members"), 3U);
}

TEST_F(RunnerTest, AChangedOptionRunsItsStageAndAllBehindIt) {
  build();
  assignments.push_back("judge.threshold=0.4");
  EXPECT_EQ(names(plan()), (std::vector<std::string>{"export", "judge", "report"}));
  assignments.back() = "groups.mode=strict";
  EXPECT_EQ(names(plan()), (std::vector<std::string>{"candidates", "export", "groups", "judge", "phrase", "report"}));
  assignments.back() = "topics.min_evidence=2";
  EXPECT_EQ(names(plan()), (std::vector<std::string>{"export", "report"}));
  assignments.back() = "ingest.templates=drop";
  EXPECT_EQ(plan().size(), stage_graph().stages_for(default_target()).size());
}

TEST_F(RunnerTest, SpeedAndMemoryOptionsRunNothingAgain) {
  build();
  assignments.insert(assignments.end(),
                     {"ingest.slots=2", "ingest.batch_bytes=4096", "link.sort_memory_bytes=1048576"});
  EXPECT_TRUE(plan().empty());
}

TEST_F(RunnerTest, AMissingOrCutOutputFileRunsItsStageAgain) {
  build();
  std::filesystem::remove(result("stages/queries.records"));
  auto why = plan();
  EXPECT_EQ(names(why), (std::vector<std::string>{"export", "phrase", "report"}));
  EXPECT_EQ(why.at("phrase"), "stages/queries.records is missing or changed");
  EXPECT_EQ(why.at("export"), "stage phrase runs before it");
  build();
  EXPECT_TRUE(plan().empty());
  std::filesystem::resize_file(result("report.html"), 10);
  EXPECT_EQ(plan().at("report"), "report.html is missing or changed");
}

TEST_F(RunnerTest, AStageThatWasStoppedGoesOn) {
  build("candidates");
  stop.request();
  EXPECT_THROW(build(), Interrupted);
  // The flag stops the run before judge starts; its record is as before.
  EXPECT_EQ(plan().at("judge"), "never run");
}

TEST_F(RunnerTest, ASingleStageSaysWhatItNeeds) {
  try {
    plan("groups", "groups");
    FAIL() << "groups ran without a store";
  } catch (const ConfigError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("groups needs stage ingest"), std::string::npos) << text;
    EXPECT_NE(text.find("touchstone ingest"), std::string::npos) << text;
  }
  build("link");
  dumps.clear();  // later stages do not need to be told again
  for (const char* stage : {"groups", "boilerplate", "passages"}) build(stage, stage);
  EXPECT_EQ(names(plan("candidates")), std::vector<std::string>{"candidates"});
}

TEST_F(RunnerTest, ForceRunsTheChosenStagesAgain) {
  build();
  force = true;
  const auto why = plan("phrase", "phrase");
  EXPECT_EQ(names(why), std::vector<std::string>{"phrase"});
  EXPECT_EQ(why.at("phrase"), "--force");
}

TEST_F(RunnerTest, ATouchedDumpIsRecognisedAndAChangedOneIsNot) {
  build();
  std::filesystem::last_write_time(dump, std::filesystem::last_write_time(dump) + std::chrono::hours(1));
  EXPECT_TRUE(plan().empty());
  auto text = read_file(dump);
  text.replace(text.find("1900"), 4, "1899");
  write_file_atomically(dump, text);
  EXPECT_EQ(plan().size(), stage_graph().stages_for(default_target()).size());
}

TEST_F(RunnerTest, IngestWithoutADumpSaysSo) {
  dumps.clear();
  EXPECT_THROW(build(), ConfigError);
}

TEST_F(RunnerTest, TwoRunsGiveTheSameCollection) {
  build();
  std::map<std::string, std::string> first;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(result("collection"))) {
    if (entry.is_regular_file()) first[entry.path().filename()] = read_file(entry.path());
  }
  force = true;
  build();
  for (const auto& entry : std::filesystem::recursive_directory_iterator(result("collection"))) {
    if (!entry.is_regular_file()) continue;
    EXPECT_EQ(read_file(entry.path()), first.at(entry.path().filename())) << entry.path();
  }
}

TEST_F(RunnerTest, OlderCopiesOfPagesInASecondFileChangeNothingAndFailNothing) {
  build();
  const auto evidence_without = manifest("export").report.counts.at("evidence");
  const auto older = folder / "older.xml";
  write_file_atomically(older, dump_xml(page_xml(2, "Amber Light", revision_xml(1, "An old text.")) +
                                        page_xml(3, "Basil Light", revision_xml(1, "An old text.")) +
                                        page_xml(4, "Cress Light", revision_xml(1, "An old text."))));
  dumps = {dump, older};
  build();
  EXPECT_EQ(manifest("ingest").report.rejected.at("older copy of a page that is there already"), 3U);
  EXPECT_EQ(manifest("export").report.counts.at("members"), 3U);
  EXPECT_EQ(manifest("export").report.counts.at("evidence"), evidence_without);
}

TEST_F(RunnerTest, ADumpThatIsNamedTwiceCountsAsOnce) {
  build();
  const auto once = manifest("ingest").report.counts;
  const auto again = folder / "again.xml";
  std::filesystem::copy_file(dump, again);
  dumps = {dump, again};
  build();
  auto twice = manifest("ingest").report.counts;
  EXPECT_EQ(twice.at("replaced by a newer revision"), once.at("pages"));
  for (const auto* name : {"pages", "articles namespace", "text bytes", "paragraphs", "tables", "links"})
    EXPECT_EQ(twice.at(name), once.at(name)) << name;
}

TEST_F(RunnerTest, ANewerCopyOfAPageInASecondFileReplacesIt) {
  const auto newer = folder / "newer.xml";
  write_file_atomically(
      newer, dump_xml(page_xml(2, "Amber Light (north)", revision_xml(999'999, "Renamed and new. [[Cress Light]]"))));
  dumps = {dump, newer};
  // "Amber Light" is gone: two of three cells still lead to an article, and two members are too few.
  EXPECT_THROW(build(), ConfigError);
  EXPECT_EQ(manifest("ingest").report.counts.at("replaced by a newer revision"), 1U);
  EXPECT_EQ(manifest("groups").report.counts.at("columns"), 1U);
  EXPECT_EQ(manifest("groups").report.topics, 0U);
}

TEST_F(RunnerTest, DumpsOfTwoWikisDoNotMix) {
  const auto other = folder / "other.xml";
  write_file_atomically(other, dump_xml(simple_page(9, "Alien", "text"), "otherwiki"));
  dumps = {dump, other};
  try {
    build();
    FAIL() << "mixed two wikis";
  } catch (const FormatError& error) {
    EXPECT_NE(std::string(error.what()).find("otherwiki"), std::string::npos) << error.what();
  }
}

TEST_F(RunnerTest, ATargetRunsOnlyWhatItNeeds) {
  EXPECT_EQ(names(plan("phrase")), (std::vector<std::string>{"groups", "ingest", "link", "phrase"}));
  build("evidence");
  EXPECT_TRUE(std::filesystem::exists(result("collection/qrels.txt")));
  EXPECT_FALSE(std::filesystem::exists(result("report.html")));
  EXPECT_EQ(names(plan()), std::vector<std::string>{"report"});
}

TEST_F(RunnerTest, TheStoredConfigIsThatOfTheLastRun) {
  EXPECT_EQ(Runner::stored_config(folder / "work"), "");
  assignments.push_back("groups.min_members=2");
  build("ingest");
  EXPECT_NE(Runner::stored_config(folder / "work").find("groups.min_members = 2\n"), std::string::npos);
}

}  // namespace
}  // namespace touchstone::pipeline
