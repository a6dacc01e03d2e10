#include "pipeline/cluster/stage_resources.hpp"

#include "pipeline/stage_table.hpp"

#include <gtest/gtest.h>

namespace touchstone::pipeline::cluster {
namespace {

TEST(StageResources, WhatTheOptionsLeaveOpenComesFromTheForecast) {
  forecast::Forecast forecast;
  forecast.stages.push_back({"pages", 7200, 3600, 3'000'000'000, 0});
  SlurmOptions options;
  options.merge_memory_mb = 900;
  const auto [task, merge] = stage_resources(options, "pages", 12, &forecast);
  EXPECT_EQ(task.memory_mb, 4200);  // 200 + 3000 x 4/3
  EXPECT_EQ(task.minutes, 40);      // 10 + 3 x 10
  EXPECT_EQ(merge.memory_mb, 900);
  EXPECT_EQ(merge.minutes, 190);  // 10 + 3 x 120 / 2 processors
  const auto other = stage_resources(options, "facets", 12, &forecast);
  EXPECT_EQ(other.task.memory_mb, 2000);
  EXPECT_EQ(other.task.minutes, 60);
}

TEST(StageResources, TheTableOfAStageGoesOverWhatIsSaidForAll) {
  auto settings = stage_graph().settings();
  settings.read_text(
      "[slurm]\nmemory_mb = 500\nminutes = 5\n[[slurm.stages]]\nname = \"pages\"\nmemory_mb = 700\n"
      "[[slurm.stages]]\nname = \"pages\"\nmerge_cpus = 8\n",
      "test");
  settings.throw_if_problems();
  const auto& options = settings.get<SlurmOptions>();
  const auto pages = stage_resources(options, "pages", 1, nullptr);
  EXPECT_EQ(pages.task.memory_mb, 700);
  EXPECT_EQ(pages.task.minutes, 5);
  EXPECT_EQ(pages.merge.cpus, 8);
  EXPECT_EQ(stage_resources(options, "link", 1, nullptr).task.memory_mb, 500);
}

}  // namespace
}  // namespace touchstone::pipeline::cluster
