#include "collection/evidence/collection_writer.hpp"

#include "collection/evidence/collection_files.hpp"
#include "collection/evidence/manifest.hpp"
#include "collection/kinds.hpp"
#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/json_tree.hpp"
#include "tests/support/error_message.hpp"
#include "tests/unit/collection/evidence/sample_collection.hpp"

#include <algorithm>
#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace touchstone::collection::evidence {
namespace {

namespace fs = std::filesystem;
using testing::read_lines;
using testing::read_text;
using testing::sample_info;
using testing::sample_judgment;
using testing::sample_passage;
using testing::sample_topic;
using testing::TemporaryFolder;
using testing::write_sample;
using testing::write_text;

std::vector<std::string> file_names() {
  std::vector<std::string> names;
  for (const auto* file : data_files({.reading_copies = true, .run = true, .history = true, .audit = false}))
    names.emplace_back(file->name);
  for (const char* name : {"README.md", "croissant.json", "manifest.json", "sha256sums.txt"}) names.emplace_back(name);
  return names;
}

TEST(CollectionWriter, WritesEveryFileAndNothingElse) {
  const TemporaryFolder folder;
  write_sample(folder / "c", testing::sample_info_with_history());
  std::vector<std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator(folder / "c")) {
    if (entry.is_regular_file()) found.push_back(fs::relative(entry.path(), folder / "c").string());
  }
  std::vector<std::string> expected = file_names();
  std::sort(found.begin(), found.end());
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(found, expected);
  EXPECT_FALSE(fs::exists(folder / "c.partial"));
  EXPECT_FALSE(fs::exists(folder / "c.old"));
}

TEST(CollectionWriter, WritesTheFilesOfAnAuditWhereThereIsOne) {
  const TemporaryFolder folder;
  auto info = sample_info();
  EXPECT_FALSE(info.audit);
  info.audit.emplace().audited = 7;
  write_sample(folder / "c", info);
  EXPECT_EQ(read_lines(folder / "c/audit.jsonl").size(), 0U);
  EXPECT_EQ(read_lines(folder / "c/calibration.tsv").size(), 1U);
  EXPECT_EQ(read_manifest(folder / "c").info.audit->audited, 7U);
}

TEST(CollectionWriter, TopicsAreOneLineEachInBothForms) {
  const TemporaryFolder folder;
  write_sample(folder / "c");
  const auto topics = read_lines(folder / "c/topics.tsv");
  ASSERT_EQ(topics.size(), 3U);
  EXPECT_EQ(topics[0], "t1\tgreen teas from <script>alert(1)</script>  \"China\"");
  EXPECT_EQ(read_lines(folder / "c/queries.jsonl")[1],
            "{\"_id\":\"t2\",\"text\":\"names in list of teas, section Green, topic t2\",\"metadata\":{\"structured\":"
            "\"List of teas » Green » Name t2\",\"page\":\"List of teas\",\"page_id\":100,\"section\":[\"Green\"],"
            "\"column\":\"Name t2\",\"query_source\":\"template/1\",\"query_verdict\":\"certain\"}}");
}

TEST(CollectionWriter, QrelsHoldTheHighestGradeOfAllMembersAndLeaveOutTheUnjudged) {
  const TemporaryFolder folder;
  write_sample(folder / "c");
  EXPECT_EQ(read_text(folder / "c/qrels.txt"),
            "t1 0 teawiki-1-0 1\nt1 0 teawiki-2-0 1\nt1 0 teawiki-5-0 1\nt2 0 teawiki-10-1 0\n");
  EXPECT_EQ(
      read_text(folder / "c/qrels/test.tsv"),
      "query-id\tcorpus-id\tscore\nt1\tteawiki-1-0\t1\nt1\tteawiki-2-0\t1\nt1\tteawiki-5-0\t1\nt2\tteawiki-10-1\t0\n");
}

