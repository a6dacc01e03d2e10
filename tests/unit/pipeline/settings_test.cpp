#include "common/error.hpp"
#include "pipeline/stage_table.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>

#include <gtest/gtest.h>

namespace touchstone::pipeline {
namespace {

std::string problems_with(std::initializer_list<const char*> assignments) {
  auto settings = stage_graph().settings();
  for (const auto* assignment : assignments) settings.read_assignment(assignment);
  settings.check();
  try {
    settings.throw_if_problems();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST(ConfigTable, EveryOptionIsDocumentedInASentence) {
  const auto settings = stage_graph().settings();
  std::set<std::string_view> keys;
  for (std::size_t i = 0; i < settings.size(); ++i) {
    const auto& row = settings.row(i);
    EXPECT_TRUE(keys.insert(row.key).second) << row.key << " stands twice";
    EXPECT_TRUE(row.key.find('.') != std::string_view::npos || row.key == "judges") << row.key;
    ASSERT_GE(row.summary.size(), 15U) << row.key;
    EXPECT_TRUE(row.summary.ends_with('.')) << row.key;
    EXPECT_EQ(row.summary.find('\n'), std::string_view::npos) << row.key;
    EXPECT_EQ(row.summary.find('|'), std::string_view::npos) << row.key << ": breaks the table of docs/config.md";
  }
}

TEST(ConfigTable, SectionsStandTogether) {
  const auto settings = stage_graph().settings();
  std::set<std::string> closed;
  std::string section;
  for (std::size_t i = 0; i < settings.size(); ++i) {
    const std::string here(settings.row(i).key.substr(0, settings.row(i).key.find('.')));
    if (here == section) continue;
    EXPECT_TRUE(closed.insert(here).second) << here << " is in two places";
    section = here;
  }
}

TEST(ConfigTable, DefaultsAreValid) {
  EXPECT_EQ(problems_with({}), "");
}

TEST(ConfigTable, EveryDefaultReadsBackAsItself) {
  const auto settings = stage_graph().settings();
  auto other = stage_graph().settings();
  for (std::size_t i = 0; i < settings.size(); ++i)
    other.read_text(std::string(settings.row(i).key) + " = " + settings.value_text(i) + "\n", "defaults");
  EXPECT_NO_THROW(other.throw_if_problems());
  for (std::size_t i = 0; i < settings.size(); ++i)
    EXPECT_EQ(other.value_text(i), settings.value_text(i)) << settings.row(i).key;
}

TEST(ConfigTable, EveryOptionThatAffectsOutputIsInSomeStagesFingerprint) {
  const auto settings = stage_graph().settings();
  for (std::size_t i = 0; i < settings.size(); ++i) {
    if (settings.row(i).effect != OptionEffect::kOutput) continue;
    const auto stages = stage_graph().stages();
    const bool covered = std::any_of(stages.begin(), stages.end(), [&](const flow::StageInfo& stage) {
      return std::any_of(stage.options.begin(), stage.options.end(), [&](const flow::OptionUse& use) {
        return use.part == flow::OptionUse::Part::kWhole && use.group == &settings.group(i);
      });
    });
    EXPECT_TRUE(covered) << settings.row(i).key << " changes output, but no stage runs again when it changes";
  }
}

TEST(ConfigTable, AllBadValuesAreReportedAtOnce) {
  const auto text =
      problems_with({"ingest.slots=0", "groups.mode=loose", "judge.threshold=2", "passages.max_words=many"});
  for (const auto* key : {"ingest.slots", "groups.mode", "judge.threshold", "passages.max_words"}) {
    EXPECT_NE(text.find(key), std::string::npos) << key << " in: " << text;
  }
}

TEST(ConfigTable, AnUnknownKeySuggestsTheNearest) {
  EXPECT_NE(problems_with({"groups.min_member=3"}).find("did you mean \"groups.min_members\"?"), std::string::npos);
}

TEST(ConfigTable, AWikiNameThatBreaksDocidsIsAProblem) {
  EXPECT_NE(problems_with({"wiki.name=my wiki"}).find("part of docids"), std::string::npos);
  EXPECT_NE(problems_with({"wiki.name=a/b"}).find("part of docids"), std::string::npos);
  EXPECT_EQ(problems_with({"wiki.name=my_wiki-2.x"}), "");
}

TEST(ConfigTable, AHeaderThatIsNoRegularExpressionIsAProblem) {
  EXPECT_NE(problems_with({"groups.header=(name"}).find("is no regular expression"), std::string::npos);
  EXPECT_EQ(problems_with({"groups.header=^(name|title)$"}), "");
}

TEST(ConfigTable, TheExampleConfigsAreValidAndTheOneForEvidenceHoldsDefaultsOnly) {
  std::filesystem::current_path(TS_SOURCE_DIR);  // the files name others from there
  for (const auto* name : {"configs/evidence.toml", "configs/dmerit.toml", "configs/miniwiki.toml"}) {
    auto settings = stage_graph().settings();
    settings.read_file(std::string(TS_SOURCE_DIR) + "/" + name);
    settings.check();
    EXPECT_NO_THROW(settings.throw_if_problems()) << name;
  }
  const auto expected = stage_graph().settings();
  auto settings = stage_graph().settings();
  settings.read_file(TS_SOURCE_DIR "/configs/evidence.toml");
  for (std::size_t i = 0; i < settings.size(); ++i)
    EXPECT_EQ(settings.value_text(i), expected.value_text(i)) << settings.row(i).key;
}

}  // namespace
}  // namespace touchstone::pipeline
