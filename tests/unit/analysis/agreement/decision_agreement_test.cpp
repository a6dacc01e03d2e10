#include "analysis/agreement/decision_agreement.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::analysis::agreement {
namespace {

// Eight pairs of systems: one for each kind of decision but active disagreement, which has two.
const std::vector<SystemRelation> kReference = {{1, .001}, {1, .03}, {1, .03}, {1, .03},
                                                {1, .2},   {1, .2},  {1, .2},  {1, .9}};
const std::vector<SystemRelation> kOther = {{2, .01}, {-1, .01}, {2, .5}, {-2, .5},
                                            {1, .01}, {-1, .01}, {1, .5}, {-1, .5}};

TEST(DecisionAgreement, EachKindIsCounted) {
  const auto d = decision_agreement(kReference, kOther, 0.05);
  EXPECT_EQ(d.active_agreements, 1U);
  EXPECT_EQ(d.active_disagreements, 1U);
  EXPECT_EQ(d.mixed_agreements_reference, 1U);
  EXPECT_EQ(d.mixed_disagreements_reference, 1U);
  EXPECT_EQ(d.mixed_agreements_other, 1U);
  EXPECT_EQ(d.mixed_disagreements_other, 1U);
  EXPECT_EQ(d.passive_agreements, 1U);
  EXPECT_EQ(d.passive_disagreements, 1U);
  EXPECT_DOUBLE_EQ(d.precision(), 1.0 / 4);
  EXPECT_DOUBLE_EQ(d.recall(), 1.0 / 4);
  EXPECT_DOUBLE_EQ(d.publication_bias(), 1 - 1.0 / 4);
}

TEST(CountPairs, ADifferenceOfZeroIsATieOfItsSide) {
  const std::vector<SystemRelation> first = {{1, 0}, {-1, 0}, {1, 0}, {0, 0}, {1, 0}, {0, 0}};
  const std::vector<SystemRelation> second = {{2, 0}, {-3, 0}, {-1, 0}, {1, 0}, {0, 0}, {0, 0}};
  const auto counts = count_pairs(first, second);
  EXPECT_EQ(counts.pairs, 6U);
  EXPECT_EQ(counts.concordant, 2U);
  EXPECT_EQ(counts.discordant, 1U);
  EXPECT_EQ(counts.tied_in_first, 2U);
  EXPECT_EQ(counts.tied_in_second, 2U);
  EXPECT_EQ(counts.tied_in_both, 1U);
}

// Tables 2, 4 and 6 of "How Discriminative Are Your Qrels?" (CIKM 2023): rows AA, MA_L, MD_L and Bias in per cent of
// the eight methods. AD is 0 in all of them.
struct PublishedBias {
  const char* where;
  std::array<std::uint64_t, 8> active, mixed_agreements_other, mixed_disagreements_other;
  std::array<int, 8> bias;
};
constexpr std::array<PublishedBias, 12> kPublishedBias = {{
    {"table 2, MAP, 100 judgments",
     {858, 929, 926, 925, 922, 917, 915, 846},
     {62, 52, 50, 57, 50, 53, 43, 94},
     {0, 0, 1, 0, 1, 0, 0, 0},
     {7, 5, 5, 6, 5, 5, 4, 10}},
    {"table 2, MAP, 300 judgments",
     {923, 961, 959, 954, 958, 950, 947, 894},
     {43, 38, 30, 32, 30, 33, 31, 55},
     {0, 0, 0, 0, 0, 0, 0, 0},
     {4, 4, 3, 3, 3, 3, 3, 6}},
    {"table 2, NDCG, 100 judgments",
     {852, 874, 893, 883, 890, 881, 897, 864},
     {21, 22, 55, 27, 56, 26, 38, 35},
     {0, 0, 0, 0, 0, 0, 0, 0},
     {2, 2, 6, 3, 6, 3, 4, 4}},
    {"table 2, NDCG, 300 judgments",
     {890, 904, 909, 909, 909, 909, 907, 906},
     {13, 16, 22, 12, 22, 13, 26, 21},
     {0, 0, 0, 0, 0, 0, 0, 0},
     {1, 2, 2, 1, 2, 1, 3, 2}},
    {"table 4, MAP, 10 judgments",
     {186, 173, 199, 211, 204, 210, 175, 234},
     {199, 108, 146, 185, 155, 189, 207, 288},
     {30, 5, 9, 13, 10, 14, 25, 31},
     {55, 39, 43, 48, 45, 49, 57, 58}},
    {"table 4, MAP, 30 judgments",
     {348, 334, 325, 352, 325, 351, 252, 364},
     {173, 152, 101, 185, 103, 194, 194, 245},
     {0, 0, 0, 1, 0, 1, 6, 4},
     {33, 31, 24, 35, 24, 36, 44, 41}},
    {"table 4, NDCG, 10 judgments",
     {231, 223, 249, 253, 252, 252, 202, 259},
     {192, 129, 146, 170, 151, 172, 173, 223},
     {12, 2, 2, 4, 2, 5, 13, 14},
     {47, 37, 37, 41, 38, 41, 48, 48}},
    {"table 4, NDCG, 30 judgments",
     {347, 337, 337, 352, 338, 350, 281, 345},
     {133, 122, 101, 134, 96, 140, 147, 171},
     {0, 0, 0, 0, 0, 0, 0, 0},
     {28, 27, 23, 27, 22, 29, 34, 33}},
    {"table 6, MAP, 100 judgments",
     {460, 475, 480, 477, 479, 475, 473, 474},
     {34, 34, 16, 26, 15, 28, 13, 54},
     {0, 0, 0, 0, 0, 0, 0, 0},
     {7, 7, 3, 5, 3, 5, 3, 4}},
    {"table 6, MAP, 300 judgments",
     {492, 503, 508, 504, 507, 502, 500, 501},
     {27, 17, 12, 18, 14, 18, 10, 20},
     {0, 0, 0, 0, 0, 0, 0, 0},
     {5, 3, 2, 3, 3, 3, 2, 4}},
    {"table 6, NDCG, 100 judgments",
     {464, 483, 499, 486, 498, 484, 499, 480},
     {29, 30, 23, 24, 23, 24, 13, 32},
     {0, 0, 0, 0, 0, 0, 0, 0},
     {6, 6, 4, 5, 4, 5, 3, 6}},
    {"table 6, NDCG, 300 judgments",
     {497, 510, 516, 514, 515, 514, 515, 515},
     {17, 10, 9, 11, 11, 11, 12, 14},
     {0, 0, 0, 0, 0, 0, 0, 0},
     {3, 2, 2, 2, 2, 2, 2, 3}},
}};

TEST(PublicationBias, FollowsFromTheCountsOfThePapersTables) {
  // Most counts and biases are means of 50 runs of a method, so that a bias may be off by one. One is a misprint:
  // 1 - 474 / (474 + 54) is 10 %, and the table says 4 %. MA_total of the same column confirms the 54.
  std::size_t equal = 0, misprints = 0;
  for (const auto& row : kPublishedBias) {
    for (std::size_t method = 0; method < row.bias.size(); ++method) {
      DecisionAgreement decisions;
      decisions.active_agreements = row.active[method];
      decisions.mixed_agreements_other = row.mixed_agreements_other[method];
      decisions.mixed_disagreements_other = row.mixed_disagreements_other[method];
      decisions.mixed_agreements_reference = 1000;  // pairs that the other judgments miss do not count
      decisions.mixed_disagreements_reference = 1000;
      const double percent = 100 * decisions.publication_bias(), difference = std::abs(percent - row.bias[method]);
      equal += difference <= 0.5;
      misprints += difference >= 1;
      const bool is_misprint = row.active[method] == 474;
      EXPECT_EQ(difference >= 1, is_misprint) << row.where << ", method " << method;
    }
  }
  EXPECT_EQ(equal, 91U);
  EXPECT_EQ(misprints, 1U);
}

TEST(PublicationBias, IsUndefinedIfTheOtherFindsNothing) {
  EXPECT_TRUE(std::isnan(decision_agreement(kReference, kReference, 1e-9).publication_bias()));
}

TEST(Concordance, EachOrderOfAPairCounts) {
  // Of the eight pairs, active agreement and both passive ones agree in both orders, active disagreement in none, and
  // the four mixed ones in one order each.
  const auto all = concordance(kReference, kOther, 0.05);
  EXPECT_EQ(all.ordered_pairs, 16U);
  EXPECT_EQ(all.agreeing, 3U * 2 + 4U);
  EXPECT_DOUBLE_EQ(all.value(), 10.0 / 16);
  EXPECT_DOUBLE_EQ(concordance(kReference, kReference, 0.05).value(), 1);
  EXPECT_DOUBLE_EQ(concordance(kReference, kOther, 1e-9).value(), 1);  // nobody is significantly better
  EXPECT_TRUE(std::isnan(concordance({}, {}, 0.05).value()));
}

TEST(Concordance, OfSystemsWithEqualMeansNeitherIsBetter) {
  // The sign test may find equal means significantly different.
  const std::vector<SystemRelation> tied = {{0, .01}}, better = {{1, .01}}, equal = {{0, .9}};
  EXPECT_DOUBLE_EQ(concordance(tied, better, 0.05).value(), 0.5);
  EXPECT_DOUBLE_EQ(concordance(tied, equal, 0.05).value(), 1);
}

TEST(PairBuckets, APairIsInTheBucketOfItsReferencePValue) {
  const std::vector<double> p_values = {0, .00999, .01, .0499, .05, .5, 1, 1};
  const auto buckets = pair_buckets(kReference, kOther, p_values, 0.05);
  EXPECT_EQ(buckets[0].pairs.pairs, 2U);
  EXPECT_EQ(buckets[1].pairs.pairs, 2U);
  EXPECT_EQ(buckets[2].pairs.pairs, 4U);  // 1 is in the last
  EXPECT_DOUBLE_EQ(buckets[2].p_max, 1);
  EXPECT_DOUBLE_EQ(kendall_tau_a(buckets[0].pairs), 0);  // one agreement, one swap
  EXPECT_DOUBLE_EQ(error_rate(buckets[0].pairs), 50);
  EXPECT_DOUBLE_EQ(buckets[0].concordance.value(), 0.5);   // active agreement 1, active disagreement 0
  EXPECT_DOUBLE_EQ(buckets[1].concordance.value(), 0.5);   // mixed
  EXPECT_DOUBLE_EQ(buckets[2].concordance.value(), 0.75);  // two mixed, two passive
}

TEST(PairBuckets, TiesOfTheReferenceCountAsNeitherOrder) {
  const std::vector<SystemRelation> reference = {{0, 1}, {1, .5}}, other = {{1, .5}, {1, .5}};
  const auto buckets = pair_buckets(reference, other, std::vector<double>{1, .5}, 0.05);
  EXPECT_EQ(buckets[2].pairs.pairs, 2U);
  EXPECT_DOUBLE_EQ(kendall_tau_a(buckets[2].pairs), 0.5);
  EXPECT_DOUBLE_EQ(error_rate(buckets[2].pairs), 0);
}

// D-MERIT, table 9, recall@20: 12 systems make 66 pairs. The swapped pairs follow from the printed tau.
/// Random relations of the same pairs by two evaluations, with ties and equal p-values.
struct RandomPairs {
  std::vector<SystemRelation> reference, other;
  std::vector<double> p_values;
};

RandomPairs random_pairs(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::uint64_t n) { return static_cast<double>(random() % n); };
  constexpr double kPValues[] = {0, .001, .01, .04, .05, .3, 1};
  RandomPairs pairs;
  const auto count = random() % 40;
  for (std::uint64_t i = 0; i < count; ++i) {
    pairs.reference.push_back({below(5) - 2, kPValues[random() % 7]});
    pairs.other.push_back({below(5) - 2, kPValues[random() % 7]});
    pairs.p_values.push_back(kPValues[random() % 7]);
  }
  return pairs;
}

