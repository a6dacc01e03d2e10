#include "analysis/agreement/reliability.hpp"

#include "common/error.hpp"
#include "tests/unit/analysis/shared_data.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace touchstone::analysis::agreement {
namespace {

// By hand: means 1, 2, 6 over systems; 2, 4 over topics; residuals all 0 but the second system's.
const statistics::ScoreMatrix kSmall{{"a", "b", "c"}, {"1", "2"}, {0, 2, 2, 2, 4, 8}};

TEST(Cronbach, EqualsERhoSquaredAtTheTopicsAtHand) {
  EXPECT_DOUBLE_EQ(cronbach_alpha(kSmall), 1 - 2.0 / 14);
  const auto study = g_study(kSmall);
  EXPECT_NEAR(d_study(study, 2).e_rho_squared.expected, cronbach_alpha(kSmall), 1e-12);
}

TEST(GStudy, DroppingTooManySystemsIsRefused) {
  EXPECT_THROW(g_study(kSmall, 0.7), ConfigError);
  EXPECT_THROW(g_study(kSmall, 1), ConfigError);
  EXPECT_EQ(g_study(kSmall, 0.34).systems, 2U);
}

// R: sum(x >= quantile(x, share)) of the means 1 ... n.
TEST(GStudy, SystemsBelowTheQuantileOfTheMeansAreLeftOut) {
  struct {
    std::size_t systems;
    double drop;
    std::size_t kept;
  } const cases[] = {{41, .25, 31}, {42, .25, 31}, {7, .1, 6}, {41, .1, 37}, {40, .25, 30}, {5, 0, 5}};
  for (const auto& c : cases) {
    statistics::ScoreMatrix scores{{}, {"1", "2"}, {}};
    for (std::size_t s = 1; s <= c.systems; ++s) {
      scores.systems.push_back(std::to_string(s));
      scores.values.push_back(static_cast<double>(s));
      scores.values.push_back(static_cast<double>(s));
    }
    EXPECT_EQ(g_study(scores, c.drop).systems, c.kept) << c.systems << " " << c.drop;
  }
}

TEST(DStudy, MoreTopicsAreMoreReliable) {
  const auto study = g_study(kSmall);
  double before = 0;
  for (const double topics : {1.0, 5.0, 50.0, 500.0}) {
    const auto d = d_study(study, topics);
    EXPECT_GT(d.e_rho_squared.expected, before);
    EXPECT_LE(d.phi.expected, d.e_rho_squared.expected);
    EXPECT_LE(d.e_rho_squared.low, d.e_rho_squared.high);
    before = d.e_rho_squared.expected;
  }
}

TEST(DStudy, AnUndefinedCoefficientHasNoInterval) {
  // Two equal systems: there are neither differences between them nor noise.
  const statistics::ScoreMatrix scores{{"a", "b"}, {"1", "2", "3"}, {.1, .2, .3, .1, .2, .3}};
  const auto d = d_study(g_study(scores), 3);
  EXPECT_TRUE(std::isnan(d.e_rho_squared.expected));
  EXPECT_TRUE(std::isnan(d.e_rho_squared.low)) << d.e_rho_squared.low;
  EXPECT_TRUE(std::isnan(d.e_rho_squared.high)) << d.e_rho_squared.high;
}

// The example of the R package gt4ireval (its README): TREC-3 ad hoc, the worst quarter of the systems left out.
TEST(PublishedNumbers, GeneralisabilityOfTrec3) {
  const auto path = touchstone::testing::shared_data() / "stats" / "gt4ireval" / "adhoc3.csv";
  TS_NEED_DATA(path);
  const auto study = g_study(statistics::read_score_matrix(path), 0.25);
  EXPECT_EQ(study.systems, 30U);
  EXPECT_NEAR(study.variance_systems, 0.0028116986, 1e-10);
  EXPECT_NEAR(study.variance_topics, 0.0280934288, 1e-10);
  EXPECT_NEAR(study.variance_interaction, 0.0101522471, 1e-10);
  struct {
    double topics;
    Estimate e_rho_squared, phi;
  } const rows[] = {{50, {.93265, .89311, .96287}, {.78613, .66141, .88039}},
                    {100, {.96515, .94354, .98109}, {.88026, .79621, .93639}},
                    {150, {.97649, .96164, .98731}, {.91686, .85423, .95668}}};
  const auto near = [](const Estimate& a, const Estimate& b) {
    EXPECT_NEAR(a.expected, b.expected, 6e-6);
    EXPECT_NEAR(a.low, b.low, 6e-6);
    EXPECT_NEAR(a.high, b.high, 6e-6);
  };
  for (const auto& row : rows) {
    const auto d = d_study(study, row.topics);
    near(d.e_rho_squared, row.e_rho_squared);
    near(d.phi, row.phi);
  }
  const auto needed = topics_needed(study, 0.95);
  near(needed.e_rho_squared, {69, 37, 114});
  near(needed.phi, {259, 130, 487});
}

}  // namespace
}  // namespace touchstone::analysis::agreement
