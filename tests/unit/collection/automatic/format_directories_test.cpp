#include "collection/automatic/format_directories.hpp"

#include "collection/automatic/derivation.hpp"
#include "common/files.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/text_file.hpp"
#include "tests/unit/collection/evidence/sample_collection.hpp"

#include <cstdint>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

namespace touchstone::collection::automatic {
namespace {

using touchstone::collection::evidence::testing::read_text;
using touchstone::testing::TemporaryFolder;

/// Levels that judge a page with a lead, and a top-level section.
constexpr std::uint8_t kOfLead = 0b1111, kOfSection = 0b1110;

class FormatDirectoriesTest : public ::testing::Test {
 protected:
  TemporaryFolder folder;

  std::string text(const char* name) const { return read_text(folder / name); }

  /// Two topics in an order that is not that of the files, and a passage with a tab and a line end.
  void write_sample() {
    release::CollectionFacts facts;
    facts.name = "sample: \"one\"";
    facts.language = "en";
    facts.license = "CC-BY-SA-4.0";
    FormatDirectories directories(folder.path(), facts, {"train", "test"});
    constexpr auto kArticle = static_cast<std::size_t>(QrelsLevel::kArticle);
    constexpr auto kHierarchical = static_cast<std::size_t>(QrelsLevel::kHierarchical);
    FormatLabels train, test;
    test.topics = {
        {"w:B/Part", "B\tpart", "test", kOfSection}, {"w:B/List", "B list", "test", 0}, {"w:B", "B", "test", kOfLead}};
    train.topics = {{"w:A", "A", "train", kOfLead}};
    test.qrels.at(kHierarchical) = {
        {"w:B/Part", "p2", 1}, {"w:B", "p1", 1}, {"w:B/Part", "p1", 1}, {"w:B/Part", "p1", 1}};
    train.qrels.at(kArticle) = {{"w:A", "p1", 1}};
    directories.add("test", test);
    directories.add("train", train);
    directories.add_passage(format_passage("p2", "One\ttwo\nthree \"four\""));
    directories.add_passage(format_passage("p1", "Text."));
    directories.finish();
  }
};

TEST_F(FormatDirectoriesTest, JudgmentsAreSortedAndThereOnceInEachForm) {
  write_sample();
  const std::string qrels = "w:B 0 p1 1\nw:B/Part 0 p1 1\nw:B/Part 0 p2 1\n";
  EXPECT_EQ(text("trec/test.hierarchical.qrels"), qrels);
  EXPECT_EQ(text("ir_datasets/qrels.test.hierarchical.txt"), qrels);
  EXPECT_EQ(text("beir/qrels/test.tsv"), "query-id\tcorpus-id\tscore\nw:B\tp1\t1\nw:B/Part\tp1\t1\nw:B/Part\tp2\t1\n");
  EXPECT_EQ(text("hf/qrels/hierarchical-test.jsonl"),
            "{\"query-id\":\"w:B\",\"corpus-id\":\"p1\",\"score\":1}\n"
            "{\"query-id\":\"w:B/Part\",\"corpus-id\":\"p1\",\"score\":1}\n"
            "{\"query-id\":\"w:B/Part\",\"corpus-id\":\"p2\",\"score\":1}\n");
  EXPECT_EQ(text("beir/qrels-article/train.tsv"), "query-id\tcorpus-id\tscore\nw:A\tp1\t1\n");
  EXPECT_EQ(text("beir/qrels-article/test.tsv"), "query-id\tcorpus-id\tscore\n") << "empty, but there";
}

TEST_F(FormatDirectoriesTest, TopicsStandInTheFilesOfTheLevelsThatJudgeThem) {
  write_sample();
  EXPECT_EQ(text("trec/test.article.topics.tsv"), "w:B\tB\n");
  EXPECT_EQ(text("trec/test.toplevel.topics.tsv"), "w:B\tB\nw:B/Part\tB part\n");
  EXPECT_EQ(text("trec/test.hierarchical.topics.tsv"), "w:B\tB\nw:B/Part\tB part\n");
  EXPECT_EQ(text("trec/test.unscored.tsv"), "w:B/List\tB list\n");
  EXPECT_EQ(text("trec/train.unscored.tsv"), "");
  EXPECT_EQ(text("trec/test.tree.topics.tsv"), "w:B\tB\nw:B/Part\tB part\n");
  EXPECT_EQ(text("trec/train.tree.topics.tsv"), "w:A\tA\n");
  EXPECT_EQ(text("ir_datasets/queries.test.tsv"), "w:B\tB\nw:B/Part\tB part\n");
  EXPECT_EQ(text("beir/queries.jsonl"),
            "{\"_id\":\"w:A\",\"text\":\"A\",\"metadata\":{}}\n{\"_id\":\"w:B\",\"text\":\"B\",\"metadata\":{}}\n"
            "{\"_id\":\"w:B/Part\",\"text\":\"B part\",\"metadata\":{}}\n");
  EXPECT_EQ(text("hf/queries.jsonl.gz"), text("beir/queries.jsonl"));
}

TEST_F(FormatDirectoriesTest, PassagesKeepTheirOrderAndAreOneLineInTabFiles) {
  write_sample();
  EXPECT_EQ(text("ir_datasets/docs.tsv"), "p2\tOne two three \"four\"\np1\tText.\n");
  EXPECT_EQ(text("beir/corpus.jsonl"),
            "{\"_id\":\"p2\",\"title\":\"\",\"text\":\"One two\\nthree \\\"four\\\"\",\"metadata\":{}}\n"
            "{\"_id\":\"p1\",\"title\":\"\",\"text\":\"Text.\",\"metadata\":{}}\n");
  EXPECT_EQ(text("hf/corpus.jsonl.gz"), text("beir/corpus.jsonl"));
}

TEST_F(FormatDirectoriesTest, TheCardNamesAllFilesOfTheHub) {
  write_sample();
  const auto card = text("hf/README.md");
  EXPECT_TRUE(card.starts_with("---\npretty_name: \"sample: \\\"one\\\"\"\nlicense: cc-by-sa-4.0\n")) << card;
  EXPECT_NE(card.find("- config_name: default\n  data_files:\n  - split: train\n    path: "
                      "qrels/hierarchical-train.jsonl\n  - split: test\n    path: qrels/hierarchical-test.jsonl\n"),
            std::string::npos)
      << card;
  for (std::size_t at = card.find("path: "); at != std::string::npos; at = card.find("path: ", at + 1)) {
    const auto name = card.substr(at + 6, card.find('\n', at) - at - 6);
    EXPECT_TRUE(std::filesystem::exists(folder / "hf" / name)) << name;
  }
}

TEST_F(FormatDirectoriesTest, ACollectionWithoutTopicsHasAllFiles) {
  FormatDirectories directories(folder.path(), {}, {"train", "test"});
  directories.finish();
  EXPECT_EQ(text("beir/corpus.jsonl"), "");
  EXPECT_EQ(text("beir/queries.jsonl"), "");
  EXPECT_EQ(text("beir/qrels/train.tsv"), "query-id\tcorpus-id\tscore\n");
  EXPECT_EQ(text("trec/train.tree.qrels"), "");
}

TEST_F(FormatDirectoriesTest, FilesAppearOnlyWhenComplete) {
  {
    FormatDirectories directories(folder.path(), {}, {"train", "test"});
    directories.add_passage(format_passage("p1", "Text."));
  }
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path()))
    EXPECT_FALSE(entry.is_regular_file()) << entry.path();
}

}  // namespace
}  // namespace touchstone::collection::automatic
