#include "collection/kinds.hpp"
#include "tests/unit/collection/evidence/sample_collection.hpp"

#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::collection::evidence::validation {
namespace {

using testing::read_lines;
using testing::repair_digests;
using testing::sample_info_with_history;
using testing::TemporaryFolder;
using testing::write_lines;
using testing::write_sample;

/// The sentences about the sample with a history, after a change of the lines of one of its files.
std::string problems(const std::string& name, const std::function<void(std::vector<std::string>&)>& change) {
  const TemporaryFolder folder;
  write_sample(folder / "c", sample_info_with_history());
  auto lines = read_lines(folder / "c" / name);
  change(lines);
  write_lines(folder / "c" / name, lines);
  repair_digests(folder / "c");
  std::string all;
  for (const auto& problem : validate_collection(folder / "c").problems)
    all += problem.file + ":" + std::to_string(problem.line) + ": " + problem.what + "\n";
  return all;
}

void replace_in(std::string& line, const std::string& from, const std::string& to) {
  const auto at = line.find(from);
  ASSERT_NE(at, std::string::npos) << from << " in " << line;
  line.replace(at, from.size(), to);
}

TEST(HistoryValidation, ACollectionWithAHistoryIsValid) {
  EXPECT_EQ(problems("gone.jsonl", [](auto&) {}), "");
}

TEST(HistoryValidation, AJudgmentWithoutAHistoryIsFound) {
  const auto found = problems("judgments.jsonl.gz", [](auto& lines) {
    replace_in(lines[0], R"(,"history":{"state":"carried","from":"teawiki-1-4"})", "");
  });
  EXPECT_NE(found.find("judgments.jsonl.gz:1: has no history"), std::string::npos) << found;
}

TEST(HistoryValidation, AHistoryThatTheManifestDoesNotAnnounceIsFound) {
  const auto found = problems("manifest.json", [](auto& lines) {
    std::erase_if(lines, [](const auto& line) { return line.find("previous_manifest") != std::string::npos; });
  });
  EXPECT_NE(found.find("though manifest.json names no previous_manifest"), std::string::npos) << found;
}

TEST(HistoryValidation, UnknownStatesAndReasonsAreFound) {
  auto found = problems("judgments.jsonl.gz", [](auto& lines) { replace_in(lines[0], "\"carried\"", "\"held\""); });
  EXPECT_NE(found.find("has the state \"held\""), std::string::npos) << found;
  found = problems("judgments.jsonl.gz", [](auto& lines) { replace_in(lines[1], "page edited", "other"); });
  EXPECT_NE(found.find("has the reason \"other\""), std::string::npos) << found;
  found = problems("judgments.jsonl.gz", [](auto& lines) { replace_in(lines[1], R"(,"reason":"page edited"})", "}"); });
  EXPECT_NE(found.find("contradict each other"), std::string::npos) << found;
  found = problems("gone.jsonl", [](auto& lines) { replace_in(lines[0], "list gone", "other"); });
  EXPECT_NE(found.find("gone.jsonl:1: has the reason \"other\""), std::string::npos) << found;
}

TEST(HistoryValidation, AKeptLabelSaysFromWhichQuestion) {
  auto found = problems("judgments.jsonl.gz", [](auto& lines) {
    replace_in(lines[0], R"("state":"carried")", R"("state":"kept","reason":"page edited")");
  });
  EXPECT_NE(found.find("judgments.jsonl.gz:1: says that the label of topic \"t1\", docid \"teawiki-1-0\" was kept, but "
                       "not from which question"),
            std::string::npos)
      << found;
  found = problems("judgments.jsonl.gz",
                   [](auto& lines) { replace_in(lines[0], R"(,"history")", R"(,"kept_from":"x","history")"); });
  EXPECT_NE(found.find("has a digest"), std::string::npos) << found;
}

TEST(HistoryValidation, WrongCountsAreFound) {
  const auto found = problems("gone.jsonl", [](auto& lines) { lines.pop_back(); });
  EXPECT_NE(found.find("manifest.json:0: says history"), std::string::npos) << found;
}

TEST(HistoryValidation, LabelsThatAreGoneAreSortedAndNotGoneOnWith) {
  auto found = problems("gone.jsonl", [](auto& lines) { std::swap(lines[0], lines[1]); });
  EXPECT_NE(found.find("gone.jsonl:2: has topic \"t0\", docid \"teawiki-1-0\" a second time or out of order"),
            std::string::npos)
      << found;
  found = problems("gone.jsonl", [](auto& lines) { replace_in(lines[1], "teawiki-3-0", "teawiki-1-4"); });
  EXPECT_NE(found.find("is gone, but judgments.jsonl.gz goes on with it"), std::string::npos) << found;
}

}  // namespace
}  // namespace touchstone::collection::evidence::validation
