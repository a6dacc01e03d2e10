#include "analysis/agreement/qrels_grades.hpp"

#include "common/error.hpp"
#include "tests/unit/analysis/shared_data.hpp"

#include <algorithm>
#include <tuple>

#include <gtest/gtest.h>

namespace touchstone::analysis::agreement {
namespace {

TEST(QrelsGrades, RollUpTakesTheLargestOrTheSum) {
  const std::vector<formats::trec::QrelRecord> qrels = {{"1", "D_2_0", 1}, {"1", "D_2_1", 2}, {"2", "D_2_0", 3}};
  const auto most = roll_up_grades(qrels, RollUp::kMax), sum = roll_up_grades(qrels, RollUp::kSum);
  ASSERT_EQ(most.size(), 2U);
  EXPECT_EQ(most[0].docid, "D_2");
  EXPECT_EQ(most[0].grade, 2);
  EXPECT_EQ(sum[0].grade, 3);
  EXPECT_THROW(roll_up_grades(std::vector<formats::trec::QrelRecord>{{"1", "D", 1}}, RollUp::kMax), FormatError);
}

TEST(QrelsGrades, RollUpLeavesOutWhatWasNotJudgedAndRefusesSumsThatQrelsCannotHold) {
  const std::vector<formats::trec::QrelRecord> qrels = {
      {"1", "D_0", -1}, {"1", "D_1", 2}, {"1", "D_2", -3}, {"1", "E_0", -2}};
  for (const auto how : {RollUp::kMax, RollUp::kSum}) {
    const auto documents = roll_up_grades(qrels, how);
    ASSERT_EQ(documents.size(), 2U);
    EXPECT_EQ(documents[0].grade, 2);
    EXPECT_EQ(documents[1].grade, -2);
  }
  const std::vector<formats::trec::QrelRecord> large = {{"1", "D_0", 100}, {"1", "D_1", 28}};
  EXPECT_EQ(roll_up_grades(large, RollUp::kMax)[0].grade, 100);
  EXPECT_THROW(roll_up_grades(large, RollUp::kSum), FormatError);
}

TEST(PublishedNumbers, PilotOfTheReannotation) {
  const auto folder = touchstone::testing::shared_data() / "qrels" / "sigir25-reannotation" / "pilot_qrels";
  TS_NEED_DATA(folder);
  std::vector<formats::trec::QrelRecord> secondary, primary;
  std::vector<std::string> topics;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().filename() == "ground-truth-qrels.txt") continue;
    for (auto& record : formats::trec::read_qrels(entry.path())) {
      topics.push_back(record.topic);
      secondary.push_back(std::move(record));
    }
  }
  for (auto& record :
       formats::trec::read_qrels(touchstone::testing::shared_data() / "qrels" / "qrels.dl19-passage.txt"))
    if (std::find(topics.begin(), topics.end(), record.topic) != topics.end()) primary.push_back(std::move(record));
  const auto check = [](const std::vector<formats::trec::QrelRecord>& qrels, std::size_t size,
                        const std::vector<double>& shares) {
    ASSERT_EQ(qrels.size(), size);
    const auto counts = grade_counts(qrels);
    ASSERT_EQ(counts.size(), shares.size());
    for (std::size_t i = 0; i < shares.size(); ++i)
      EXPECT_NEAR(static_cast<double>(counts[i].second) / static_cast<double>(size), shares[i], 5.1e-4);
  };
  check(primary, 1143, {.487, .190, .308, .015});
  check(secondary, 600, {.560, .213, .108, .118});
}

TEST(PublishedNumbers, FiraSnippetsAndDocuments) {
  const auto folder = touchstone::testing::shared_data() / "qrels" / "fira";
  TS_NEED_DATA(folder);
  const auto snippets = formats::trec::read_qrels(folder / "fira-trec19-qrels-snippets.txt");
  EXPECT_EQ(grade_counts(snippets),
            (std::vector<std::pair<int, std::uint64_t>>{{0, 13566}, {1, 6201}, {2, 3145}, {3, 1286}}));
  for (const auto& [how, file] : {std::pair{RollUp::kMax, "fira-trec19-notrec-qrels-docs-max.txt"},
                                  std::pair{RollUp::kSum, "fira-trec19-notrec-qrels-docs-sum.txt"}}) {
    auto shipped = formats::trec::read_qrels(folder / file);
    std::sort(shipped.begin(), shipped.end(),
              [](const auto& a, const auto& b) { return std::tie(a.topic, a.docid) < std::tie(b.topic, b.docid); });
    const auto ours = roll_up_grades(snippets, how);
    ASSERT_EQ(ours.size(), 2003U);
    ASSERT_EQ(shipped.size(), 2003U);
    for (std::size_t i = 0; i < ours.size(); ++i) {
      EXPECT_EQ(ours[i].docid, shipped[i].docid);
      EXPECT_EQ(ours[i].grade, shipped[i].grade);
    }
  }
}

}  // namespace
}  // namespace touchstone::analysis::agreement
