#include "pipeline/evidence/evidence_records.hpp"

#include "common/error.hpp"
#include "common/files.hpp"
#include "tests/support/temporary_folder.hpp"

#include <string>

#include <gtest/gtest.h>

namespace touchstone::pipeline::evidence {
namespace {

std::string without_line_end(std::string line) {
  EXPECT_TRUE(line.ends_with('\n'));
  line.pop_back();
  EXPECT_EQ(line.find('\n'), std::string::npos);
  return line;
}

Group sample_group() {
  Group group;
  group.topic = "t1";
  group.structured = "List of \"x\" » Ä » Name";
  group.page = "List of \"x\"";
  group.page_id = PageId{4'294'967'295U};
  group.section_path = {"Ä", "b\\c"};
  group.column = "Name\tand more";
  group.tables = {0, 3};
  group.cells = 12;
  group.empty_cells = 2;
  group.unresolved_cells = 1;
  group.members = {{PageId{1}, "Amber", "Q1"}, {PageId{2}, "日本", ""}};
  return group;
}

TEST(EvidenceRecords, GroupsReadBackAsTheyWereWritten) {
  const testing::TemporaryFolder folder;
  auto kept = sample_group(), discarded = sample_group();
  discarded.discarded = DiscardReason::kEmptyCell;
  discarded.detail = "row 3";
  write_groups(folder / "groups.jsonl", {kept, discarded});
  const auto read = read_groups(folder / "groups.jsonl");
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[0].structured, kept.structured);
  EXPECT_EQ(read[0].page_id, kept.page_id);
  EXPECT_EQ(read[0].section_path, kept.section_path);
  EXPECT_EQ(read[0].column, kept.column);
  EXPECT_EQ(read[0].tables, kept.tables);
  EXPECT_EQ(read[0].cells, 12U);
  ASSERT_EQ(read[0].members.size(), 2U);
  EXPECT_EQ(read[0].members[1].title, "日本");
  EXPECT_EQ(read[0].members[0].qid, "Q1");
  EXPECT_TRUE(read[0].kept());
  EXPECT_FALSE(read[1].kept());
  EXPECT_EQ(read[1].detail, "row 3");
  write_groups(folder / "again.jsonl", read);
  EXPECT_EQ(read_file(folder / "again.jsonl"), read_file(folder / "groups.jsonl"));
}

TEST(EvidenceRecords, CandidatesReadBackAsTheyWereWritten) {
  TopicCandidates candidates;
  candidates.topic = "t1";
  candidates.members.push_back({PageId{5}, {{PageId{5}, 0, {}}, {PageId{9}, 2, {{3, 8}, {10, 12}}}}});
  candidates.members.push_back({PageId{6}, {}});
  const auto line = to_line(candidates);
  const auto read = candidates_from_line(without_line_end(line), "here");
  EXPECT_EQ(read.topic, "t1");
  ASSERT_EQ(read.members.size(), 2U);
  ASSERT_EQ(read.members[0].passages.size(), 2U);
  EXPECT_EQ(read.members[0].passages[1].ordinal, 2U);
  EXPECT_EQ(read.members[0].passages[1].mentions, candidates.members[0].passages[1].mentions);
  EXPECT_EQ(to_line(read), line);
}

TEST(EvidenceRecords, JudgmentsReadBackWithAndWithoutAGrade) {
  collection::evidence::JudgmentRecord judgment;
  judgment.topic = "t";
  judgment.docid = "w-1-0";
  judgment.member = "Ämber";
  judgment.member_page_id = 7;
  judgment.digest = "ab";
  judgment.judge = "lexical/1 (baseline)";
  judgment.state = JudgmentState::kJudged;
  judgment.grade = 0;
  judgment.probability = 0.25;
  judgment.mentions = {{1, 4}};
  judgment.spans = {{0, 9}};
  const auto line = to_line(judgment);
  const auto read = judgment_from_line(without_line_end(line), "here");
  EXPECT_EQ(read.grade, 0);
  EXPECT_EQ(read.probability, 0.25);
  EXPECT_EQ(read.mentions, judgment.mentions);
  EXPECT_EQ(to_line(read), line);

  judgment.grade.reset();
  judgment.probability.reset();
  judgment.state = JudgmentState::kUnparseable;
  const auto ungraded = judgment_from_line(without_line_end(to_line(judgment)), "here");
  EXPECT_FALSE(ungraded.grade.has_value());
  EXPECT_FALSE(ungraded.probability.has_value());
}

TEST(EvidenceRecords, QueriesReadBackAsTheyWereWritten) {
  const testing::TemporaryFolder folder;
  write_queries(folder / "q.jsonl", {{"t1", "ships \"built\" in Ö", "template", QueryVerdict::kKeywords, ""},
                                     {"t2", "", "", QueryVerdict::kUnworded, "one word alone"}});
  const auto read = read_queries(folder / "q.jsonl");
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[0].query, "ships \"built\" in Ö");
  EXPECT_EQ(read[0].source, "template");
  EXPECT_EQ(read[0].verdict, QueryVerdict::kKeywords);
  EXPECT_EQ(read[1].why, "one word alone");
}

TEST(EvidenceRecords, ABadLineIsReportedWithItsPlaceAndARemedy) {
  const testing::TemporaryFolder folder;
  for (const auto* bad : {"", "{", "[]", "{\"topic\": 3}", "{\"topic\": \"t\"}", "null", "\xff\xfe"}) {
    write_file_atomically(
        folder / "q.jsonl",
        std::string("{\"topic\":\"t\",\"query\":\"q\",\"source\":\"s\",\"verdict\":\"certain\",\"why\":\"\"}\n") + bad +
            "\n");
    try {
      read_queries(folder / "q.jsonl");
      FAIL() << "took " << bad;
    } catch (const FormatError& error) {
      const std::string text = error.what();
      EXPECT_NE(text.find("q.jsonl line 2"), std::string::npos) << text;
      EXPECT_NE(text.find("--force"), std::string::npos) << text;
    }
    EXPECT_THROW(candidates_from_line(bad, "x"), FormatError) << bad;
    EXPECT_THROW(judgment_from_line(bad, "x"), FormatError) << bad;
  }
}

TEST(EvidenceRecords, NumbersThatDoNotFitAreRefused) {
  const testing::TemporaryFolder folder;
  write_groups(folder / "good.jsonl", {sample_group()});
  const std::string good = read_file(folder / "good.jsonl");
  const std::pair<const char*, const char*> changes[] = {
      {"\"page_id\":4294967295", "\"page_id\":4294967296"},
      {"\"page_id\":1,", "\"page_id\":-1,"},
      {"\"page_id\":1,", "\"page_id\":1.5,"},
      {"\"page_id\":1,", "\"page_id\":1e300,"},
      {"\"page_id\":1,", "\"page_id\":\"1\","},
      {"\"tables\":[0,3]", "\"tables\":[0,-3]"},
      {"\"tables\":[0,3]", "\"tables\":{\"a\":0}"},
      {"\"cells\":12", "\"cells\":-12"},
      {"\"cells\":12", "\"cells\":18446744073709551616"},
      {"\"status\":\"kept\"", "\"status\":\"other\""},
      {"\"status\":\"kept\"", "\"status\":1"},
      {"\"members\":[", "\"members\":[[],"},
  };
  for (const auto& [from, to] : changes) {
    auto bad = good;
    const auto at = bad.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    bad.replace(at, std::string_view(from).size(), to);
    write_file_atomically(folder / "bad.jsonl", bad);
    EXPECT_THROW(read_groups(folder / "bad.jsonl"), FormatError) << to;
  }
  for (const auto* passage : {"[1,2,[[5,3]]]", "[1,2,[[1]]]", "[1,2,[[1,2,3]]]", "[1,2,[[-1,2]]]", "[1,-2,[]]",
                              "[4294967296,2,[]]", "[1,2]", "[1,2,{}]", "[1,2.5,[]]", "7", "{}"}) {
    const auto line = std::string(R"({"topic":"t","members":[{"page_id":1,"passages":[)") + passage + "]}]}";
    EXPECT_THROW(candidates_from_line(line, "here"), FormatError) << passage;
  }
}

TEST(EvidenceRecords, DeepNestingIsRefusedAndNotFollowed) {
  const std::string deep = std::string(R"({"topic":"t","members":)") + std::string(1'000'000, '[');
  EXPECT_THROW(candidates_from_line(deep, "here"), FormatError);
  EXPECT_THROW(candidates_from_line(deep + "1" + std::string(1'000'000, ']') + "}", "here"), FormatError);
  EXPECT_THROW(judgment_from_line(deep, "here"), FormatError);
}

TEST(EvidenceRecords, AMissingFileNamesItself) {
  const testing::TemporaryFolder folder;
  EXPECT_THROW(read_groups(folder / "none.jsonl"), StorageError);
}

}  // namespace
}  // namespace touchstone::pipeline::evidence
