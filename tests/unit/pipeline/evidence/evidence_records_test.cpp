#include "pipeline/evidence/evidence_records.hpp"

#include "common/error.hpp"
#include "common/files.hpp"
#include "tests/support/temporary_folder.hpp"

#include <string>

#include <gtest/gtest.h>

namespace touchstone::pipeline::evidence {
namespace {

/// What a file holds that was written, read and written again: the same bytes, so that no field is left out of reading.
template <class Record>
std::vector<Record> read_back(const std::vector<Record>& all) {
  const testing::TemporaryFolder folder;
  using File = records::RecordFile<Record>;
  File::write(folder / "a.records", all);
  auto read = File::read(folder / "a.records");
  File::write(folder / "b.records", read);
  EXPECT_EQ(read_file(folder / "a.records"), read_file(folder / "b.records"));
  return read;
}

TEST(EvidenceRecords, GroupsReadBackAsTheyWereWritten) {
  Group kept;
  kept.topic = "t1";
  kept.structured = "List of \"x\" » Ä » Name";
  kept.page = "List of \"x\"";
  kept.page_id = PageId{4'294'967'295U};
  kept.pages = {PageId{3}, PageId{4'294'967'295U}};
  kept.section_path = {"Ä", "b\\c"};
  kept.column = "Name\tand more";
  kept.subject = true;
  kept.tables = {0, 3};
  kept.cells = 12;
  kept.empty_cells = 2;
  kept.unresolved_cells = 1;
  kept.members = {{PageId{1}, "Amber", "Q1"}, {PageId{2}, "日本", ""}};
  auto discarded = kept;
  discarded.discarded = DiscardReason::kEmptyCell;
  discarded.detail = "row 3";
  const auto read = read_back<Group>({kept, discarded});
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[0].structured, kept.structured);
  EXPECT_EQ(read[0].page, kept.page);
  EXPECT_EQ(read[0].page_id, kept.page_id);
  EXPECT_EQ(read[0].pages, kept.pages);
  EXPECT_EQ(read[0].section_path, kept.section_path);
  EXPECT_EQ(read[0].column, kept.column);
  EXPECT_TRUE(read[0].subject);
  EXPECT_EQ(read[0].tables, kept.tables);
  EXPECT_EQ(read[0].cells, 12U);
  EXPECT_EQ(read[0].empty_cells, 2U);
  EXPECT_EQ(read[0].unresolved_cells, 1U);
  ASSERT_EQ(read[0].members.size(), 2U);
  EXPECT_EQ(read[0].members[1].title, "日本");
  EXPECT_EQ(read[0].members[0].qid, "Q1");
  EXPECT_TRUE(read[0].kept());
  EXPECT_EQ(read[1].discarded, DiscardReason::kEmptyCell);
  EXPECT_EQ(read[1].detail, "row 3");
}

TEST(EvidenceRecords, CandidatesReadBackAsTheyWereWritten) {
  TopicCandidates candidates;
  candidates.topic = "t1";
  candidates.members.push_back(
      {PageId{5}, {{PageId{5}, 0, {}}, {PageId{9}, 2, {{3, 8}, {10, 12}}, CandidateSource::kMention}}});
  candidates.members.push_back({PageId{6}, {}});
  const auto read = read_back<TopicCandidates>({candidates});
  ASSERT_EQ(read.size(), 1U);
  EXPECT_EQ(read[0].topic, "t1");
  ASSERT_EQ(read[0].members.size(), 2U);
  ASSERT_EQ(read[0].members[0].passages.size(), 2U);
  const auto& passage = read[0].members[0].passages[1];
  EXPECT_EQ(passage.ordinal, 2U);
  EXPECT_EQ(passage.mentions, candidates.members[0].passages[1].mentions);
  EXPECT_EQ(passage.source, CandidateSource::kMention);
  EXPECT_EQ(read[0].members[1].page, PageId{6});
}

TEST(EvidenceRecords, QueriesReadBackAsTheyWereWritten) {
  const auto read = read_back<TopicQuery>({{"t1", "ships \"built\" in Ö", "template", QueryVerdict::kKeywords, ""},
                                           {"t2", "", "", QueryVerdict::kUnworded, "one word alone"}});
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[0].query, "ships \"built\" in Ö");
  EXPECT_EQ(read[0].source, "template");
  EXPECT_EQ(read[0].verdict, QueryVerdict::kKeywords);
  EXPECT_EQ(read[1].why, "one word alone");
}

TEST(EvidenceRecords, AFileOfOtherRecordsIsRefusedByName) {
  const testing::TemporaryFolder folder;
  QueryFile::write(folder / "queries.records", {});
  try {
    GroupFile::read(folder / "queries.records");
    FAIL();
  } catch (const FormatError& error) {
    EXPECT_NE(std::string(error.what()).find("queries.records"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace touchstone::pipeline::evidence
