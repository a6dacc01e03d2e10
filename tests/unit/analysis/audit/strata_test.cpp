#include "analysis/audit/strata.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace touchstone::analysis::audit {
namespace {

Decision decision(std::uint64_t member, Verdict verdict, std::optional<double> probability, std::string part = "") {
  return {"t", "w-" + std::to_string(member) + "-0", member, verdict, probability, std::move(part)};
}

TEST(Strata, AreNamedAfterVerdictProbabilityAndPart) {
  const std::vector<Decision> decisions = {
      decision(1, Verdict::kYes, 0.95, "link"), decision(2, Verdict::kYes, 1.0, "link"),
      decision(3, Verdict::kNo, 0.0),           decision(4, Verdict::kNo, std::nullopt),
      decision(5, Verdict::kUnsure, 0.41),      decision(6, Verdict::kUngraded, std::nullopt),
  };
  const auto found = stratify(decisions, 5);
  std::vector<std::string> names;
  for (const auto& stratum : found.strata) names.push_back(stratum.name);
  EXPECT_EQ(names, (std::vector<std::string>{"yes 0.8-1.0 link", "no without probability", "no 0.0-0.2",
                                             "unsure 0.4-0.6", "ungraded without probability"}));
  EXPECT_EQ(found.of, (std::vector<std::uint32_t>{0, 0, 2, 1, 3, 4}));
  EXPECT_EQ(found.strata[0].decisions, 2u);
  EXPECT_DOUBLE_EQ(*found.strata[0].mean_probability, 0.975);
  EXPECT_FALSE(found.strata[1].mean_probability);
}

TEST(Strata, AreTheSameInWhateverOrderTheDecisionsCome) {
  std::vector<Decision> decisions;
  for (std::uint64_t i = 0; i < 97; ++i)
    decisions.push_back(decision(i, i % 3 == 0 ? Verdict::kYes : Verdict::kNo, static_cast<double>(i * 37 % 97) / 97));
  const auto forward = stratify(decisions, 4);
  std::reverse(decisions.begin(), decisions.end());
  const auto backward = stratify(decisions, 4);
  ASSERT_EQ(forward.strata.size(), backward.strata.size());
  for (std::size_t i = 0; i < forward.strata.size(); ++i) {
    EXPECT_EQ(forward.strata[i].name, backward.strata[i].name);
    EXPECT_EQ(forward.strata[i].decisions, backward.strata[i].decisions);
    EXPECT_EQ(forward.strata[i].mean_probability, backward.strata[i].mean_probability);
  }
}

TEST(Strata, ARangeHoldsItsLowerBoundAndTheLastOneHoldsOne) {
  EXPECT_EQ(bin_of(0, 5), 0);
  EXPECT_EQ(bin_of(0.2, 5), 1);
  EXPECT_EQ(bin_of(0.9999, 5), 4);
  EXPECT_EQ(bin_of(1, 5), 4);
}

}  // namespace
}  // namespace touchstone::analysis::audit
