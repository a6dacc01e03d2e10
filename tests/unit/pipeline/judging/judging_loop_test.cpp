#include "pipeline/judging/judging_loop.hpp"

#include "collection/evidence/collection_lines.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/json_tree.hpp"
#include "common/log.hpp"
#include "common/secrets.hpp"
#include "pipeline/flow/runner.hpp"
#include "pipeline/flow/work_files.hpp"
#include "pipeline/judging/lexical/lexical_judge.hpp"
#include "pipeline/judging/stage/judge_stage.hpp"
#include "pipeline/judging/stage/panel_config.hpp"
#include "pipeline/stage_table.hpp"
#include "tests/support/dump_text.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/unit/pipeline/judging/scripted_judge.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace touchstone::pipeline::judging {
namespace {

using Json = nlohmann::ordered_json;

/// A wiki with one list of three lights, as far as its candidates; then judges of the test's own.
class JudgingLoopTest : public ::testing::Test {
 protected:
  void SetUp() override {
    configure_log(LogLevel::kError, LogFormat::kText);
    write_file_atomically(
        folder / "tiny.xml",
        testing::dump_xml(
            testing::simple_page(
                1, "List of lights",
                "{| class=\"wikitable\"\n! Name\n|-\n| [[Amber]]\n|-\n| [[Basil]]\n|-\n| [[Cress]]\n|}") +
            testing::simple_page(2, "Amber", "'''Amber''' is a light. So is [[Basil]].") +
            testing::simple_page(3, "Basil", "'''Basil''' is a light near [[Cress]].") +
            testing::simple_page(4, "Cress", "'''Cress''' is a light.") +
            testing::simple_page(5, "Coast", "The lights of the coast are [[Amber]], [[Basil]] and [[Cress]].") +
            testing::simple_page(6, "Dale", "A farm with two barns.") +
            testing::simple_page(7, "Elm", "This tree grows slowly.") +
            testing::simple_page(8, "Ford", "Carts cross the river here.") +
            testing::simple_page(9, "Gull", "It eats fish and bread.") +
            testing::simple_page(10, "Hill", "Sheep graze on both slopes.")));
    settings.read_assignment("passages.min_words=0");  // the texts of this wiki are short
    flow::RunOptions run;
    run.work = folder / "work";
    run.sources.push_back({folder / "tiny.xml"});
    run.threads = 2;
    run.progress = ProgressMode::kNever;
    flow::Runner(stage_graph(), settings, run, storage::Access::kReadWrite)
        .run(stage_graph().stages_for("candidates", {}), stop);
    store = storage::Store::open(paths.store(), storage::Access::kReadWrite);
    log.emplace(paths.file(kReplyLogFile), JudgmentLog::Access::kAppend);
  }

  ScriptedJudge& add(const std::string& id, ScriptedJudge::Script script) {
    auto judge = std::make_unique<ScriptedJudge>(id, *log, std::move(script));
    auto& added = *judge;
    judges.push_back(std::move(judge));
    return added;
  }

  /// Judges with the judges that the options name.
  void use_panel(const stage::JudgeOptions& common, const stage::PanelOptions& tables) {
    panel.emplace(
        stage::make_panel(common, tables, {{*log, budget, stop, panel_progress}, {}, paths.root / "batches"}));
  }

  /// Judges with the judges that were added; they stay, for the test to look at.
  flow::StageReport judge(bool again = false) {
    if (!panel) panel.emplace(std::move(judges), rules);
    ProgressCounters progress;
    flow::RunObjects objects;
    const auto row = stage::judge_stage();
    flow::WriteContext context(row, {.settings = settings,
                                     .paths = paths,
                                     .store = *store,
                                     .stop = stop,
                                     .progress = progress,
                                     .objects = objects,
                                     .threads = 2,
                                     .ask_again = again});
    return judge_all(context, *panel, *log);
  }