TEST(CollectionWriter, PassagesHaveNoTabsAndOnlyUtf8) {
  const TemporaryFolder folder;
  write_sample(folder / "c");
  const auto corpus = read_lines(folder / "c/corpus.jsonl.gz");
  ASSERT_EQ(corpus.size(), 7U);
  EXPECT_EQ(corpus[1],
            "{\"_id\":\"teawiki-2-0\",\"title\":\"Page 2\",\"text\":\"Page 2 is another tea. It came \\nlater.\","
            "\"metadata\":{\"page_id\":2,\"ordinal\":0,\"revision\":0,\"section\":[],\"copies\":[]}}");
  EXPECT_NE(corpus[6].find("Line separator and a bad byte \xEF\xBF\xBD."), std::string::npos);
  EXPECT_NE(corpus[5].find("\"section\":[\"History\",\"Early \\\\ years\"]"), std::string::npos);
}

TEST(CollectionWriter, UnjudgedHoldsTheJudgmentsWithoutAGrade) {
  const TemporaryFolder folder;
  write_sample(folder / "c");
  const auto judgments = read_lines(folder / "c/judgments.jsonl.gz");
  const auto unjudged = read_lines(folder / "c/unjudged.jsonl");
  ASSERT_EQ(judgments.size(), 7U);
  ASSERT_EQ(unjudged.size(), 2U);
  EXPECT_EQ(unjudged[0], judgments[1]);
  EXPECT_EQ(
      unjudged[0],
      "{\"topic\":\"t1\",\"docid\":\"teawiki-10-0\",\"member\":\"Page 1\",\"member_page_id\":1,\"own_article\":false,"
      "\"grade\":null,\"probability\":null,\"state\":\"unparseable\",\"reason\":\"the reply is no "
      "JSON\",\"mentions\":[],"
      "\"spans\":[],\"judge\":\"lexical/1 (baseline)\",\"prompt\":null,\"digest\":\"0123456789abcdef\"}");
}

TEST(CollectionWriter, DiscardedIsSortedWithAHeader) {
  const TemporaryFolder folder;
  write_sample(folder / "c");
  EXPECT_EQ(read_text(folder / "c/discarded.tsv"),
            "kind\tpage\tsection\tcolumn\treason\tdetail\n"
            "column\tList of cups\t\tName\tempty cell\trow 4\n"
            "column\tList of tea pots\tOld\tName\ttoo few members\t2 of 3\n");
}

TEST(CollectionWriter, NumbersAreThoseOfTheFiles) {
  const TemporaryFolder folder;
  const CollectionNumbers numbers = write_sample(folder / "c");
  EXPECT_EQ(numbers.topics, 3U);
  EXPECT_EQ(numbers.members, 4U);
  EXPECT_EQ(numbers.distinct_members, 3U);
  EXPECT_EQ(numbers.passages, 7U);
  EXPECT_EQ(numbers.judgments, 7U);
  EXPECT_EQ(numbers.judged_yes, 3U);
  EXPECT_EQ(numbers.judged_no, 2U);
  EXPECT_EQ(numbers.unjudged, 2U);
  EXPECT_EQ(numbers.qrels, 4U);
  EXPECT_EQ(numbers.evidence, 3U);
  EXPECT_DOUBLE_EQ(numbers.members_mean, 1.3333);
  EXPECT_DOUBLE_EQ(numbers.members_median, 1);
  EXPECT_DOUBLE_EQ(numbers.evidence_mean, 1);
  EXPECT_DOUBLE_EQ(numbers.evidence_median, 0);
  EXPECT_EQ(numbers.evidence_min, 0U);
  EXPECT_EQ(numbers.evidence_max, 3U);
  EXPECT_DOUBLE_EQ(numbers.outside_own_article, 0.3333);
  ASSERT_EQ(numbers.buckets.size(), 1U);
  EXPECT_EQ(numbers.buckets[0].label, "1-10");
  EXPECT_EQ(numbers.buckets[0].topics, 3U);
  EXPECT_EQ(numbers.discarded.at("empty cell"), 1U);
}

