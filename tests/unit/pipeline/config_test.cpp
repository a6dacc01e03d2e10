#include "pipeline/config.hpp"

#include "common/error.hpp"
#include "pipeline/stage.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>
#include <string>

#include <gtest/gtest.h>

namespace touchstone::pipeline {
namespace {

std::string problems_with(std::initializer_list<const char*> assignments) {
  Config config;
  auto options = bind_options(config);
  for (const auto* assignment : assignments) options.read_assignment(assignment);
  check_combinations(config, options);
  try {
    options.throw_if_problems();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST(ConfigTable, EveryOptionIsDocumentedInASentence) {
  std::set<std::string_view> keys;
  for (const auto& row : option_rows()) {
    EXPECT_TRUE(keys.insert(row.key).second) << row.key << " stands twice";
    EXPECT_TRUE(row.key.find('.') != std::string_view::npos || row.key == "judges") << row.key;
    ASSERT_GE(row.summary.size(), 15U) << row.key;
    EXPECT_TRUE(row.summary.ends_with('.')) << row.key;
    EXPECT_EQ(row.summary.find('\n'), std::string_view::npos) << row.key;
    EXPECT_EQ(row.summary.find('|'), std::string_view::npos) << row.key << ": breaks the table of docs/config.md";
  }
}

TEST(ConfigTable, DefaultsAreValid) {
  EXPECT_EQ(problems_with({}), "");
}

TEST(ConfigTable, EveryDefaultReadsBackAsItself) {
  Config config, copy;
  const auto options = bind_options(config);
  auto other = bind_options(copy);
  for (std::size_t i = 0; i < options.rows().size(); ++i) {
    other.read_text(std::string(options.rows()[i].key) + " = " + options.value_text(i) + "\n", "defaults");
  }
  EXPECT_NO_THROW(other.throw_if_problems());
  for (std::size_t i = 0; i < options.rows().size(); ++i)
    EXPECT_EQ(other.value_text(i), options.value_text(i)) << options.rows()[i].key;
}

TEST(ConfigTable, TheDefaultOfAChoiceIsOneOfTheChoices) {
  Config config;
  const auto options = bind_options(config);
  for (std::size_t i = 0; i < options.rows().size(); ++i) {
    const auto& row = options.rows()[i];
    if (row.choices.empty()) continue;
    const std::string value = options.value_text(i);
    const std::string choices = "|" + std::string(row.choices) + "|";
    EXPECT_NE(choices.find("|" + value.substr(1, value.size() - 2) + "|"), std::string::npos) << row.key;
  }
}

TEST(ConfigTable, EveryOptionThatAffectsOutputIsInSomeStagesFingerprint) {
  for (const auto& row : option_rows()) {
    if (!row.affects_output) continue;
    const bool covered = std::any_of(stage_table().begin(), stage_table().end(), [&](const StageInfo& stage) {
      return std::any_of(stage.options.begin(), stage.options.end(),
                         [&](std::string_view prefix) { return row.key.starts_with(prefix); });
    });
    EXPECT_TRUE(covered) << row.key << " changes output, but no stage runs again when it changes";
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

TEST(ConfigTable, TheExampleConfigsAreValidAndTheDMeritOneHoldsDefaultsOnly) {
  std::filesystem::current_path(TS_SOURCE_DIR);  // the files name others from there
  for (const auto* name : {"configs/dmerit.toml", "configs/miniwiki.toml"}) {
    Config config;
    auto options = bind_options(config);
    options.read_file(std::string(TS_SOURCE_DIR) + "/" + name);
    check_combinations(config, options);
    EXPECT_NO_THROW(options.throw_if_problems()) << name;
  }
  Config defaults, config;
  const auto expected = bind_options(defaults);
  auto options = bind_options(config);
  options.read_file(TS_SOURCE_DIR "/configs/dmerit.toml");
  for (std::size_t i = 0; i < options.rows().size(); ++i)
    EXPECT_EQ(options.value_text(i), expected.value_text(i)) << options.rows()[i].key;
}

TEST(StageTable, StagesStandBehindWhatTheyNeed) {
  std::set<std::string_view> before;
  for (const auto& stage : stage_table()) {
    for (const auto need : stage.needs) EXPECT_TRUE(before.contains(need)) << stage.name << " needs " << need;
    EXPECT_TRUE(before.insert(stage.name).second);
    EXPECT_EQ(find_stage(stage.name), &stage);
    EXPECT_GE(stage.format_version, 1);
    EXPECT_FALSE(stage.summary.empty());
  }
  EXPECT_EQ(find_stage("nothing"), nullptr);
}

TEST(StageTable, OptionPrefixesNameOptionsThatExist) {
  for (const auto& stage : stage_table()) {
    for (const auto prefix : stage.options) {
      EXPECT_TRUE(std::any_of(option_rows().begin(), option_rows().end(),
                              [&](const OptionRow& row) { return row.key.starts_with(prefix); }))
          << stage.name << ": " << prefix;
    }
  }
}

TEST(StageReport, KeepsTheFirstSamplesAndCountsAll) {
  StageReport report;
  for (int i = 0; i < 5; ++i) report.reject("reason", "sample " + std::to_string(i));
  report.reject("reason", "many", 10);
  EXPECT_EQ(report.rejected.at("reason"), 15U);
  ASSERT_EQ(report.samples.at("reason").size(), kSamplesPerReason);
  EXPECT_EQ(report.samples.at("reason").front(), "sample 0");
}

}  // namespace
}  // namespace touchstone::pipeline
