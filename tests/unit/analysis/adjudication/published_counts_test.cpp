#include "analysis/adjudication/adjudicator.hpp"
#include "formats/trec/qrels_table.hpp"
#include "formats/trec/run.hpp"
#include "tests/unit/analysis/shared_data.hpp"

#include <algorithm>

#include <xxhash.h>

/// Relevant documents that methods find on the TREC 2019 Deep Learning passage task: pools of depth 10 of the 37
/// official runs, judged documents only, grade 1 and above relevant.
namespace touchstone::analysis::adjudication {
namespace {

using formats::trec::QrelsTable;
using formats::trec::RunEntry;
using formats::trec::RunFile;

class DeepLearning2019 : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto folder = testing::shared_data();
    TS_NEED_DATA(folder / "runs/trec-dl-2019");
    qrels_ = std::make_unique<QrelsTable>(folder / "qrels/qrels.dl19-passage.txt");
    std::vector<std::unique_ptr<RunFile>> runs;
    for (const auto& file : std::filesystem::directory_iterator(folder / "runs/trec-dl-2019")) {
      const auto name = file.path().filename().string();
      const bool modern = name.starts_with("colbert_") || name.starts_with("tirex_") || name.starts_with("maik-froebe");
      if (!modern) runs.push_back(std::make_unique<RunFile>(file.path()));
    }
    ASSERT_EQ(runs.size(), 37U);
    for (std::size_t topic = 0; topic < qrels_->topic_count(); ++topic) add_pool(topic, runs);
  }

  bool is_relevant(std::size_t topic, const std::string& docid) const { return grade(topic, docid) >= 1; }

  std::size_t relevant_found(AdjudicationMethod method, std::size_t budget) const {
    std::size_t found = 0;
    for (std::size_t topic = 0; topic < pools_.size(); ++topic) {
      const auto adjudicator = make_adjudicator({.method = method, .budget = budget}, pools_[topic], topic);
      for (std::size_t judged = 0; judged < budget; ++judged) {
        const auto document = adjudicator->next();
        if (!document) break;
        const bool relevant = is_relevant(topic, pools_[topic].docids[*document]);
        adjudicator->judge(relevant);
        found += relevant ? 1 : 0;
      }
    }
    return found;
  }

  std::vector<TopicPool> pools_;

 private:
  int grade(std::size_t topic, std::string_view docid) const {
    const auto place = qrels_->find(topic, docid, XXH3_64bits(docid.data(), docid.size()));
    return place == QrelsTable::kNone ? -1 : qrels_->judgments(topic)[place].grade;
  }

  void add_pool(std::size_t topic, const std::vector<std::unique_ptr<RunFile>>& runs) {
    std::vector<std::vector<std::string_view>> rankings;
    for (const auto& run : runs) {
      auto& ranking = rankings.emplace_back();
      for (std::size_t i = 0; i < run->topic_count(); ++i) {
        if (run->topic(i) != qrels_->topic(topic)) continue;
        std::vector<RunEntry> entries;
        run->read_topic(i, entries);
        for (const auto& entry : entries) ranking.push_back(entry.docid);
      }
    }
    pools_.push_back(make_topic_pool(rankings, 10, [&](std::string_view docid) { return grade(topic, docid) >= 0; }));
  }

  std::unique_ptr<QrelsTable> qrels_;
};

TEST_F(DeepLearning2019, PoolsHoldTheJudgedDocuments) {
  std::size_t judged = 0, relevant = 0;
  for (std::size_t topic = 0; topic < pools_.size(); ++topic) {
    judged += pools_[topic].docids.size();
    for (const auto& docid : pools_[topic].docids) relevant += is_relevant(topic, docid) ? 1 : 0;
  }
  EXPECT_EQ(judged, 2494U);
  EXPECT_EQ(relevant, 1181U);
}

TEST_F(DeepLearning2019, OrdersThatNoJudgmentChangesFindWhatAnIndependentProgramFinds) {
  EXPECT_EQ(relevant_found(AdjudicationMethod::kTopK, 10), 274U);
  EXPECT_EQ(relevant_found(AdjudicationMethod::kTopK, 30), 701U);
  EXPECT_EQ(relevant_found(AdjudicationMethod::kNtcir, 10), 347U);
  EXPECT_EQ(relevant_found(AdjudicationMethod::kNtcir, 30), 844U);
}

TEST_F(DeepLearning2019, MethodsThatLearnFindMoreThanTopK) {
  for (const auto& [name, method] : Choices<AdjudicationMethod>::table) {
    if (method == AdjudicationMethod::kTopK) continue;
    for (const std::size_t budget : {10, 30}) {
      const auto found = relevant_found(method, budget);
      RecordProperty(std::string(name) + "_" + std::to_string(budget), static_cast<int>(found));
      EXPECT_GT(found, relevant_found(AdjudicationMethod::kTopK, budget)) << name << " with a budget of " << budget;
    }
  }
}

}  // namespace
}  // namespace touchstone::analysis::adjudication
