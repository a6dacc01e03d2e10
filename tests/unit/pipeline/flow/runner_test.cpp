#include "pipeline/flow/runner.hpp"

#include "common/error.hpp"
#include "common/files.hpp"
#include "common/log.hpp"
#include "pipeline/flow/stage_files.hpp"
#include "storage/keys.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/older_store.hpp"
#include "tests/support/temporary_folder.hpp"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::flow {
namespace {

using storage::Family;

/// Words to write.
struct WordOptions {
  std::string word = "one";

  static std::vector<Option<WordOptions>> options() {
    return {{"word.word", &WordOptions::word, "The word to write."}};
  }
};

/// Not read by any stage here.
struct OtherOptions {
  bool flag = false;

  static std::vector<Option<OtherOptions>> options() { return {{"other.flag", &OtherOptions::flag, "A flag."}}; }
};

/// A stage whose work a test gives.
class TestStage : public Stage {
 public:
  using Work = std::function<void(WriteContext&)>;
  explicit TestStage(Work work) : work_(std::move(work)) {}
  StageReport merge(WriteContext& context, const flow::Parts& /*parts*/) override {
    work_(context);
    StageReport report;
    report.counts["runs"] = 1;
    return report;
  }

 private:
  Work work_;
};

void put(WriteContext& context, Family family, std::string_view key, std::string_view value) {
  storage::Batch batch;
  batch.put(family, key, value);
  context.store.write(batch, storage::Durability::kProcess);
}

/// A path of two stages: `write` puts its option's word into a family and a file, `copy` makes a file of both.
class FlowRunnerTest : public ::testing::Test {
 protected:
  testing::TemporaryFolder folder;
  std::vector<std::string> assignments, ran;
  bool stop_in_copy = false;
  std::optional<bool> with_extra;
  StopFlag stop;
  TestStage::Work more = [](WriteContext&) {};  // of `copy`, at its end

  void SetUp() override { configure_log(LogLevel::kError, LogFormat::kText); }

  StageInfo write_row() {
    return {.name = "write",
            .summary = "Writes a word.",
            .outputs = {family(Family::kAlias), file("stages/word"), optional_file("stages/extra")},
            .options = {reads<WordOptions>()},
            .make = [this] {
              return std::make_unique<TestStage>([this](WriteContext& context) {
                ran.emplace_back("write");
                const auto& word = context.options<WordOptions>().word;
                put(context, Family::kAlias, "word", word);
                write_file_atomically(context.output("stages/word"), word);
                if (with_extra.value_or(false)) write_file_atomically(context.output("stages/extra"), "extra");
              });
            }};
  }
  StageInfo copy_row() {
    return {.name = "copy",
            .summary = "Copies it.",
            .inputs = {file("stages/word"), file("stages/extra"), family(Family::kAlias)},
            .outputs = {file("result")},
            .keeps = {family(Family::kJudgment)},
            .make = [this] {
              return std::make_unique<TestStage>([this](WriteContext& context) {
                ran.emplace_back("copy");
                std::string word;
                EXPECT_TRUE(context.store.get(Family::kAlias, "word", word));
                put(context, Family::kJudgment, word, "kept");
                if (stop_in_copy) throw Interrupted("stopped");
                write_file_atomically(context.output("result"), read_file(context.input("stages/word")) + word);
                more(context);
              });
            }};
  }

  /// A stage that a later version of the program adds, with a family of its own.
  StageInfo added_row() {
    return {.name = "added",
            .summary = "Fills a new family.",
            .inputs = {family(Family::kAlias)},
            .outputs = {family(Family::kTemplate)},
            .make = [this] {
              return std::make_unique<TestStage>([this](WriteContext& context) {
                ran.emplace_back("added");
                std::string word;
                context.store.get(Family::kAlias, "word", word);
                put(context, Family::kTemplate, word, "new");
              });
            }};
  }

