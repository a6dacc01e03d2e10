#include "collection/kinds.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/json_tree.hpp"
#include "tests/unit/collection/evidence/sample_collection.hpp"

#include <algorithm>
#include <functional>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace touchstone::collection::evidence::validation {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;
using testing::read_lines;
using testing::read_text;
using testing::repair_digests;
using testing::TemporaryFolder;
using testing::write_lines;
using testing::write_sample;
using testing::write_text;

/// A good collection, of which each test breaks one thing. The file is long because each kind of damage has its test.
class BrokenCollection : public ::testing::Test {
 protected:
  BrokenCollection() : directory_(folder_ / "c") { write_sample(directory_); }

  fs::path file(const std::string& name) const { return directory_ / name; }

  void change_lines(const std::string& name, const std::function<void(std::vector<std::string>&)>& change) {
    auto lines = read_lines(file(name));
    change(lines);
    write_lines(file(name), lines);
    repair_digests(directory_);
  }

  /// Replaces the first occurrence of `from`, which must be there.
  void replace(const std::string& name, const std::string& from, const std::string& to) {
    std::string text = read_text(file(name));
    const auto at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from << " in " << name;
    text.replace(at, from.size(), to);
    write_text(file(name), text);
    repair_digests(directory_);
  }

  void change_json(const std::string& name, const std::function<void(ordered_json&)>& change) {
    ordered_json json = parse_json(read_file(file(name)));
    change(json);
    write_text(file(name), json.dump(2) + "\n");
    repair_digests(directory_);
  }

  /// Expects a problem of that file and line whose sentence holds `what`.
  void expect_problem(const std::string& name, std::uint64_t line, const std::string& what) {
    const release::ValidationReport report = validate_collection(directory_);
    EXPECT_FALSE(report.ok());
    std::string all;
    for (const auto& problem : report.problems) {
      all += problem.file + ":" + std::to_string(problem.line) + ": " + problem.what + "\n";
      EXPECT_EQ(problem.what.find('\n'), std::string::npos);
      if (problem.file == name && problem.line == line && problem.what.find(what) != std::string::npos) return;
    }
    ADD_FAILURE() << "no problem \"" << what << "\" at " << name << ":" << line << " among\n" << all;
  }

  /// As above, and it is the only one.
  void expect_only_problem(const std::string& name, std::uint64_t line, const std::string& what) {
    expect_problem(name, line, what);
    const release::ValidationReport report = validate_collection(directory_);
    for (const auto& problem : report.problems) {
      if (report.problem_count > 1) ADD_FAILURE() << problem.file << ":" << problem.line << ": " << problem.what;
    }
  }

  TemporaryFolder folder_;
  fs::path directory_;
};

TEST_F(BrokenCollection, AGoodOneHasNoProblems) {
  const release::ValidationReport report = validate_collection(directory_);
  for (const auto& problem : report.problems)
    ADD_FAILURE() << problem.file << ":" << problem.line << ": " << problem.what;
  EXPECT_TRUE(report.ok());
  EXPECT_EQ(report.counts.at("topics"), 3U);
  EXPECT_EQ(report.counts.at("queries"), 3U);
  EXPECT_EQ(report.counts.at("passages"), 7U);
  EXPECT_EQ(report.counts.at("members"), 4U);
  EXPECT_EQ(report.counts.at("judgments"), 7U);
  EXPECT_EQ(report.counts.at("unjudged"), 2U);
  EXPECT_EQ(report.counts.at("qrels"), 4U);
  EXPECT_EQ(report.counts.at("discarded"), 2U);
}

TEST_F(BrokenCollection, RepairedDigestsAloneAreNoProblem) {
  repair_digests(directory_);
  EXPECT_TRUE(validate_collection(directory_).ok());
}

TEST_F(BrokenCollection, AFileBesideTheCollectionsOwnIsNoProblem) {
  write_lines(file("corpus.jsonl"), read_lines(file("corpus.jsonl.gz")));
  EXPECT_TRUE(validate_collection(directory_).ok());
}

