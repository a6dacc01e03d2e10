#include "collection/evidence/evidence_join.hpp"

#include "common/error.hpp"
#include "common/json_tree.hpp"
#include "tests/unit/collection/evidence/sample_collection.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace touchstone::collection::evidence {
namespace {

using testing::sample_judgment;
using testing::sample_topic;
using testing::TemporaryFolder;
using testing::write_text;

constexpr const char* kBase = "https://tea.example.org/wiki/Main_Page";

std::vector<nlohmann::ordered_json> lines_of(EvidenceJoin& join, const std::string& corpus) {
  std::vector<nlohmann::ordered_json> lines;
  join.for_each_line(corpus, kBase, StopFlag(), [&](std::string_view line) {
    EXPECT_EQ(line.back(), '\n');
    lines.push_back(parse_json(std::string(line)));
  });
  return lines;
}

std::string corpus_line(const std::string& docid, const std::string& title) {
  return R"({"_id":")" + docid + R"(","title":")" + title + R"(","text":"Text of )" + docid +
         R"(.","metadata":{"page_id":1,"ordinal":0,"revision":7,"section":["A"],"copies":[]}})" + "\n";
}

TEST(EvidenceJoin, EachLineHasQueryMemberAndPassageInTheOrderOfJudgments) {
  const TemporaryFolder folder;
  const auto corpus = (folder / "corpus.jsonl").string();
  write_text(corpus, corpus_line("teawiki-2-0", "Tea & 茶") + corpus_line("teawiki-10-0", "Pot") +
                         corpus_line("teawiki-11-0", "Cup"));
  EvidenceJoin join(folder.path(), 1);
  join.add(sample_topic("t1"));
  MemberRecord member;
  member.topic = "t1";
  member.page_id = 100;
  member.qid = "Q5";
  join.add(member);
  for (const auto& [id, docid] : std::vector<std::pair<std::uint64_t, std::string>>{
           {9, "teawiki-2-0"}, {9, "teawiki-11-0"}, {100, "teawiki-10-0"}, {100, "teawiki-2-0"}}) {
    auto judgment = sample_judgment("t1", id, docid);
    judgment.grade = docid == "teawiki-11-0" ? 0 : 1;
    join.add(judgment);
  }
  const auto lines = lines_of(join, corpus);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0]["docid"], "teawiki-2-0");
  EXPECT_TRUE(lines[0]["qid"].is_null());
  EXPECT_EQ(lines[1]["docid"], "teawiki-10-0");
  EXPECT_EQ(lines[1]["qid"], "Q5");
  EXPECT_EQ(lines[1]["text"], "Text of teawiki-10-0.");
  EXPECT_EQ(lines[2]["docid"], "teawiki-2-0");
  EXPECT_EQ(lines[2]["query"], sample_topic("t1").query);
  EXPECT_EQ(lines[2]["url"], "https://tea.example.org/wiki/Tea_%26_%E8%8C%B6?oldid=7");
}

TEST(EvidenceJoin, ACorpusThatIsNoneIsAnErrorWithItsLine) {
  const TemporaryFolder folder;
  const auto corpus = (folder / "corpus.jsonl").string();
  write_text(corpus, corpus_line("teawiki-2-0", "Tea") + "{}\n");
  EvidenceJoin join(folder.path(), 1);
  join.add(sample_topic("t1"));
  join.add(sample_judgment("t1", 9, "teawiki-2-0"));
  EXPECT_THROW(lines_of(join, corpus), FormatError);
}

TEST(EvidenceJoin, BelowTheEvidenceGradeNothingIsWritten) {
  const TemporaryFolder folder;
  EvidenceJoin join(folder.path(), 2);
  join.add(sample_topic("t1"));
  join.add(sample_judgment("t1", 9, "teawiki-2-0"));
  EXPECT_TRUE(lines_of(join, (folder / "no corpus is read").string()).empty());
}

}  // namespace
}  // namespace touchstone::collection::evidence