TEST(CollectionWriter, ManifestHoldsWhatFinishReturnedAndTheBuildsOwnFields) {
  const TemporaryFolder folder;
  write_sample(folder / "c");
  const auto manifest = parse_json(read_text(folder / "c/manifest.json"));
  EXPECT_EQ(manifest.at("format"), "touchstone-collection");
  EXPECT_EQ(manifest.at("format_version"), 1);
  EXPECT_EQ(manifest.at("numbers").at("evidence"), 3);
  EXPECT_EQ(manifest.at("config").at("min_evidence"), 1);
  for (const auto& file : manifest.at("files")) {
    const auto path = folder.path() / "c" / file.at("name").get<std::string>();
    EXPECT_EQ(file.at("bytes"), fs::file_size(path));
    EXPECT_EQ(file.at("sha256"), sha256_file(path));
  }
  const Manifest summary = read_manifest(folder / "c");
  EXPECT_EQ(summary.info.name, sample_info().name);
  EXPECT_EQ(summary.info.dump_names, sample_info().dump_names);
  EXPECT_EQ(summary.numbers.evidence, 3U);
  EXPECT_EQ(parse_json(summary.info.manifest_json), parse_json(sample_info().manifest_json));
}

TEST(CollectionWriter, DigestsAreAsSha256sumReadsThem) {
  const TemporaryFolder folder;
  write_sample(folder / "c", testing::sample_info_with_history());
  const auto lines = read_lines(folder / "c/sha256sums.txt");
  EXPECT_EQ(lines.size(), file_names().size() - 1);
  for (const auto& line : lines) {
    ASSERT_GT(line.size(), 66U);
    EXPECT_EQ(line.substr(64, 2), "  ");
    EXPECT_EQ(line.substr(0, 64), sha256_file(folder.path() / "c" / line.substr(66)));
  }
}

TEST(CollectionWriter, WritingTwiceGivesTheSameBytes) {
  const TemporaryFolder folder;
  write_sample(folder / "a", testing::sample_info_with_history());
  write_sample(folder / "b", testing::sample_info_with_history());
  for (const auto& name : file_names()) {
    EXPECT_EQ(read_file(folder / "a" / name), read_file(folder / "b" / name)) << name;
  }
}

TEST(CollectionWriter, TheOrderOfTheDiscardedDoesNotShow) {
  const TemporaryFolder folder;
  const std::vector<DiscardedRecord> records{{"column", "B", {}, "N", "r", ""}, {"column", "A", {}, "N", "r", ""}};
  for (const bool reversed : {false, true}) {
    CollectionWriter writer(folder / (reversed ? "b" : "a"), sample_info());
    writer.add(records[reversed ? 1 : 0]);
    writer.add(records[reversed ? 0 : 1]);
    writer.finish();
  }
  EXPECT_EQ(read_text(folder / "a/sha256sums.txt"), read_text(folder / "b/sha256sums.txt"));
}

TEST(CollectionWriter, AnEmptyCollectionIsWhole) {
  const TemporaryFolder folder;
  const CollectionNumbers numbers = CollectionWriter(folder / "c", sample_info()).finish();
  EXPECT_EQ(numbers.topics, 0U);
  EXPECT_EQ(numbers.evidence_mean, 0);
  EXPECT_TRUE(validate_collection(folder / "c").ok());
}

TEST(CollectionWriter, ReplacesAnOlderCollectionOnlyWhenFinished) {
  const TemporaryFolder folder;
  write_sample(folder / "c");
  const std::string before = read_text(folder / "c/sha256sums.txt");
  {
    CollectionWriter writer(folder / "c", sample_info());
    writer.add(sample_topic("x"));
  }
  EXPECT_EQ(read_text(folder / "c/sha256sums.txt"), before);
  EXPECT_FALSE(fs::exists(folder / "c.partial"));
  CollectionWriter writer(folder / "c", sample_info());
  writer.add(sample_topic("x"));
  writer.finish();
  EXPECT_EQ(read_lines(folder / "c/topics.tsv").size(), 1U);
  EXPECT_FALSE(fs::exists(folder / "c.old"));
}

TEST(CollectionWriter, ARunKilledBetweenTheRenamesIsCompleted) {
  const TemporaryFolder folder;
  write_sample(folder / "c");
  fs::rename(folder / "c", folder / "c.old");
  write_sample(folder / "new");
  write_text(folder / "new/unjudged.jsonl", "the newer one\n");
  fs::rename(folder / "new", folder / "c.partial");
  { const CollectionWriter writer(folder / "c", sample_info()); }
  EXPECT_EQ(read_text(folder / "c/unjudged.jsonl"), "the newer one\n");
  EXPECT_FALSE(fs::exists(folder / "c.old"));
  EXPECT_FALSE(fs::exists(folder / "c.partial"));
}