TEST_F(BrokenCollection, AMissingFileIsNamed) {
  fs::remove(file("members.jsonl"));
  expect_only_problem("members.jsonl", 0, "is missing");
}

TEST_F(BrokenCollection, AChangedFileDiffersFromItsDigest) {
  std::string text = read_text(file("README.md"));
  text += "More.\n";
  write_text(file("README.md"), text);
  expect_only_problem("README.md", 0, "the file was changed or damaged");
}

TEST_F(BrokenCollection, AFileWithoutDigestIsNamed) {
  auto lines = read_lines(file("sha256sums.txt"));
  lines.erase(lines.begin());
  write_lines(file("sha256sums.txt"), lines);
  expect_only_problem("sha256sums.txt", 0, "does not list topics.tsv");
}

TEST_F(BrokenCollection, ADigestOfAFileOutsideIsRefused) {
  auto lines = read_lines(file("sha256sums.txt"));
  lines.push_back(std::string(64, '0') + "  ../secret");
  write_lines(file("sha256sums.txt"), lines);
  expect_only_problem("sha256sums.txt", lines.size(), "outside the collection");
}

TEST_F(BrokenCollection, ADigestLineOfAnotherFormIsRefused) {
  auto lines = read_lines(file("sha256sums.txt"));
  lines[2][10] = 'G';
  write_lines(file("sha256sums.txt"), lines);
  expect_problem("sha256sums.txt", 3, "as sha256sum writes it");
}

TEST_F(BrokenCollection, ATopicTwiceIsFound) {
  change_lines("topics.tsv", [](auto& lines) { lines.insert(lines.begin() + 1, lines[0]); });
  expect_only_problem("topics.tsv", 2, "has topic \"t1\" a second time");
}

TEST_F(BrokenCollection, TopicsOutOfOrderAreFound) {
  change_lines("topics.tsv", [](auto& lines) { std::swap(lines[0], lines[1]); });
  expect_only_problem("topics.tsv", 2, "has topic \"t1\" after \"t2\"");
}

TEST_F(BrokenCollection, ATopicWithoutTextIsFound) {
  change_lines("topics.tsv", [](auto& lines) { lines[1] = "t2\t "; });
  expect_problem("topics.tsv", 2, "has no text for topic \"t2\"");
}

TEST_F(BrokenCollection, ATabInATopicsTextIsFound) {
  change_lines("topics.tsv", [](auto& lines) { lines[1] += "\tmore"; });
  expect_problem("topics.tsv", 2, "has more than 2 columns");
}

TEST_F(BrokenCollection, AQuotedTopicIdIsFound) {
  change_lines("topics.tsv", [](auto& lines) { lines.push_back("\"z\tsome words"); });
  expect_problem("topics.tsv", 4, "has the topic id \"\"z\", which holds a quote");
}

TEST_F(BrokenCollection, CarriageReturnsAtLineEndsAreFound) {
  std::string text;
  for (const auto& line : read_lines(file("topics.tsv"))) text += line + "\r\n";
  write_text(file("topics.tsv"), text);
  repair_digests(directory_);
  expect_only_problem("topics.tsv", 0, "lines must end with a single line feed");
}

TEST_F(BrokenCollection, ACarriageReturnInsideATextIsFound) {
  replace("topics.tsv", "green teas", "green\rteas");
  expect_problem("topics.tsv", 1, "does not read back to the same bytes, from byte 9 on");
}

TEST_F(BrokenCollection, ALastLineWithoutItsEndIsFound) {
  std::string text = read_text(file("qrels.txt"));
  text.pop_back();
  write_text(file("qrels.txt"), text);
  repair_digests(directory_);
  expect_only_problem("qrels.txt", 0, "the last one too");
}

TEST_F(BrokenCollection, AMissingQueryIsFound) {
  change_lines("queries.jsonl", [](auto& lines) { lines.pop_back(); });
  expect_only_problem("queries.jsonl", 0, "has no line for topic \"t3\"");
}

TEST_F(BrokenCollection, AQueryThatDiffersBetweenTheFormsIsFound) {
  replace("queries.jsonl", "names in list of teas", "names in a list of teas");
  expect_only_problem("queries.jsonl", 2, "where topics.tsv has");
}

