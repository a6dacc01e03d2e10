#include "pipeline/evidence/candidate_limits.hpp"

#include <cstdint>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::evidence {
namespace {

using Counts = std::vector<std::uint64_t>;

/// A member with one passage on each of the pages 1, 2, ..., from these sources.
TopicCandidates::Member member_with(const std::vector<CandidateSource>& sources) {
  TopicCandidates::Member member;
  std::uint32_t page = 0;
  for (const auto source : sources) member.passages.push_back({PageId{++page}, 0, {}, source});
  return member;
}

Counts pages_of(const TopicCandidates::Member& member) {
  Counts pages;
  for (const auto& passage : member.passages) pages.push_back(passage.page.value);
  return pages;
}

constexpr auto kOwn = CandidateSource::kOwnArticle, kLinked = CandidateSource::kLink,
               kNamed = CandidateSource::kMention, kOnPage = CandidateSource::kPage;

TEST(CandidateLimits, WeakSourcesAreCutFirstAndTheRestStaysInOrder) {
  TopicCandidates topic;
  topic.members = {member_with({kOnPage, kNamed, kLinked, kOnPage, kNamed, kOwn})};
  CandidatesOptions options;
  options.max_added_per_member = 3;
  CandidateCuts cuts;
  limit_candidates(topic, options, cuts);
  EXPECT_EQ(pages_of(topic.members[0]), (Counts{1, 2, 3, 5, 6}));
  EXPECT_EQ(cuts.added_to_members, 1U);
  options.max_per_member = 3;
  limit_candidates(topic, options, cuts);
  EXPECT_EQ(pages_of(topic.members[0]), (Counts{2, 3, 6}));
  EXPECT_EQ(cuts.of_members, 2U);
}

TEST(CandidateLimits, ATopicTakesItsSurplusFromTheMembersWithMost) {
  TopicCandidates topic;
  topic.members = {member_with({kNamed, kOnPage, kOnPage, kOnPage}), member_with({kLinked, kLinked, kNamed}),
                   member_with({kOnPage, kOnPage})};
  CandidatesOptions options;
  options.max_added_per_topic = 4;
  CandidateCuts cuts;
  limit_candidates(topic, options, cuts);
  EXPECT_EQ(pages_of(topic.members[0]), (Counts{1, 2}));
  EXPECT_EQ(pages_of(topic.members[1]), (Counts{1, 2, 3}));
  EXPECT_EQ(pages_of(topic.members[2]), (Counts{1}));
  EXPECT_EQ(cuts.added_to_topics, 3U);
}

TEST(CandidateLimits, SharesAreEvenAndUseAllThereIs) {
  EXPECT_EQ(shares_of({5, 1, 9}, 20), (Counts{5, 1, 9}));
  EXPECT_EQ(shares_of({5, 1, 9}, 9), (Counts{4, 1, 4}));
  EXPECT_EQ(shares_of({5, 1, 9}, 10), (Counts{5, 1, 4}));
  EXPECT_EQ(shares_of({1, 1, 1, 1}, 2), (Counts{1, 1, 0, 0}));
  EXPECT_EQ(shares_of({}, 2), Counts{});
  std::mt19937 random(3);
  for (int round = 0; round < 300; ++round) {
    Counts counts(1 + random() % 8);
    for (auto& count : counts) count = random() % 10;
    const std::uint64_t most = random() % 40, sum = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
    const auto shares = shares_of(counts, most);
    EXPECT_EQ(std::accumulate(shares.begin(), shares.end(), std::uint64_t{0}), std::min(most, sum));
    for (std::size_t i = 0; i < counts.size(); ++i) {
      EXPECT_LE(shares[i], counts[i]);
      // Whoever lost something has no less than anybody else, but for one.
      for (std::size_t j = 0; j < counts.size() && shares[i] < counts[i]; ++j) EXPECT_GE(shares[i] + 1, shares[j]);
    }
  }
}

}  // namespace
}  // namespace touchstone::pipeline::evidence
