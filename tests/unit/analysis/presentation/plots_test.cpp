#include "analysis/presentation/plots.hpp"

#include "analysis/presentation/statistics_text.hpp"
#include "common/files.hpp"
#include "tests/support/temporary_folder.hpp"

#include <cmath>
#include <cstdio>
#include <sstream>
#include <string>
#include <utility>
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
  const touchstone::testing::TemporaryFolder folder;
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
  const touchstone::testing::TemporaryFolder folder;
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
      EXPECT_TRUE(down >= 12 || across >= 24 * 6) << i << " and " << j << ": " << across << " " << down;
    }
  }
}

TEST(Plots, OnlySystemsThatAreNotWorseThanTheBestAreInsideABracket) {
  // The second is a little worse than the best on each topic; the third is much better or much worse.
  ScoreMatrix scores{{"best", "second", "third"}, {}, {}};
  for (int t = 0; t < 12; ++t) scores.topics.push_back("t" + std::to_string(t));
  for (int t = 0; t < 12; ++t) scores.values.push_back(.6);
  for (int t = 0; t < 12; ++t) scores.values.push_back(.58);
  for (int t = 0; t < 12; ++t) scores.values.push_back(t % 2 == 0 ? 1 : .1);
  const auto comparison = compare_systems(scores, options(SignificanceTest::kWilcoxon));
  ASSERT_EQ(comparison.not_worse_than_best(), (std::vector<bool>{true, false, true}));
  const auto script = comparison_plots(scores, comparison, nullptr).at(0).script;
  std::vector<std::pair<double, double>> brackets;
  std::istringstream lines(script);
  for (std::string line; std::getline(lines, line);) {
    double right = 0, top = 0, again = 0, bottom = 0;
    if (line.ends_with("lw 2") &&
        std::sscanf(line.c_str(), "set arrow from %lf,%lf to %lf,%lf nohead lc rgb '#0072b2' lw 2", &right, &top,
                    &again, &bottom) == 4 &&
        right == again)
      brackets.emplace_back(top, bottom);
  }
  EXPECT_EQ(brackets, (std::vector<std::pair<double, double>>{{0.6, 1.4}, {2.6, 3.4}})) << script;
}

TEST(Plots, AxesNameWhatWasMeasured) {
  auto scores = matrix();
  scores.source.measure = "nDCG@10";
  scores.source.qrels = "folder/it's_qrels.txt";
  auto other = scores;
  other.source.qrels = "other.txt";
  const auto comparison = compare_systems(scores, options(SignificanceTest::kTTest));
  const auto judgments = compare_judgments(scores, comparison, other);
  const auto plots = comparison_plots(scores, comparison, &judgments);
  ASSERT_EQ(plots.size(), 4U);
  for (const auto& plot : plots) EXPECT_NE(plot.script.find("nDCG@10"), std::string::npos) << plot.name;
  EXPECT_NE(plots[0].script.find("'nDCG@10, mean over 3 topics of folder/it''s_qrels.txt'"), std::string::npos);
  EXPECT_NE(plots[2].script.find("set ylabel 'rank by nDCG@10, other.txt'"), std::string::npos) << plots[2].script;
}

TEST(Plots, OfALongPathTheAxesNameTheFile) {
  auto scores = matrix();
  scores.source.measure = "map";
  scores.source.qrels = std::string(200, 'f') + "/qrels.txt";
  const auto comparison = compare_systems(scores, options(SignificanceTest::kTTest));
  const auto judgments = compare_judgments(scores, comparison, scores);
  for (const auto& plot : comparison_plots(scores, comparison, &judgments)) {
    EXPECT_NE(plot.script.find(".../qrels.txt"), std::string::npos) << plot.name;
    EXPECT_EQ(plot.script.find("fff"), std::string::npos) << plot.name;
    EXPECT_LT(plot.width, 1000) << plot.name;
  }
}

TEST(Plots, ANamedPairIsShownTopicByTopic) {
  const auto scores = matrix();
  const auto comparison = compare_systems(scores, options(SignificanceTest::kTTest));
  const auto plot = comparison_plots(scores, comparison, nullptr, SystemPair{2, 1}).back();
  EXPECT_EQ(plot.title, "third and plain, topic by topic");
  EXPECT_NE(plot.script.find("0 -0.3"), std::string::npos) << plot.script;  // .1 - .4 on the third topic
  EXPECT_NE(plot.script.find("set title 'third minus plain, p = "), std::string::npos) << plot.script;
}

