#include "analysis/fusion/fusion.hpp"

#include "common/error.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/text_file.hpp"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::analysis::fusion {
namespace {

using Paths = std::vector<std::filesystem::path>;
using Passages = std::vector<std::pair<std::string, double>>;

class Fusion : public ::testing::Test {
 protected:
  std::filesystem::path write(const std::string& name, const std::string& text) {
    touchstone::testing::write_text(folder_ / name, text);
    return folder_ / name;
  }
  std::vector<FusedTopic> fuse(FusionMethod method, Normalisation normalisation = Normalisation::kMinMax) {
    FusionOptions options;
    options.method = method;
    options.normalisation = normalisation;
    options.threads = 2;
    return fuse_runs(Paths{write("a", "1 Q0 x 1 9 t\n1 Q0 y 2 8 t\n1 Q0 z 3 5 t\n2 Q0 x 1 1 t\n"),
                           write("b", "1 Q0 y 1 0.4 t\n1 Q0 w 2 0.2 t\n0 Q0 v 1 3 t\n")},
                     options);
  }

  touchstone::testing::TemporaryFolder folder_;
};

void expect_passages(const FusedTopic& topic, const Passages& expected) {
  ASSERT_EQ(topic.passages.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(topic.passages[i].first, expected[i].first) << i;
    EXPECT_DOUBLE_EQ(topic.passages[i].second, expected[i].second) << i;
  }
}

TEST_F(Fusion, HasTheTopicsOfAllRunsInByteOrder) {
  const auto fused = fuse(FusionMethod::kReciprocalRank);
  ASSERT_EQ(fused.size(), 3U);
  EXPECT_EQ(fused[0].topic, "0");
  EXPECT_EQ(fused[1].topic, "1");
  EXPECT_EQ(fused[2].topic, "2");
}

TEST_F(Fusion, ReciprocalRanksAreSummed) {
  expect_passages(fuse(FusionMethod::kReciprocalRank)[1],
                  {{"y", 1. / 62 + 1. / 61}, {"x", 1. / 61}, {"w", 1. / 62}, {"z", 1. / 63}});
}

TEST_F(Fusion, CombSumAddsNormalisedScores) {
  expect_passages(fuse(FusionMethod::kCombSum)[1], {{"y", .75 + 1}, {"x", 1}, {"z", 0}, {"w", 0}});
  expect_passages(fuse(FusionMethod::kCombSum, Normalisation::kNone)[1], {{"x", 9}, {"y", 8.4}, {"z", 5}, {"w", .2}});
}

TEST_F(Fusion, CombMnzMultipliesByTheNumberOfRuns) {
  expect_passages(fuse(FusionMethod::kCombMnz)[1], {{"y", 2 * 1.75}, {"x", 1}, {"z", 0}, {"w", 0}});
}

TEST_F(Fusion, EqualScoresOfARunAreOne) {
  expect_passages(fuse(FusionMethod::kCombSum)[2], {{"x", 1}});
}

TEST_F(Fusion, TheDepthCutsEachTopic) {
  FusionOptions options;
  options.depth = 1;
  const auto run = write("a", "1 Q0 x 1 2 t\n1 Q0 y 2 1 t\n");
  EXPECT_EQ(run_text(fuse_runs(Paths{run, run}, options), "both"), "1 Q0 x 1 0.03278688524590164 both\n");
}

TEST_F(Fusion, RefusesOneRunAndBadLines) {
  const auto good = write("good", "1 Q0 x 1 2 t\n"), bad = write("bad", "1 Q0 x 1 2 t\n1 Q0 x 2 1 t\n");
  EXPECT_THROW(fuse_runs(Paths{good}, {}), ConfigError);
  const auto message = touchstone::testing::message_of([&] { fuse_runs(Paths{good, bad}, {}); });
  EXPECT_NE(message.find("bad:2: "), std::string::npos) << message;
}

}  // namespace
}  // namespace touchstone::analysis::fusion