  /// Runs what `target` needs; returns the stages that ran.
  std::vector<std::string> build(std::string_view target = "copy") {
    std::vector<StageInfo> rows = {write_row(), copy_row()};
    if (target == "added") rows.push_back(added_row());
    const StageGraph graph(std::move(rows), {}, {&option_group<OtherOptions>()});
    auto settings = graph.settings();
    for (const auto& assignment : assignments) settings.read_assignment(assignment);
    settings.throw_if_problems();
    RunOptions run;
    run.work = folder / "work";
    run.progress = ProgressMode::kNever;
    Runner runner(graph, settings, run, storage::Access::kReadWrite);
    ran.clear();
    runner.run(graph.stages_for(target), stop);
    return ran;
  }
  std::string result() { return read_file(folder / "work/result"); }
};

using Names = std::vector<std::string>;

TEST_F(FlowRunnerTest, StagesRunOnceAndAgainWhenTheirOptionsChange) {
  EXPECT_EQ(build(), (Names{"write", "copy"}));
  EXPECT_EQ(result(), "oneone");
  EXPECT_EQ(build(), Names{});
  assignments = {"word.word=two"};
  EXPECT_EQ(build(), (Names{"write", "copy"}));
  EXPECT_EQ(result(), "twotwo");
}

TEST_F(FlowRunnerTest, AnOptionThatNoStageReadsRunsNothing) {
  build();
  assignments = {"other.flag=true"};
  EXPECT_EQ(build(), Names{});
}

TEST_F(FlowRunnerTest, AStageThatWasStoppedRunsAgainAlone) {
  stop_in_copy = true;
  EXPECT_THROW(build(), Interrupted);
  stop_in_copy = false;
  EXPECT_EQ(build(), Names{"copy"});
  EXPECT_EQ(result(), "oneone");
}

TEST_F(FlowRunnerTest, AnOptionalFileThatIsLostIsMadeAgain) {
  build();
  EXPECT_EQ(build(), Names{}) << "it was never there";
  with_extra = true;
  assignments = {"word.word=two"};
  build();
  std::filesystem::remove(folder / "work/stages/extra");
  EXPECT_EQ(build(), (Names{"write", "copy"})) << "what reads it must not silently do without";
  EXPECT_TRUE(std::filesystem::exists(folder / "work/stages/extra"));
}

TEST_F(FlowRunnerTest, AnEditedFileOfTheSameSizeIsRefused) {
  build();
  write_file_atomically(folder / "work/stages/word", "eno");
  assignments = {};
  std::filesystem::remove(folder / "work/result");  // so that `copy` runs
  const auto said = testing::message_of<StorageError>([&] { build(); });
  EXPECT_NE(said.find("stages/word is not as stage write wrote it"), std::string::npos) << said;
  EXPECT_NE(said.find("touchstone write --work "), std::string::npos) << said;
  EXPECT_NE(said.find("--force"), std::string::npos) << said;
  EXPECT_EQ(ran, Names{});
  EXPECT_FALSE(std::filesystem::exists(folder / "work/result"));
  write_file_atomically(folder / "work/stages/word", "one");
  EXPECT_EQ(build(), Names{"copy"}) << "the file is as it was";
}

TEST_F(FlowRunnerTest, FilesOfAnOlderRecordAreComparedWithItsOneDigest) {
  build();
  {
    const auto store = storage::Store::open(folder / "work/store", storage::Access::kReadWrite);
    for (const char* stage : {"stage/write", "stage/copy"}) {
      std::string record;
      ASSERT_TRUE(store->get(Family::kMeta, stage, record));
      auto manifest = decode_manifest(record);
      EXPECT_FALSE(manifest.file_digests.empty());
      manifest.file_digests.clear();
      auto text = encode_manifest(manifest);
      text.erase(text.find("\"file_digests\":"), std::string_view("\"file_digests\":{},").size());
      storage::Batch batch;
      batch.put(Family::kMeta, stage, text);
      store->write(batch, storage::Durability::kProcess);
    }
  }
  EXPECT_EQ(build(), Names{}) << "older work directories open";
  std::filesystem::remove(folder / "work/result");
  write_file_atomically(folder / "work/stages/word", "eno");
  EXPECT_THROW(build(), StorageError);
  write_file_atomically(folder / "work/stages/word", "one");
  EXPECT_EQ(build(), Names{"copy"});
}

TEST_F(FlowRunnerTest, OtherReadersOfAStageFileCompareItToo) {
  build();
  const auto store = storage::Store::open(folder / "work/store", storage::Access::kReadOnly);
  const WorkPaths paths{folder / "work"};
  EXPECT_EQ(checked_file(*store, paths, "stages/word"), folder / "work/stages/word");
  EXPECT_EQ(checked_file(*store, paths, "stages/none"), folder / "work/stages/none") << "nothing is known of it";
  write_file_atomically(folder / "work/stages/word", "eno");
  EXPECT_THROW(checked_file(*store, paths, "stages/word"), StorageError);
  std::filesystem::remove(folder / "work/stages/word");
  EXPECT_EQ(checked_file(*store, paths, "stages/word"), folder / "work/stages/word")
      << "the reader says what is missing";
}

TEST_F(FlowRunnerTest, WhatAStageKeepsOutlivesItsRuns) {
  build();
  assignments = {"word.word=two"};
  build();
  const auto store = storage::Store::open(folder / "work/store", storage::Access::kReadOnly);
  std::string value;
  EXPECT_TRUE(store->get(Family::kJudgment, "one", value));
  EXPECT_TRUE(store->get(Family::kJudgment, "two", value));
}

TEST_F(FlowRunnerTest, InAStoreOfAnOlderVersionOnlyTheNewStageRuns) {
  build();
  testing::drop_family(folder / "work/store", "template");
  EXPECT_EQ(build("added"), Names{"added"});
  EXPECT_EQ(build("added"), Names{});
  EXPECT_EQ(build(), Names{});
  const auto store = storage::Store::open(folder / "work/store", storage::Access::kReadOnly);
  std::string value;
  EXPECT_TRUE(store->get(Family::kTemplate, "one", value));
}

TEST_F(FlowRunnerTest, ObjectsOfTheRunAreMadeOnce) {
  int made = 0;
  more = [&](WriteContext& context) {
    const auto make = [&] {
      ++made;
      return std::make_shared<std::string>("shared");
    };
    EXPECT_EQ(&context.objects().get<std::string>(make), &context.objects().get<std::string>(make));
  };
  build();
  EXPECT_EQ(made, 1);
}

TEST_F(FlowRunnerTest, ProvenanceTellsOfTheStagesBefore) {
  more = [](WriteContext& context) {
    const auto& provenance = context.provenance();
    ASSERT_EQ(provenance.stages.size(), 1U);
    EXPECT_EQ(provenance.stages[0].stage, "write");
    EXPECT_EQ(provenance.stages[0].report.counts.at("runs"), 1U);
    ASSERT_EQ(provenance.options.size(), 1U) << "options of other paths are left out";
    EXPECT_EQ(provenance.options[0].key, "word.word");
    EXPECT_EQ(provenance.options[0].text, "\"one\"");
  };
  build();
}

class UndeclaredUseTest : public FlowRunnerTest {
 protected:
  void expect_death(const TestStage::Work& work, const char* message) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");  // the store has threads
    build();
    std::filesystem::remove(folder / "work/result");
    more = work;
    EXPECT_DEATH(build(), message);
  }
};