TEST_F(BrokenCollection, ALineThatIsNoJsonIsFound) {
  change_lines("queries.jsonl", [](auto& lines) { lines[0].pop_back(); });
  expect_problem("queries.jsonl", 1, "is no JSON");
}

TEST_F(BrokenCollection, ADocidTwiceIsFound) {
  change_lines("corpus.jsonl.gz", [](auto& lines) { lines.insert(lines.begin(), lines[0]); });
  expect_problem("corpus.jsonl.gz", 2, "has docid \"teawiki-1-0\" a second time");
}

TEST_F(BrokenCollection, AnUnsafeDocidIsFound) {
  replace("corpus.jsonl.gz", "teawiki-3-0", "teawiki/3 0");
  expect_only_problem("corpus.jsonl.gz", 3, "has the docid \"teawiki/3 0\", which holds a slash");
}

TEST_F(BrokenCollection, AnEmptyDocumentIsFound) {
  replace("corpus.jsonl.gz", "\"Nothing here.\"", "\" \"");
  expect_only_problem("corpus.jsonl.gz", 5, "has an empty text for docid \"teawiki-10-0\"");
}

TEST_F(BrokenCollection, ATabInADocumentIsFound) {
  replace("corpus.jsonl.gz", "\"Nothing here.\"", "\"Nothing\\there.\"");
  expect_only_problem("corpus.jsonl.gz", 5, "has a tab or control character");
}

TEST_F(BrokenCollection, PassagesOutOfOrderAreFound) {
  change_lines("corpus.jsonl.gz", [](auto& lines) { std::swap(lines[0], lines[1]); });
  expect_only_problem("corpus.jsonl.gz", 2, "has docid \"teawiki-1-0\" out of order");
}

TEST_F(BrokenCollection, FieldsInAnotherOrderDoNotReadBackToTheSameBytes) {
  replace("corpus.jsonl.gz", "\"page_id\":3,\"ordinal\":0", "\"ordinal\":0,\"page_id\":3");
  expect_only_problem("corpus.jsonl.gz", 3, "does not read back to the same bytes");
}

TEST_F(BrokenCollection, ATruncatedCorpusIsFound) {
  const std::string bytes = read_file(file("corpus.jsonl.gz"));
  write_text(directory_ / "cut", bytes.substr(0, bytes.size() / 2));
  fs::rename(directory_ / "cut", file("corpus.jsonl.gz"));
  repair_digests(directory_);
  expect_problem("corpus.jsonl.gz", 0, "fetch or write the file again");
}

TEST_F(BrokenCollection, AQrelOfAnUnknownTopicIsFound) {
  change_lines("qrels.txt", [](auto& lines) { lines.push_back("t9 0 teawiki-1-0 1"); });
  expect_problem("qrels.txt", 5, "judges topic \"t9\", which topics.tsv does not define");
}

TEST_F(BrokenCollection, AQrelOfAnUnknownDocidIsFound) {
  replace("qrels.txt", "teawiki-5-0", "teawiki-6-0");
  expect_problem("qrels.txt", 3, "judges docid \"teawiki-6-0\", which is not in corpus.jsonl.gz");
}

TEST_F(BrokenCollection, AQrelTwiceIsFound) {
  change_lines("qrels.txt", [](auto& lines) { lines.insert(lines.begin(), lines[0]); });
  expect_problem("qrels.txt", 2, "a second time");
}

TEST_F(BrokenCollection, QrelsOutOfOrderAreFound) {
  change_lines("qrels.txt", [](auto& lines) { std::swap(lines[0], lines[1]); });
  expect_problem("qrels.txt", 2, "out of order");
}

TEST_F(BrokenCollection, AGradeOutOfRangeIsFound) {
  replace("qrels.txt", "teawiki-5-0 1", "teawiki-5-0 1000");
  expect_problem("qrels.txt", 3, "has the grade \"1000\", which is no integer from -127 to 127");
}

