#include "analysis/audit/estimates.hpp"
#include "analysis/audit/sample.hpp"
#include "analysis/statistics/beta_sampler.hpp"

#include <array>
#include <cstdio>
#include <ostream>

#include <gtest/gtest.h>

// Whether 95 % intervals hold the truth in 95 % of samples. Each simulation makes finite collections whose evidence is
// known, draws samples as the program does, and counts. docs/audit.md has the table of these numbers.
namespace touchstone::analysis::audit {
namespace {

using statistics::Random;

struct Part {
  Verdict verdict;
  std::uint64_t decisions;
  double share;        ///< of evidence
  double probability;  ///< that the judge states on average
};

struct Scenario {
  const char* name;
  std::vector<Part> parts;
  std::uint64_t sample;
  /// Correlation of the evidence of two passages of one topic; a topic has 20 decisions of a stratum.
  double topic_effect = 0;
};

void PrintTo(const Scenario& scenario, std::ostream* out) {
  *out << scenario.name << ", " << scenario.sample;
}

const std::vector<Part> kSmall = {{Verdict::kYes, 90, 0.98, 0.93}, {Verdict::kYes, 40, 0.85, 0.7},
                                  {Verdict::kYes, 10, 0.6, 0.55},  {Verdict::kNo, 30, 0.5, 0.45},
                                  {Verdict::kNo, 120, 0.3, 0.3},   {Verdict::kNo, 146, 0.1, 0.1}};
const std::vector<Part> kLarge = {{Verdict::kYes, 4000, 0.95, 0.93}, {Verdict::kYes, 500, 0.7, 0.7},
                                  {Verdict::kYes, 200, 0.5, 0.55},   {Verdict::kNo, 274, 0.4, 0.45},
                                  {Verdict::kNo, 1000, 0.15, 0.3},   {Verdict::kNo, 7000, 0.01, 0.05}};
const std::vector<Part> kWithoutProbability = {{Verdict::kYes, 3000, 0.85, 0.85}, {Verdict::kNo, 9000, 0.02, 0.1}};
const std::vector<Part> kRareMisses = {{Verdict::kYes, 2000, 0.97, 0.95},
                                       {Verdict::kYes, 300, 0.8, 0.7},
                                       {Verdict::kNo, 1000, 0.05, 0.3},
                                       {Verdict::kNo, 50'000, 0.002, 0.05}};
const std::vector<Part> kTopics = {{Verdict::kYes, 1000, 0.85, 0.93},
                                   {Verdict::kYes, 300, 0.6, 0.7},
                                   {Verdict::kNo, 700, 0.2, 0.3},
                                   {Verdict::kNo, 3000, 0.03, 0.05}};

/// Evidence of a part of a collection.
std::uint64_t evidence_of(const Part& part, double topic_effect, Random& random) {
  if (topic_effect == 0) return statistics::draw_binomial(part.decisions, part.share, random);
  constexpr std::uint64_t kOfTopic = 20;
  const double strength = 1 / topic_effect - 1;
  std::uint64_t evidence = 0;
  for (std::uint64_t left = part.decisions; left > 0; left -= std::min(left, kOfTopic)) {
    const double share = statistics::draw_beta(part.share * strength, (1 - part.share) * strength, random);
    evidence += statistics::draw_binomial(std::min(left, kOfTopic), share, random);
  }
  return evidence;
}

/// How many of `drawn` decisions are evidence, drawn without replacement.
std::uint64_t draw_without_replacement(std::uint64_t decisions, std::uint64_t evidence, std::uint64_t drawn,
                                       Random& random) {
  std::uint64_t found = 0;
  for (std::uint64_t i = 0; i < drawn; ++i, --decisions) {
    if (random.below(static_cast<std::uint32_t>(decisions)) < evidence) --evidence, ++found;
  }
  return found;
}

bool holds(const std::optional<Estimate>& estimate, double truth) {
  constexpr double kRounding = 1e-9;
  return estimate && estimate->interval.low <= truth + kRounding && truth <= estimate->interval.high + kRounding;
}

class Coverage : public ::testing::TestWithParam<Scenario> {};

TEST_P(Coverage, OfThe95PercentIntervalsIsNear95Percent) {
  const auto& scenario = GetParam();
  constexpr int kCollections = 1000;
  std::array<int, 4> held{};
  std::vector<Stratum> strata;
  for (const auto& part : scenario.parts) strata.push_back({"", part.verdict, 0, part.decisions, part.probability});
  const auto drawn = allocate(strata, std::vector<std::uint64_t>(strata.size()), scenario.sample);
  Random random(20);
  for (int collection = 0; collection < kCollections; ++collection) {
    std::vector<StratumAnswers> answers;
    double right_yes = 0, evidence = 0, yes = 0, all = 0;
    for (std::size_t i = 0; i < scenario.parts.size(); ++i) {
      const auto& part = scenario.parts[i];
      const auto truth = evidence_of(part, scenario.topic_effect, random);
      answers.push_back(
          {part.verdict, part.decisions, drawn[i], draw_without_replacement(part.decisions, truth, drawn[i], random)});
      evidence += static_cast<double>(truth);
      all += static_cast<double>(part.decisions);
      if (part.verdict != Verdict::kYes) continue;
      right_yes += static_cast<double>(truth);
      yes += static_cast<double>(part.decisions);
    }
    const auto found = estimate(answers, {.draws = 1000, .seed = static_cast<std::uint64_t>(collection)});
    held[0] += holds(found.precision, right_yes / yes) ? 1 : 0;
    held[1] += holds(found.recall, right_yes / evidence) ? 1 : 0;
    held[2] += holds(found.accuracy, (right_yes + (all - yes) - (evidence - right_yes)) / all) ? 1 : 0;
    held[3] += holds(found.evidence, evidence) ? 1 : 0;
  }
  std::printf("| %s | %llu | %.1f %% | %.1f %% | %.1f %% | %.1f %% |\n", scenario.name,
              static_cast<unsigned long long>(scenario.sample), held[0] / 10.0, held[1] / 10.0, held[2] / 10.0,
              held[3] / 10.0);
  for (const int number : held) {
    EXPECT_GE(number, 920);
    EXPECT_LE(number, 990);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Simulations, Coverage,
    ::testing::Values(Scenario{"small", kSmall, 100}, Scenario{"small", kSmall, 300}, Scenario{"large", kLarge, 100},
                      Scenario{"large", kLarge, 300}, Scenario{"no probability", kWithoutProbability, 100},
                      Scenario{"no probability", kWithoutProbability, 300}, Scenario{"rare misses", kRareMisses, 300},
                      Scenario{"topics", kTopics, 100, 0.3}, Scenario{"topics", kTopics, 300, 0.3}));

}  // namespace
}  // namespace touchstone::analysis::audit
