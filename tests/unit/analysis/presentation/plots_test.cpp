#include "analysis/presentation/plots.hpp"

#include "analysis/presentation/statistics_text.hpp"
#include "common/files.hpp"
#include "tests/support/temporary_folder.hpp"

#include <cmath>
#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::analysis::presentation {
namespace {

using agreement::compare_judgments;
using significance::compare_systems;
using significance::CompareOptions;
using significance::SignificanceTest;
using statistics::ScoreMatrix;

// A name with all that means something to gnuplot, HTML or a shell.
const char* const kHostileName = "a\"b\\c<d>&'$(touch x)`touch y`_^{e}%d";

ScoreMatrix matrix() {
  return {{kHostileName, "plain", "third"}, {"t1", "t_2", "t3"}, {.9, .8, .9, .5, .6, .4, .1, .2, .1}};
}

CompareOptions options(SignificanceTest test) {
  CompareOptions result;
  result.test = test;
  result.permutations = 2000;
  return result;
}

TEST(Plots, TheSameComparisonGivesTheSameScripts) {
  const auto comparison = compare_systems(matrix(), options(SignificanceTest::kTukeyHsd));
  const auto once = comparison_plots(matrix(), comparison, nullptr),
             again = comparison_plots(matrix(), comparison, nullptr);
  ASSERT_EQ(once.size(), 3U);
  for (std::size_t i = 0; i < once.size(); ++i) EXPECT_EQ(once[i].script, again[i].script);
}

TEST(Plots, NothingInANameReachesAShell) {
  // gnuplot hands what stands between backquotes to a shell, but not within single quotes.
  const testing::TemporaryFolder folder;
  auto scores = matrix();
  const auto mark = folder / "mark";
  for (auto* names : {&scores.systems, &scores.topics})
    for (auto& name : *names) name += "`touch " + mark.string() + "`' . `touch " + mark.string() + "` . '";
  const auto comparison = compare_systems(scores, options(SignificanceTest::kSign));
  const auto judgments = compare_judgments(scores, comparison, scores);
  write_plots(comparison_plots(scores, comparison, &judgments), folder / "plots");
  EXPECT_FALSE(std::filesystem::exists(mark));
}

TEST(Plots, NamesAreShownAsTheyAre) {
  const testing::TemporaryFolder folder;
  auto scores = matrix();
  scores.systems[0] = "100% a_b^c{d}@e&f~g\\h\"i'j`k";
  const auto comparison = compare_systems(scores, options(SignificanceTest::kSign));
  write_plots(comparison_plots(scores, comparison, nullptr), folder / "plots");
  const auto picture = read_file(folder / "plots" / "leaderboard.svg");
  EXPECT_NE(picture.find("100% a_b^c{d}@e&amp;f~g\\h\"i'j`k"), std::string::npos) << picture;
}

TEST(Plots, NamesOnTwoLeaderboardsDoNotCoverOneAnother) {
  // All but the last swap places with their neighbour, so that many move by one and stand close together.
  ScoreMatrix scores{{}, {"t1", "t2"}, {}}, other = scores;
  constexpr int kSystems = 40;
  for (int s = 0; s < kSystems; ++s) {
    scores.systems.push_back("a_long_name_of_a_system_" + std::to_string(s));
    for (int t = 0; t < 2; ++t) scores.values.push_back(s);
    for (int t = 0; t < 2; ++t) other.values.push_back(s == 0 ? kSystems : s == kSystems - 1 ? -1 : s ^ 1);
  }
  other.systems = scores.systems;
  const auto comparison = compare_systems(scores, options(SignificanceTest::kSign));
  const auto judgments = compare_judgments(scores, comparison, other);
  const auto script = comparison_plots(scores, comparison, &judgments).at(2).script;
  struct Label {
    double x, y;  // pixels, of the point
    std::string align;
  };
  std::vector<Label> labels;
  std::istringstream lines(script);
  for (std::string line; std::getline(lines, line);) {
    double x = 0, y = 0;
    char align[8] = "";
    if (std::sscanf(line.c_str(), "set label '%*[^']' at %lf,%lf %7s", &x, &y, align) == 3)
      labels.push_back({x / (kSystems + 1) * 660, y / (kSystems + 1) * 600, align});
  }
  ASSERT_GE(labels.size(), 2U);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (labels[i].align != labels[j].align) continue;
      const double across = std::abs(labels[i].x - labels[j].x), down = std::abs(labels[i].y - labels[j].y);
      EXPECT_TRUE(down >= 12 || across >= 25 * 6) << i << " and " << j << ": " << across << " " << down;
    }
  }
}

TEST(Plots, AreDrawnWhateverTheNames) {
  const testing::TemporaryFolder folder;
  const auto scores = matrix();
  const auto comparison = compare_systems(scores, options(SignificanceTest::kTTest));
  const auto judgments = compare_judgments(scores, comparison, scores);
  const auto plots = comparison_plots(scores, comparison, &judgments);
  ASSERT_EQ(plots.size(), 4U);
  write_plots(plots, folder / "it's here");
  for (const auto& plot : plots) {
    EXPECT_EQ(read_file(folder / "it's here" / (plot.name + ".png")).substr(1, 3), "PNG") << plot.name;
    EXPECT_NE(read_file(folder / "it's here" / (plot.name + ".svg")).find("</svg>"), std::string::npos) << plot.name;
  }
}

TEST(Plots, TheReportStandsAlone) {
  const auto scores = matrix();
  const auto comparison = compare_systems(scores, options(SignificanceTest::kTukeyHsd));
  const auto page = comparison_report(comparison_text(scores, comparison, nullptr, StatisticsFormat::kTable),
                                      comparison_plots(scores, comparison, nullptr));
  EXPECT_EQ(page.find("<script"), std::string::npos);
  EXPECT_EQ(page.find("<img"), std::string::npos);
  EXPECT_EQ(page.find("src="), std::string::npos);
  EXPECT_EQ(page.find("c<d>"), std::string::npos);
  EXPECT_NE(page.find("c&lt;d&gt;&amp;"), std::string::npos);
}

}  // namespace
}  // namespace touchstone::analysis::presentation