TEST_F(BrokenCollection, AQrelWithoutAJudgmentIsFound) {
  change_lines("qrels.txt", [](auto& lines) { lines.push_back("t3 0 teawiki-1-0 1"); });
  change_lines("qrels/test.tsv", [](auto& lines) { lines.push_back("t3\tteawiki-1-0\t1"); });
  expect_only_problem("qrels.txt", 5, "for which judgments.jsonl.gz has no grade");
}

TEST_F(BrokenCollection, AJudgmentWithoutAQrelIsFound) {
  change_lines("qrels.txt", [](auto& lines) { lines.pop_back(); });
  change_lines("qrels/test.tsv", [](auto& lines) { lines.pop_back(); });
  expect_only_problem("qrels.txt", 0, "has no line for topic \"t2\", docid \"teawiki-10-1\"");
}

TEST_F(BrokenCollection, AGradeOtherThanTheJudgmentsIsFound) {
  replace("qrels.txt", "teawiki-5-0 1", "teawiki-5-0 0");
  replace("qrels/test.tsv", "teawiki-5-0\t1", "teawiki-5-0\t0");
  expect_only_problem("qrels.txt", 3, "grade 0 where the highest grade in judgments.jsonl.gz is 1");
}

TEST_F(BrokenCollection, FormsOfTheQrelsThatDifferAreFound) {
  replace("qrels/test.tsv", "teawiki-5-0\t1", "teawiki-5-0\t0");
  expect_only_problem("qrels/test.tsv", 4, "where line 3 of qrels.txt has another judgment");
}

TEST_F(BrokenCollection, BeirQrelsThatAreShorterAreFound) {
  change_lines("qrels/test.tsv", [](auto& lines) { lines.pop_back(); });
  expect_only_problem("qrels/test.tsv", 0, "has 3 judgments where qrels.txt has 4");
}

TEST_F(BrokenCollection, BeirQrelsWithoutHeaderAreFound) {
  change_lines("qrels/test.tsv", [](auto& lines) { lines.erase(lines.begin()); });
  expect_problem("qrels/test.tsv", 1, "does not read back to the same bytes");
}

TEST_F(BrokenCollection, AMemberOfAnUnknownTopicIsFound) {
  replace("members.jsonl", "\"topic\":\"t3\"", "\"topic\":\"t8\"");
  expect_problem("members.jsonl", 4, "names topic \"t8\", which topics.tsv does not define");
}

TEST_F(BrokenCollection, AMemberTwiceIsFound) {
  change_lines("members.jsonl", [](auto& lines) { lines.push_back(lines.back()); });
  expect_problem("members.jsonl", 5, "has the page 3 a second time as a member of topic \"t3\", after line 4");
}

TEST_F(BrokenCollection, AMembersWrongEvidenceCountIsFound) {
  replace("members.jsonl", "\"candidates\":3,\"evidence\":2", "\"candidates\":3,\"evidence\":1");
  expect_only_problem("members.jsonl", 1, "where judgments.jsonl.gz has 3 judgments and 2 with grade 1 or more");
}

TEST_F(BrokenCollection, AJudgmentAboutAnUnknownMemberIsFound) {
  replace("judgments.jsonl.gz", "\"member\":\"Page 1\"", "\"member\":\"Page One\"");
  expect_problem("judgments.jsonl.gz", 1, "whom members.jsonl does not have for topic \"t1\"");
}

TEST_F(BrokenCollection, AJudgmentOfAnUnknownPassageIsFound) {
  replace("judgments.jsonl.gz", "\"docid\":\"teawiki-2-0\"", "\"docid\":\"teawiki-22-0\"");
  expect_problem("judgments.jsonl.gz", 4, "judges docid \"teawiki-22-0\", which is not in corpus.jsonl.gz");
}

TEST_F(BrokenCollection, MentionsOutsideTheTextAreFound) {
  replace("judgments.jsonl.gz", "\"spans\":[[0,27]]", "\"spans\":[[0,28]]");
  expect_only_problem("judgments.jsonl.gz", 3,
                      "has spans [0, 28] of topic \"t1\", docid \"teawiki-5-0\", a text of 27 code points");
}

