#include "pipeline/stage_table.hpp"

#include "common/error.hpp"

#include <algorithm>
#include <set>
#include <string>

#include <gtest/gtest.h>

namespace touchstone::pipeline {
namespace {

std::vector<std::string> names(const std::vector<const flow::StageInfo*>& stages) {
  std::vector<std::string> out;
  for (const auto* stage : stages) out.emplace_back(stage->name);
  return out;
}

std::vector<std::string> needs(std::string_view stage) {
  return names(stage_graph().needs(*stage_graph().find(stage)));
}

TEST(StageTable, NeedsFollowFromWhatStagesReadAndWrite) {
  EXPECT_EQ(needs("ingest"), std::vector<std::string>{});
  EXPECT_EQ(needs("link"), std::vector<std::string>{"ingest"});
  EXPECT_EQ(needs("groups"), std::vector<std::string>{"link"});
  EXPECT_EQ(needs("boilerplate"), std::vector<std::string>{"ingest"});
  EXPECT_EQ(needs("passages"), (std::vector<std::string>{"link", "boilerplate"}));
  EXPECT_EQ(needs("candidates"), (std::vector<std::string>{"groups", "passages"}));
  EXPECT_EQ(needs("judge"), std::vector<std::string>{"candidates"});
  EXPECT_EQ(needs("phrase"), std::vector<std::string>{"groups"});
  EXPECT_EQ(needs("export"), (std::vector<std::string>{"judge", "phrase"}));
  EXPECT_EQ(needs("report"), std::vector<std::string>{"export"});
  EXPECT_EQ(needs("pages"), std::vector<std::string>{"link"});
  EXPECT_EQ(needs("paragraphs"), std::vector<std::string>{"pages"});
  EXPECT_EQ(needs("facets"), std::vector<std::string>{"paragraphs"});
  EXPECT_EQ(needs("anchors"), std::vector<std::string>{"facets"});
  EXPECT_EQ(needs("export-automatic"), std::vector<std::string>{"anchors"});
  EXPECT_EQ(needs("report-automatic"), std::vector<std::string>{"export-automatic"});
}

TEST(StageTable, EveryStageIsDescribed) {
  for (const auto& stage : stage_graph().stages()) {
    EXPECT_EQ(stage_graph().find(stage.name), &stage);
    EXPECT_GE(stage.format_version, 1) << stage.name;
    EXPECT_FALSE(stage.summary.empty()) << stage.name;
    EXPECT_FALSE(stage.outputs.empty()) << stage.name;
    EXPECT_NE(stage.make(), nullptr) << stage.name;
  }
  EXPECT_EQ(stage_graph().find("nothing"), nullptr);
}

TEST(StageTable, TheDefaultTargetIsTheEvidenceCollectionWithItsReport) {
  EXPECT_EQ(names(stage_graph().stages_for(default_target())),
            (std::vector<std::string>{"ingest", "link", "groups", "boilerplate", "passages", "candidates", "judge",
                                      "phrase", "export", "report"}));
}

TEST(StageTable, TheAutomaticCollectionNeedsNoJudge) {
  EXPECT_EQ(names(stage_graph().stages_for("automatic")),
            (std::vector<std::string>{"ingest", "link", "pages", "paragraphs", "facets", "anchors", "export-automatic",
                                      "report-automatic"}));
}

TEST(StageTable, AllNeedsEveryStage) {
  EXPECT_EQ(stage_graph().stages_for("all").size(), stage_graph().stages().size());
}

TEST(StageTable, ShorthandsNameOptionsThatExist) {
  const auto settings = stage_graph().settings();
  std::set<std::string_view> keys;
  for (std::size_t i = 0; i < settings.size(); ++i) keys.insert(settings.row(i).key);
  for (const auto& stage : stage_graph().stages()) {
    for (const auto& shorthand : stage.shorthands) EXPECT_TRUE(keys.contains(shorthand.key)) << shorthand.flag;
  }
}

}  // namespace
}  // namespace touchstone::pipeline
