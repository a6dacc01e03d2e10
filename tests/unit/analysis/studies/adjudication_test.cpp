#include "analysis/studies/adjudication/adjudication_study.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace touchstone::analysis::studies::adjudication {
namespace {

/// 100 topics with 10 documents each in the pool; a trial of `hedge` that judges `judged` documents.
std::vector<Finding> findings_of(std::size_t significant, std::uint64_t judged, std::uint64_t reversed) {
  Trial trial;
  trial.judged = judged;
  trial.tau = trial.tau_ap = 0.95;
  trial.decisions.active_agreements = significant - reversed;
  trial.decisions.active_disagreements = reversed;
  MeasureResults results{"map", 1830, significant, {}};
  results.methods.push_back({AdjudicationMethod::kHedge, judged / 100, {trial}});
  return describe({1000, 300}, {results}).findings;
}

bool all_are_facts(const std::vector<Finding>& findings) {
  return std::all_of(findings.begin(), findings.end(), [](const Finding& f) { return f.verdict == Verdict::kFact; });
}

TEST(AdjudicationFindings, WithoutASignificantPairThereIsNoVerdict) {
  const auto findings = findings_of(0, 500, 0);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_TRUE(all_are_facts(findings));
  EXPECT_NE(findings[0].statement.find("none of the 1830 pairs"), std::string::npos) << findings[0].statement;
}

TEST(AdjudicationFindings, AFewSignificantPairsSetNoThreshold) {
  const auto findings = findings_of(9, 500, 1);
  EXPECT_TRUE(all_are_facts(findings));
  EXPECT_NE(findings[0].statement.find("cannot be told with so few"), std::string::npos) << findings[0].statement;
}

TEST(AdjudicationFindings, ABudgetThatCoversThePoolGivesNoVerdict) {
  const auto findings = findings_of(500, 1000, 0);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_TRUE(all_are_facts(findings));
  EXPECT_NE(findings[0].statement.find("cover the whole pool"), std::string::npos) << findings[0].statement;
}

TEST(AdjudicationFindings, OneReversedPairOfManyIsACaution) {
  const auto last = [](std::uint64_t reversed) { return findings_of(500, 500, reversed).back().verdict; };
  EXPECT_EQ(last(0), Verdict::kGood);
  EXPECT_EQ(last(1), Verdict::kCaution);
  EXPECT_EQ(last(5), Verdict::kCaution);  // 1 %
  EXPECT_EQ(last(6), Verdict::kBad);
}

}  // namespace
}  // namespace touchstone::analysis::studies::adjudication