TEST_F(BrokenCollection, AWrongOwnArticleIsFound) {
  replace("judgments.jsonl.gz", "\"own_article\":true", "\"own_article\":false");
  expect_problem("judgments.jsonl.gz", 1, "says own_article false");
}

TEST_F(BrokenCollection, AnUnknownSourceIsFound) {
  replace("judgments.jsonl.gz", "\"own_article\":true", "\"own_article\":true,\"source\":\"anchor\"");
  expect_problem("judgments.jsonl.gz", 1, "has the source \"anchor\"");
}

TEST_F(BrokenCollection, ASourceThatContradictsOwnArticleIsFound) {
  replace("judgments.jsonl.gz", "\"own_article\":true", "\"own_article\":true,\"source\":\"link\"");
  expect_problem("judgments.jsonl.gz", 1,
                 "has the source link of topic \"t1\", docid \"teawiki-1-0\", but own_article is true");
}

TEST_F(BrokenCollection, AGradeOfAFailedJudgmentIsFound) {
  replace("judgments.jsonl.gz", "\"state\":\"judged\"", "\"state\":\"failed\"");
  expect_only_problem("judgments.jsonl.gz", 1, "has a grade in state \"failed\"");
}

TEST_F(BrokenCollection, AnUnknownStateIsFound) {
  replace("judgments.jsonl.gz", "\"state\":\"judged\"", "\"state\":\"fine\"");
  expect_only_problem("judgments.jsonl.gz", 1, "has the state \"fine\"");
}

TEST_F(BrokenCollection, AProbabilityAboveOneIsFound) {
  replace("judgments.jsonl.gz", "\"probability\":0.75", "\"probability\":7.5");
  expect_only_problem("judgments.jsonl.gz", 1, "that is not from 0 to 1");
}

TEST_F(BrokenCollection, JudgmentsOutOfOrderAreFound) {
  change_lines("judgments.jsonl.gz", [](auto& lines) { std::swap(lines[2], lines[3]); });
  expect_only_problem("judgments.jsonl.gz", 4, "out of order");
}

TEST_F(BrokenCollection, UnjudgedThatDifferFromTheJudgmentsAreFound) {
  change_lines("unjudged.jsonl", [](auto& lines) { lines.pop_back(); });
  expect_only_problem("unjudged.jsonl", 0, "has 1 lines where judgments.jsonl.gz has 2 without a grade");
}

TEST_F(BrokenCollection, ADiscardedLineWithAMissingColumnIsFound) {
  change_lines("discarded.tsv", [](auto& lines) { lines[1] = "column\tList of cups"; });
  expect_problem("discarded.tsv", 2, "has 2 columns instead of 6");
}

TEST_F(BrokenCollection, NumbersOtherThanTheFilesAreFound) {
  change_json("manifest.json", [](ordered_json& json) { json["numbers"]["evidence"] = 4; });
  expect_only_problem("manifest.json", 0, "says evidence \"4\" where the files have \"3\"");
}

TEST_F(BrokenCollection, AManifestOfANewerFormatNamesTheRemedy) {
  change_json("manifest.json", [](ordered_json& json) { json["format_version"] = 99; });
  expect_only_problem("manifest.json", 0, "install a newer touchstone");
}

TEST_F(BrokenCollection, AManifestOfSomethingElseIsFound) {
  write_text(file("manifest.json"), "{\"format\":3}\n");
  repair_digests(directory_);
  expect_problem("manifest.json", 0, "export the collection again");
}

TEST_F(BrokenCollection, AManifestWithoutAFieldNamesIt) {
  change_json("manifest.json", [](ordered_json& json) { json["collection"].erase("judge"); });
  expect_only_problem("manifest.json", 0, "'judge' not found");
}

TEST_F(BrokenCollection, ACardWithoutFrontMatterIsFound) {
  write_text(file("README.md"), "# A collection\n");
  repair_digests(directory_);
  expect_only_problem("README.md", 0, "does not start with YAML front matter");
}

