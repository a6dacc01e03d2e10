#include "analysis/agreement/decision_agreement.hpp"

#include <cmath>
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
  EXPECT_DOUBLE_EQ(d.publication_bias(), 1 - 1.0 / 6);
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

TEST(DecisionAgreement, SignificantRelationsAndPartialTau) {
  EXPECT_DOUBLE_EQ(concordance_of_significant(kReference, kOther, 0.05), 2.0 / 4);
  const auto below = partial_tau(kReference, kOther, 0.01, 0.05);
  EXPECT_EQ(below.pairs, 3U);
  EXPECT_DOUBLE_EQ(below.tau(), (1.0 - 2) / 3);
  EXPECT_TRUE(std::isnan(concordance_of_significant(kReference, kOther, 1e-9)));
}

}  // namespace
}  // namespace touchstone::analysis::agreement