TEST_F(UndeclaredUseTest, Options) {
  expect_death([](WriteContext& context) { static_cast<void>(context.options<WordOptions>()); },
               "stage copy reads the option group with word.word");
}
TEST_F(UndeclaredUseTest, InputFile) {
  expect_death([](WriteContext& context) { static_cast<void>(context.input("stages/judging.json")); },
               "stage copy reads stages/judging.json");
}
TEST_F(UndeclaredUseTest, OutputFile) {
  expect_death([](WriteContext& context) { static_cast<void>(context.output("stages/word")); },
               "stage copy writes stages/word");
}
TEST_F(UndeclaredUseTest, KeptFolder) {
  expect_death([](WriteContext& context) { static_cast<void>(context.kept("batches")); }, "stage copy keeps batches");
}
TEST_F(UndeclaredUseTest, Sources) {
  expect_death([](WriteContext& context) { static_cast<void>(context.sources()); }, "stage copy reads the sources");
}
TEST_F(UndeclaredUseTest, FamilyReadByKey) {
  expect_death(
      [](WriteContext& context) {
        std::string value;
        context.store.get(Family::kPage, "x", value);
      },
      "stage copy reads family page");
}
TEST_F(UndeclaredUseTest, FamilyReadByCursor) {
  expect_death([](WriteContext& context) { static_cast<void>(context.store.cursor(Family::kTitle)); },
               "stage copy reads family title");
}
TEST_F(UndeclaredUseTest, FamilyWritten) {
  expect_death([](WriteContext& context) { put(context, Family::kAlias, "x", "y"); }, "stage copy writes family alias");
}
TEST_F(UndeclaredUseTest, MetaKeyRead) {
  expect_death(
      [](WriteContext& context) {
        std::string value;
        context.store.get(Family::kMeta, "site_info", value);
      },
      "stage copy reads meta key site_info");
}
TEST_F(UndeclaredUseTest, MetaKeyWritten) {
  expect_death([](WriteContext& context) { put(context, Family::kMeta, "mine", "y"); },
               "stage copy writes meta key mine");
}

TEST(StageReport, KeepsTheFirstSamplesAndCountsAll) {
  StageReport report;
  const RejectReason reason{"rea", RejectSeverity::kKept};
  for (int i = 0; i < 5; ++i) {
    const std::string sample = "sample " + std::to_string(i);
    report.add(reason, "son", {&sample, 1}, 1);
  }
  report.add(reason, "son", {}, 10);
  EXPECT_EQ(report.rejected.at("reason"), 15U);
  EXPECT_EQ(report.severities.at("reason"), RejectSeverity::kKept);
  ASSERT_EQ(report.samples.at("reason").size(), kSamplesPerReason);
  EXPECT_EQ(report.samples.at("reason").front(), "sample 0");
}

}  // namespace
}  // namespace touchstone::pipeline::flow