TEST_F(BrokenCollection, ACardThatHidesTheBaselineIsFound) {
  std::string text = read_text(file("README.md"));
  for (auto at = text.find("BASELINE"); at != std::string::npos; at = text.find("BASELINE"))
    text.replace(at, 8, "labels");
  write_text(file("README.md"), text);
  repair_digests(directory_);
  expect_only_problem("README.md", 0, "does not say that the labels are a BASELINE");
}

TEST_F(BrokenCollection, ACardThatNamesAnotherFileIsFound) {
  replace("README.md", "path: queries.jsonl", "path: queries.parquet");
  expect_only_problem("README.md", 0, "names the data file \"queries.parquet\"");
}

TEST_F(BrokenCollection, ACroissantFieldOfAnUnknownFileIsFound) {
  change_json("croissant.json", [](ordered_json& json) {
    json["recordSet"][0]["field"][0]["source"]["fileObject"]["@id"] = "corpus.parquet";
  });
  expect_only_problem("croissant.json", 0, "from \"corpus.parquet\", which its distribution does not have");
}

TEST_F(BrokenCollection, ADamagedCroissantFileIsFound) {
  write_text(file("croissant.json"), "{\"conformsTo\":");
  repair_digests(directory_);
  expect_only_problem("croissant.json", 0, "is not as Croissant wants it");
}

TEST_F(BrokenCollection, AFileThatDoesNotFollowFromAnotherIsFound) {
  for (const char* name :
       {"evidence.jsonl", "qrels/test.jsonl", "corpus.jsonl", "pyserini/docs-00000.jsonl", "ir_datasets/docs.tsv"}) {
    const std::string whole = read_text(file(name));
    std::string text = whole;
    text.replace(text.size() - 4, 1, "~");
    write_text(file(name), text);
    repair_digests(directory_);
    expect_only_problem(name, 0, "does not hold what follows from ");
    write_text(file(name), whole);
    repair_digests(directory_);
  }
}

TEST_F(BrokenCollection, TheScoresOfTheRunAreMadeAgain) {
  const auto scorer = [](double value) {
    return [value](const fs::path&) { return release::BaselineScores{{"nDCG@10", value}}; };
  };
  EXPECT_TRUE(validate_collection(directory_, StopFlag(), scorer(.5)).ok());
  const auto report = validate_collection(directory_, StopFlag(), scorer(.25));
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.problems.front().file, "runs/bm25.scores.tsv");
  EXPECT_NE(report.problems.front().what.find("does not hold what follows from runs/bm25.run.gz and qrels.txt"),
            std::string::npos);
}

TEST_F(BrokenCollection, ARunOfAnotherCollectionIsAProblem) {
  const auto report = validate_collection(directory_, StopFlag(), [](const fs::path&) -> release::BaselineScores {
    throw FormatError("the run has a topic of another collection");
  });
  ASSERT_EQ(report.problems.size(), 1U);
  EXPECT_EQ(report.problems.front().file, "runs/bm25.run.gz");
}

TEST_F(BrokenCollection, ManyProblemsAreCountedAndTheFirstKept) {
  change_lines("qrels.txt", [](auto& lines) {
    for (int i = 0; i < 500; ++i) lines.push_back("t2 0 x-" + std::to_string(i) + " 5000");
  });
  const release::ValidationReport report = validate_collection(directory_);
  EXPECT_EQ(report.problems.size(), release::kMaxProblems);
  EXPECT_GE(report.problem_count, 500U);
}

TEST(CollectionValidator, ADirectoryThatIsNotThereIsAStorageError) {
  const TemporaryFolder folder;
  EXPECT_THROW(validate_collection(folder / "none"), StorageError);
}

TEST(CollectionValidator, AnEmptyDirectoryMissesEveryFile) {
  const TemporaryFolder folder;
  const release::ValidationReport report = validate_collection(folder.path());
  constexpr std::size_t kOptionalFiles =
      5;  // of a baseline run, a history and an audit, which only a manifest can ask for
  EXPECT_EQ(report.problem_count, kDataFiles.size() - kOptionalFiles + 4);
}

}  // namespace
}  // namespace touchstone::collection::evidence::validation