TEST(Decisions, HoldWhatTheDefinitionsImplyOnRandomPairs) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const auto [reference, other, p_values] = random_pairs(seed);
    const auto d = decision_agreement(reference, other, 0.05), turned = decision_agreement(other, reference, 0.05);
    EXPECT_EQ(d.active_agreements + d.active_disagreements + d.mixed_agreements() + d.mixed_disagreements() +
                  d.passive_agreements + d.passive_disagreements,
              reference.size())
        << seed;
    const auto same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
    EXPECT_TRUE(same(d.precision(), turned.recall())) << seed;
    EXPECT_TRUE(same(d.recall(), turned.precision())) << seed;
    const bool finds = std::any_of(other.begin(), other.end(), [](const auto& pair) { return pair.p_value <= 0.05; });
    EXPECT_EQ(std::isnan(d.publication_bias()), !finds) << seed;
    if (finds) {
      EXPECT_GE(d.publication_bias(), 0) << seed;
      EXPECT_LE(d.publication_bias(), 1) << seed;
    }
    const auto all = concordance(reference, other, 0.05), back = concordance(other, reference, 0.05);
    EXPECT_EQ(all.agreeing, back.agreeing) << seed;
    EXPECT_EQ(all.ordered_pairs, 2 * reference.size()) << seed;
    EXPECT_EQ(concordance(reference, reference, 0.05).agreeing, 2 * reference.size()) << seed;
  }
}

