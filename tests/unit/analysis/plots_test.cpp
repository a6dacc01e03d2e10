#include "analysis/plots.hpp"

#include "common/files.hpp"
#include "tests/support/temporary_folder.hpp"

#include <cstdlib>

#include <gtest/gtest.h>

namespace touchstone::analysis {
namespace {

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

bool has_gnuplot() {
  return std::system("command -v gnuplot >/dev/null 2>&1") == 0;
}

TEST(Plots, TheSameComparisonGivesTheSameScripts) {
  const auto comparison = compare_systems(matrix(), options(SignificanceTest::kTukeyHsd));
  const auto once = comparison_plots(matrix(), comparison, nullptr),
             again = comparison_plots(matrix(), comparison, nullptr);
  ASSERT_EQ(once.size(), 3U);
  for (std::size_t i = 0; i < once.size(); ++i) EXPECT_EQ(once[i].script, again[i].script);
}

TEST(Plots, NothingInANameReachesAShell) {
  // gnuplot hands what stands between backquotes in a double-quoted string to a shell.
  for (const auto& plot :
       comparison_plots(matrix(), compare_systems(matrix(), options(SignificanceTest::kSign)), nullptr))
    EXPECT_EQ(plot.script.find('`'), std::string::npos) << plot.name;
}

TEST(Plots, AreDrawnWhateverTheNames) {
  if (!has_gnuplot()) GTEST_SKIP() << "gnuplot is not installed";
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
  if (!has_gnuplot()) GTEST_SKIP() << "gnuplot is not installed";
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
}  // namespace touchstone::analysis
