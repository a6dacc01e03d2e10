#include "collection/evidence/collection_counter.hpp"

#include <gtest/gtest.h>

namespace touchstone::collection::evidence {
namespace {

TEST(CollectionCounter, BucketsAreTensThenHundredsThenThousands) {
  using Range = std::pair<std::uint64_t, std::uint64_t>;
  EXPECT_EQ(member_bucket(0), Range(0, 0));
  EXPECT_EQ(member_bucket(1), Range(1, 10));
  EXPECT_EQ(member_bucket(10), Range(1, 10));
  EXPECT_EQ(member_bucket(11), Range(11, 20));
  EXPECT_EQ(member_bucket(100), Range(91, 100));
  EXPECT_EQ(member_bucket(101), Range(101, 200));
  EXPECT_EQ(member_bucket(1000), Range(901, 1000));
  EXPECT_EQ(member_bucket(1001), Range(1001, 2000));
}

TEST(CollectionCounter, CountsJudgmentsBySource) {
  CollectionCounter counter(2);
  const auto judge = [&](std::optional<CandidateSource> source, std::optional<int> grade) {
    JudgmentRecord judgment;
    judgment.source = source;
    judgment.grade = grade;
    counter.judgment(judgment);
  };
  judge(std::nullopt, 2);
  EXPECT_TRUE(counter.numbers().by_source.empty());
  for (const auto& grade : {std::optional(2), std::optional(1), std::optional(0), std::optional<int>()})
    judge(CandidateSource::kPage, grade);
  judge(CandidateSource::kLink, 3);
  const auto sources = counter.numbers().by_source;
  ASSERT_EQ(sources.size(), 2U);
  EXPECT_EQ(sources[0].source, CandidateSource::kLink);
  EXPECT_EQ(sources[0].evidence_share, 1);
  EXPECT_EQ(sources[1].candidates, 4U);
  EXPECT_EQ(sources[1].judged, 3U);
  EXPECT_EQ(sources[1].evidence, 1U);
  EXPECT_EQ(sources[1].evidence_share, 0.3333);
}

}  // namespace
}  // namespace touchstone::collection::evidence
