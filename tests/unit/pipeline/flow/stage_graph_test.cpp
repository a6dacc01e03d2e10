#include "pipeline/flow/stage_graph.hpp"

#include "common/error.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::flow {
namespace {

struct Words {
  std::string words = "a";
  std::int64_t speed = 1;

  static std::vector<Option<Words>> options() {
    return {{"words.words", &Words::words, "Words."}, {"words.speed", &Words::speed, OptionEffect::kNone, "Speed."}};
  }
};

StageInfo row(std::string_view name, std::vector<Artifact> inputs, std::vector<Artifact> outputs) {
  return {.name = name, .summary = "A stage.", .inputs = std::move(inputs), .outputs = std::move(outputs)};
}

/// a -> b -> c and a -> d; c reads a as well.
StageGraph forked() {
  return StageGraph(
      {row("a", {sources()}, {file("a"), meta("m")}), row("b", {file("a")}, {file("b")}),
       row("c", {file("b"), meta("m")}, {file("c")}), row("d", {file("a")}, {family(storage::Family::kAlias)})},
      {{"left", "The left path", {"c"}}, {"both", "Both paths", {"c", "d"}}});
}

std::vector<std::string> names(const std::vector<const StageInfo*>& stages) {
  std::vector<std::string> out;
  for (const auto* stage : stages) out.emplace_back(stage->name);
  return out;
}

using Names = std::vector<std::string>;

TEST(StageGraph, NeedsFollowFromArtifactsWithoutThoseThatOthersNeedAnyway) {
  const auto graph = forked();
  EXPECT_EQ(names(graph.needs(*graph.find("a"))), Names{});
  EXPECT_EQ(names(graph.needs(*graph.find("b"))), Names{"a"});
  EXPECT_EQ(names(graph.needs(*graph.find("c"))), Names{"b"});
  EXPECT_EQ(names(graph.needs(*graph.find("d"))), Names{"a"});
}

TEST(StageGraph, ATargetIsTheClosureOverWhatItNeeds) {
  const auto graph = forked();
  EXPECT_EQ(names(graph.stages_for("left")), (Names{"a", "b", "c"}));
  EXPECT_EQ(names(graph.stages_for("d")), (Names{"a", "d"}));
  EXPECT_EQ(names(graph.stages_for("both")), (Names{"a", "b", "c", "d"}));
  EXPECT_EQ(graph.target_names(), (Names{"left", "both", "a", "b", "c", "d"}));
}

TEST(StageGraph, FromLeavesOutTheStagesBeforeIt) {
  const auto graph = forked();
  EXPECT_EQ(names(graph.stages_for("both", "c")), (Names{"c", "d"}));
  EXPECT_THROW(graph.stages_for("d", "c"), ConfigError) << "d does not need c";
  EXPECT_THROW(graph.stages_for("nowhere"), ConfigError);
}

TEST(StageGraph, ABuildWhoseResultsAllNeedMissingTopicsIsRefused) {
  auto topics = row("b", {file("a")}, {file("b")});
  topics.finds_topics = true;
  const StageGraph graph({row("a", {sources()}, {file("a")}), topics, row("c", {file("b")}, {file("c")}),
                          row("d", {file("a")}, {file("d")})},
                         {{"both", "Both paths", {"c", "d"}}});
  StageReport report;
  report.warnings = {"there are no lists"};
  EXPECT_NO_THROW(graph.check_topics(*graph.find("b"), report, graph.stages_for("c"))) << "other settings may help";
  report.no_settings_help = true;
  EXPECT_THROW(graph.check_topics(*graph.find("b"), report, graph.stages_for("c")), ConfigError);
  EXPECT_NO_THROW(graph.check_topics(*graph.find("b"), report, graph.stages_for("both"))) << "d does not need b";
  EXPECT_NO_THROW(graph.check_topics(*graph.find("b"), report, graph.stages_for("b"))) << "b is the result";
}

TEST(StageGraph, TheListingShowsWhatStagesReadAndWrite) {
  const auto text = forked().listing();
  EXPECT_NE(text.find("c           A stage.\n"), std::string::npos) << text;
  EXPECT_NE(text.find("needs b\n"), std::string::npos) << text;
  EXPECT_NE(text.find("writes alias\n"), std::string::npos) << text;
  EXPECT_NE(text.find("left"), std::string::npos) << text;
}

TEST(StageGraph, WhatIsNoGraphIsAProgrammersMistake) {
  EXPECT_DEATH(StageGraph({row("a", {file("x")}, {})}, {}), "no stage before a writes x");
  EXPECT_DEATH(StageGraph({row("a", {file("b")}, {file("a")}), row("b", {}, {file("b")})}, {}),
               "no stage before a writes b");
  EXPECT_DEATH(StageGraph({row("a", {}, {file("x")}), row("b", {}, {file("x")})}, {}), "both write x");
  EXPECT_DEATH(StageGraph({row("a", {}, {}), row("a", {}, {})}, {}), "two stages are called a");
  EXPECT_DEATH(StageGraph({row("a", {}, {})}, {{"t", "A target", {"b"}}}), "names no stage");
  EXPECT_DEATH(StageGraph({row("a", {}, {})}, {{"a", "A target", {"a"}}}), "called like stage a");
}

TEST(StageGraph, AnOptionThatIsInNoFingerprintIsAProgrammersMistake) {
  auto described = row("a", {}, {file("a")});
  described.options = {reads_in_part<Words>()};
  EXPECT_DEATH(StageGraph({described}, {}), "does not say what of the group");
  auto inheriting = row("b", {file("a")}, {});
  inheriting.options = {inherits<Words>()};
  EXPECT_DEATH(StageGraph({row("a", {}, {file("a")}), inheriting}, {}), "no stage before b reads the group");
  auto reader = row("a", {}, {file("a")});
  reader.options = {reads<Words>()};
  const StageGraph graph({reader, inheriting}, {});
  EXPECT_EQ(graph.settings().size(), 3U);  // with run.keep_free_mb, which every graph has
}

}  // namespace
}  // namespace touchstone::pipeline::flow