TEST(CollectionWriter, AnOldCollectionWithoutAWholeNewOneComesBack) {
  const TemporaryFolder folder;
  write_sample(folder / "c");
  fs::rename(folder / "c", folder / "c.old");
  fs::create_directories(folder / "c.partial/qrels");
  { const CollectionWriter writer(folder / "c", sample_info()); }
  EXPECT_TRUE(validate_collection(folder / "c").ok());
  EXPECT_FALSE(fs::exists(folder / "c.old"));
}

TEST(CollectionWriter, ARunKilledWhileDeletingTheOldOneIsCleanedUp) {
  const TemporaryFolder folder;
  write_sample(folder / "c");
  write_sample(folder / "other");
  fs::remove(folder / "other/topics.tsv");
  fs::rename(folder / "other", folder / "c.old");
  { const CollectionWriter writer(folder / "c", sample_info()); }
  EXPECT_TRUE(validate_collection(folder / "c").ok());
  EXPECT_FALSE(fs::exists(folder / "c.old"));
}

TEST(CollectionWriter, APartialDirectoryOfAKilledRunIsWrittenAnew) {
  const TemporaryFolder folder;
  fs::create_directories(folder / "c.partial");
  write_text(folder / "c.partial/topics.tsv.partial", "x");
  write_sample(folder / "c");
  EXPECT_FALSE(fs::exists(folder / "c/topics.tsv.partial"));
  EXPECT_TRUE(validate_collection(folder / "c").ok());
}

TEST(CollectionWriter, DoesNotReplaceAFolderOfOtherFiles) {
  const TemporaryFolder folder;
  fs::create_directories(folder / "c");
  write_text(folder / "c/thesis.txt", "x");
  EXPECT_THROW(CollectionWriter(folder / "c", sample_info()), StorageError);
  EXPECT_TRUE(fs::exists(folder / "c/thesis.txt"));
  write_text(folder / "f", "x");
  EXPECT_THROW(CollectionWriter(folder / "f", sample_info()), StorageError);
}

TEST(CollectionWriter, ATrailingSlashNamesTheSameDirectory) {
  const TemporaryFolder folder;
  write_sample(folder.path().string() + "/c/");
  EXPECT_TRUE(fs::exists(folder / "c/topics.tsv"));
  EXPECT_FALSE(fs::exists(folder / "c/.partial"));
}

TEST(CollectionWriter, RefusesUnsafeIds) {
  const TemporaryFolder folder;
  CollectionWriter writer(folder / "c", sample_info());
  EXPECT_THROW(writer.add(sample_topic("a b")), FormatError);
  EXPECT_THROW(writer.add(sample_topic("\"a")), FormatError);
  PassageRecord passage = sample_passage(1, "x");
  for (const char* docid : {"", "a/b", "\"a", "a\tb", "tea wiki-1-0"}) {
    passage.docid = docid;
    EXPECT_THROW(writer.add(passage), FormatError) << docid;
  }
}

TEST(CollectionWriter, RefusesEmptyPassagesAndQueries) {
  const TemporaryFolder folder;
  CollectionWriter writer(folder / "c", sample_info());
  EXPECT_THROW(writer.add(sample_passage(1, " \r\n\t")), FormatError);
  TopicRecord topic = sample_topic("t");
  topic.query = " ";
  EXPECT_THROW(writer.add(topic), FormatError);
}

TEST(CollectionWriter, RefusesBuildFieldsThatItWritesItself) {
  const TemporaryFolder folder;
  CollectionInfo info = sample_info();
  info.manifest_json = R"({"numbers":{}})";
  EXPECT_THROW(CollectionWriter(folder / "c", info), FormatError);
  info.manifest_json = "[1]";
  EXPECT_THROW(CollectionWriter(folder / "c", info), FormatError);
}