  std::vector<Json> lines(std::string_view name) {
    std::vector<Json> all;
    if (name == kJudgmentsFile) {
      evidence::JudgmentFile::for_each(paths.file(name), [&](const auto& judgment) {
        all.push_back(parse_json(judgment_line(judgment, collection::evidence::ProbabilityDigits::kAll)));
      });
      return all;
    }
    for_each_line(paths.file(name), [&](std::string_view line, std::uint64_t) {
      all.push_back(parse_json(line));
      return true;
    });
    return all;
  }
  Json summary() { return parse_json(read_file(paths.file(kSummaryFile))); }

  testing::TemporaryFolder folder;
  flow::WorkPaths paths{folder / "work"};
  Settings settings = stage_graph().settings();
  StopFlag stop;
  std::unique_ptr<storage::Store> store;
  std::optional<JudgmentLog> log;
  PanelRules rules;
  llm_client::Budget budget{{}};
  ProgressCounters panel_progress;
  std::vector<std::unique_ptr<Judge>> judges;
  std::optional<JudgePanel> panel;
};

constexpr std::size_t kQuestions = 8;  // three own articles, and five links to members from other pages

TEST_F(JudgingLoopTest, AJudgeOfOnesOwnIsAskedAndItsAnswersAreTheJudgments) {
  auto& people = add("people", [](const std::string& digest) -> std::optional<std::string> {
    return digest.find("Coast") == std::string::npos ? "1" : "0";
  });
  const auto report = judge();
  EXPECT_EQ(people.opened, 1);
  const auto judgments = lines(kJudgmentsFile);
  ASSERT_EQ(judgments.size(), kQuestions);
  EXPECT_EQ(report.counts.at("judgments"), kQuestions);
  EXPECT_EQ(report.counts.at("judged no evidence"), 3U);
  for (const auto& judgment : judgments) EXPECT_EQ(judgment.at("judge"), "people");
  EXPECT_TRUE(std::is_sorted(judgments.begin(), judgments.end(), [](const Json& a, const Json& b) {
    return std::pair(a["member_page_id"].get<int>(), a["docid"].get<std::string>()) <
           std::pair(b["member_page_id"].get<int>(), b["docid"].get<std::string>());
  }));
  EXPECT_TRUE(lines(kUnjudgedFile).empty());
  EXPECT_EQ(summary().at("judges").at(0).at("asked"), true);
  EXPECT_EQ(summary().at("grades"), (Json{{"0", 3}, {"1", 5}}));
}

TEST_F(JudgingLoopTest, AQuestionThatIsNotAnsweredYetEndsTheRunAndTheNextGoesOn) {
  bool answers = false;
  auto& people = add("people", [&](const std::string& digest) -> std::optional<std::string> {
    if (!answers && digest.find("Basil") != std::string::npos) return std::nullopt;
    return "1";
  });
  EXPECT_THROW(judge(), Interrupted);
  EXPECT_FALSE(std::filesystem::exists(paths.file(kJudgmentsFile)));
  answers = true;
  judge();
  EXPECT_EQ(lines(kJudgmentsFile).size(), kQuestions);
  EXPECT_EQ(people.opened, 2) << "once a run";
}

TEST_F(JudgingLoopTest, AnsweredQuestionsAreNotAskedAgain) {
  std::size_t asked = 0;
  add("people", [&](const std::string&) -> std::optional<std::string> {
    ++asked;
    return "1";
  });
  judge();
  const auto written = read_file(paths.file(kJudgmentsFile));
  EXPECT_EQ(asked, kQuestions);
  judge();
  EXPECT_EQ(asked, kQuestions);
  EXPECT_EQ(read_file(paths.file(kJudgmentsFile)), written);
}

TEST_F(JudgingLoopTest, WhatHasNoGradeIsListedAndAskedAgainOnDemandOnly) {
  std::size_t asked = 0;
  add("people", [&](const std::string& digest) -> std::optional<std::string> {
    ++asked;
    return digest.find("Coast") != std::string::npos && !digest.ends_with("/again") ? "who knows" : "1";
  });
  const auto report = judge();
  EXPECT_EQ(report.rejected.at("not judged: unparseable"), 3U);
  ASSERT_EQ(lines(kUnjudgedFile).size(), 3U);
  EXPECT_EQ(lines(kUnjudgedFile)[0].at("reply"), "who knows");
  judge();
  EXPECT_EQ(asked, kQuestions);
  judge(true);
  EXPECT_EQ(asked, kQuestions + 3);
}

TEST_F(JudgingLoopTest, OpeningAJudgeThatChangesItsRequestsHasThemReadAgain) {
  auto& people = add("people", [](const std::string&) { return "1"; });
  people.opening_changes_reads = true;
  judge();
  EXPECT_EQ(lines(kJudgmentsFile).size(), kQuestions);
}

TEST_F(JudgingLoopTest, TheEmbeddedJudgeTakesOnePassAndAsksNobody) {
  use_panel({}, {});
  judge();
  EXPECT_EQ(lines(kJudgmentsFile).size(), kQuestions);
  EXPECT_EQ(summary().at("judges").at(0).at("judge"), "lexical");
  EXPECT_EQ(summary().at("judges").at(0).at("asked"), false);
  EXPECT_EQ(summary().at("judges").at(0).at("replies"), kQuestions);
}

TEST_F(JudgingLoopTest, ATableOfJudgesGivesTheEmbeddedJudgeItsThreshold) {
  settings.read_text("[judge]\nthreshold = 1.0\n[[judges]]\nthreshold = 0.0\n", "test");
  settings.throw_if_problems();
  use_panel(settings.get<stage::JudgeOptions>(), settings.get<stage::PanelOptions>());
  judge();
  for (const auto& judgment : lines(kJudgmentsFile)) EXPECT_NE(judgment.at("grade"), 0);
}

TEST_F(JudgingLoopTest, WhatTheJudgeCannotTellIsListedAndIsNoError) {
  use_panel(settings.get<stage::JudgeOptions>(), settings.get<stage::PanelOptions>());
  const auto report = judge();
  const auto unsure = report.counts.at("unsure");
  EXPECT_GT(unsure, 0U);
  EXPECT_TRUE(report.rejected.empty());
  const auto listed = lines(kUnjudgedFile);
  EXPECT_EQ(listed.size(), unsure);
  for (const auto& judgment : listed) {
    EXPECT_EQ(judgment.at("state"), "unsure");
    EXPECT_FALSE(judgment.at("probability").is_null());
  }
}

TEST_F(JudgingLoopTest, JudgesOfDifferentKindsVote) {
  for (const auto* id : {"anna", "bert"}) add(id, [](const std::string&) { return "0"; });
  judges.push_back(std::make_unique<lexical::LexicalJudge>(lexical::LexicalSettings{0.0, {}},
                                                           stage::describe_panel({}, {}).judges.at(0), *log));
  judge();
  for (const auto& judgment : lines(kJudgmentsFile)) {
    EXPECT_EQ(judgment.at("judge"), "majority of anna, bert, lexical");
    EXPECT_EQ(judgment.at("votes").size(), 3U);
    EXPECT_EQ(judgment.at("grade"), 0);
  }
}

TEST_F(JudgingLoopTest, ASecretInTheNameOfAJudgeIsHiddenInItsVotesToo) {
  const std::string secret = "a-secret-of-the-loop-test";
  keep_secret(secret);
  for (const auto& id : {"anna " + secret, std::string("bert")}) add(id, [](const std::string&) { return "0"; });
  judge();
  const auto judgments = lines(kJudgmentsFile);
  ASSERT_EQ(judgments.size(), kQuestions);
  for (const auto& judgment : judgments) {
    EXPECT_EQ(judgment.at("judge"), "majority of anna ***, bert");
    EXPECT_EQ(judgment.at("votes").at(0).at("judge"), "anna ***");
    EXPECT_EQ(judgment.at("votes").at(1).at("judge"), "bert");
  }
}

}  // namespace
}  // namespace touchstone::pipeline::judging