TEST(PairBuckets, AddUpToAllPairsOnRandomPairs) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const auto [reference, other, p_values] = random_pairs(seed);
    const auto all = count_pairs(reference, other);
    const auto agreeing = concordance(reference, other, 0.05).agreeing;
    PairCounts sum;
    std::uint64_t agreeing_in_buckets = 0;
    for (const auto& bucket : pair_buckets(reference, other, p_values, 0.05)) {
      sum.pairs += bucket.pairs.pairs;
      sum.concordant += bucket.pairs.concordant;
      sum.discordant += bucket.pairs.discordant;
      agreeing_in_buckets += bucket.concordance.agreeing;
      EXPECT_EQ(std::isnan(error_rate(bucket.pairs)), bucket.pairs.pairs == 0) << seed;
    }
    EXPECT_EQ(sum.pairs, all.pairs) << seed;
    EXPECT_EQ(sum.concordant, all.concordant) << seed;
    EXPECT_EQ(sum.discordant, all.discordant) << seed;
    EXPECT_EQ(agreeing_in_buckets, agreeing) << seed;
  }
}

TEST(ErrorRate, FollowsFromTauAsInTheTablesOfDMerit) {
  struct Row {
    std::uint64_t discordant;
    double tau, error_rate;
  };
  for (const Row& row : {Row{10, .697, 15.15}, Row{15, .545, 22.75}, Row{9, .727, 13.65}, Row{13, .606, 19.70},
                         Row{14, .576, 21.20}, Row{6, .818, 9.10}}) {
    PairCounts counts;
    counts.pairs = 66;
    counts.discordant = row.discordant;
    counts.concordant = 66 - row.discordant;
    EXPECT_NEAR(kendall_tau_a(counts), row.tau, 0.0005);
    EXPECT_NEAR(error_rate(counts), row.error_rate, 0.025);
  }
}

}  // namespace
}  // namespace touchstone::analysis::agreement