TEST(CollectionWriter, ADirectoryBehindALinkStaysWhereTheLinkLeads) {
  const TemporaryFolder folder;
  fs::create_directories(folder / "disk");
  fs::create_directory_symlink("disk/c", folder / "c");  // relative, and nothing is there yet
  for (int time = 0; time < 2; ++time) {
    write_sample(folder / "c");
    EXPECT_TRUE(fs::is_symlink(folder / "c"));
    EXPECT_TRUE(fs::is_regular_file(folder / "disk/c/manifest.json"));
    EXPECT_FALSE(fs::exists(folder / "disk/c.old"));
    EXPECT_FALSE(fs::exists(folder / "c.partial"));
  }
  EXPECT_TRUE(validate_collection(folder / "c").ok());
  fs::create_directory_symlink("circle", folder / "circle");
  EXPECT_THROW(write_sample(folder / "circle"), StorageError);
}

TEST(CollectionWriter, FilesOfTheUsersInTheWayStay) {
  const TemporaryFolder folder;
  write_sample(folder / "c");
  const auto before = read_text(folder / "c/qrels.txt");
  for (const char* mine : {"c/run.txt", "c/pyserini/notes", "c/qrels/dev.tsv", "c.partial/notes", "c.old/notes",
                           "c.partial/qrels/notes", "c.old/deep/er/notes"}) {
    fs::create_directories((folder / mine).parent_path());
    write_text(folder / mine, "mine");
    const auto said = touchstone::testing::message_of<StorageError>([&] { write_sample(folder / "c"); });
    EXPECT_NE(said.find("move it away"), std::string::npos) << mine << ": " << said;
    EXPECT_EQ(read_text(folder / mine), "mine");
    EXPECT_EQ(read_text(folder / "c/qrels.txt"), before) << mine;
    fs::remove(folder / mine);
    fs::remove_all(folder / "c.partial");
    fs::remove_all(folder / "c.old");
  }
  write_text(folder / "c.partial", "mine");
  EXPECT_THROW(write_sample(folder / "c"), StorageError);
  EXPECT_EQ(read_text(folder / "c.partial"), "mine");
  fs::remove(folder / "c.partial");
  fs::create_directory_symlink(folder / "c", folder / "c.partial");
  EXPECT_THROW(write_sample(folder / "c"), StorageError);
  EXPECT_EQ(read_text(folder / "c/qrels.txt"), before);
  fs::remove(folder / "c.partial");
  write_sample(folder / "c");
}

TEST(CollectionWriter, WhatAKilledRunLeftIsReplaced) {
  const TemporaryFolder folder;
  write_sample(folder / "c");
  fs::create_directories(folder / "c.partial/qrels");
  write_text(folder / "c.partial/topics.tsv.partial", "t");
  write_text(folder / "c.partial/qrels/test.tsv.partial", "t");
  write_text(folder / "c.partial/members.jsonl", "t");
  write_sample(folder / "c");
  EXPECT_FALSE(fs::exists(folder / "c.partial"));
}

TEST(CollectionWriter, AHistoryIsTheLastFieldAndCountsByStateAndReason) {
  const TemporaryFolder folder;
  const auto numbers = write_sample(folder / "c", testing::sample_info_with_history());
  const auto lines = testing::read_lines(folder / "c/judgments.jsonl.gz");
  EXPECT_TRUE(lines[0].ends_with(R"(,"history":{"state":"carried","from":"teawiki-1-4"}})")) << lines[0];
  EXPECT_TRUE(lines[1].ends_with(R"(,"history":{"state":"asked again","reason":"page edited"}})")) << lines[1];
  EXPECT_EQ(
      testing::read_lines(folder / "c/gone.jsonl").at(1),
      R"({"topic":"t1","docid":"teawiki-3-0","member":"Page 1","member_page_id":1,"grade":null,"reason":"page deleted"})");
  std::uint64_t labels = 0;
  for (const auto& kind : numbers.history) labels += kind.labels;
  EXPECT_EQ(labels, numbers.judgments + 2);
  const auto card = testing::read_text(folder / "c/README.md");
  EXPECT_NE(card.find("Of the judgments, 5 were carried over"), std::string::npos);
  EXPECT_NE(card.find("- config_name: gone"), std::string::npos);
  write_sample(folder / "d");
  for (const auto* file : {"topics.tsv", "qrels.txt", "corpus.jsonl.gz", "evidence.jsonl", "members.jsonl"})
    EXPECT_EQ(testing::read_text(folder / "c" / file), testing::read_text(folder / "d" / file)) << file;
}

}  // namespace
}  // namespace touchstone::collection::evidence