TEST(Plots, NameTheTestTheTopicsAndTheProgram) {
  auto scores = matrix();
  scores.source.matrix = "scores.tsv";
  auto settings = options(SignificanceTest::kBootstrap);
  settings.seed = 17;
  const auto comparison = compare_systems(scores, settings);
  const auto judgments = compare_judgments(scores, comparison, scores);
  for (const auto& plot : comparison_plots(scores, comparison, &judgments)) {
    const auto start = plot.script.find("set label '");
    ASSERT_NE(start, std::string::npos) << plot.name;
    const auto facts = plot.script.substr(start, plot.script.find('\n', start) - start);
    EXPECT_NE(facts.find("3 topics; touchstone "), std::string::npos) << facts;
    const bool is_tested = plot.name != "leaderboards";
    EXPECT_EQ(facts.find("bootstrap, alpha 0.05, 2000 resamples, seed 17; ") != std::string::npos, is_tested) << facts;
    EXPECT_NE(plot.script.find("scores.tsv"), std::string::npos) << plot.name;
  }
}

TEST(Plots, RanksStartAtOne) {
  const auto comparison = compare_systems(matrix(), options(SignificanceTest::kTTest));
  const auto judgments = compare_judgments(matrix(), comparison, matrix());
  const auto plot = comparison_plots(matrix(), comparison, &judgments).at(2);
  EXPECT_NE(plot.script.find("set xtics ('1' 1,'2' 2,'3' 3)"), std::string::npos) << plot.script;
}

TEST(Plots, TheCaptionSaysWhatTheBarsCover) {
  const auto caption = [](significance::Correction correction) {
    auto settings = options(SignificanceTest::kTTest);
    settings.correction = correction;
    return comparison_plots(matrix(), compare_systems(matrix(), settings), nullptr).at(0).caption;
  };
  using significance::Correction;
  EXPECT_NE(caption(Correction::kNone).find("95 %, each by itself, not simultaneous, intervals"), std::string::npos);
  const auto bonferroni = caption(Correction::kBonferroni);
  EXPECT_NE(bonferroni.find("simultaneous 95 % intervals"), std::string::npos) << bonferroni;
  EXPECT_NE(bonferroni.find("by Bonferroni's correction."), std::string::npos) << bonferroni;
  for (const auto correction : {Correction::kHolm, Correction::kBenjaminiHochberg}) {
    EXPECT_NE(caption(correction).find("by Bonferroni's correction; "), std::string::npos) << caption(correction);
    EXPECT_NE(caption(correction).find("may find a system worse whose bar reaches that line"), std::string::npos);
  }
}

TEST(Plots, ConstantSystemsAreDrawn) {
  const touchstone::testing::TemporaryFolder folder;
  const ScoreMatrix scores{{"a", "b"}, {"t1", "t2", "t3"}, std::vector<double>(6, 0.5)};
  for (const auto test : {SignificanceTest::kTTest, SignificanceTest::kTukeyHsd}) {
    const auto comparison = compare_systems(scores, options(test));
    const auto judgments = compare_judgments(scores, comparison, scores);
    EXPECT_NO_THROW(write_plots(comparison_plots(scores, comparison, &judgments), folder / "plots"));
  }
}

TEST(Plots, AreDrawnWhateverTheNames) {
  const touchstone::testing::TemporaryFolder folder;
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
  const auto page = comparison_report(scores, comparison_text(scores, comparison, nullptr, StatisticsFormat::kTable),
                                      comparison_plots(scores, comparison, nullptr));
  EXPECT_EQ(page.find("<script"), std::string::npos);
  EXPECT_EQ(page.find("<img"), std::string::npos);
  EXPECT_EQ(page.find("src="), std::string::npos);
  EXPECT_EQ(page.find("c<d>"), std::string::npos);
  EXPECT_NE(page.find("c&lt;d&gt;&amp;"), std::string::npos);
}

}  // namespace
}  // namespace touchstone::analysis::presentation
