#include "analysis/presentation/plots.hpp"

#include "analysis/presentation/figures.hpp"
#include "analysis/presentation/statistics_text.hpp"
#include "common/files.hpp"
#include "tests/support/temporary_folder.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::analysis::presentation {
namespace {

using agreement::compare_judgments;
using formats::svg::Chart;
using significance::compare_systems;
using significance::CompareOptions;
using significance::SignificanceTest;
using statistics::ScoreMatrix;

// A name with all that means something to HTML or a shell.
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

/// The chart as SVG.
std::string drawn(const Chart& chart) {
  return formats::svg::svg_chart(chart).markup();
}

TEST(Plots, TheSameComparisonGivesTheSamePictures) {
  const auto comparison = compare_systems(matrix(), options(SignificanceTest::kTukeyHsd));
  const auto once = comparison_plots(matrix(), comparison, nullptr),
             again = comparison_plots(matrix(), comparison, nullptr);
  ASSERT_EQ(once.size(), 3U);
  for (std::size_t i = 0; i < once.size(); ++i) EXPECT_EQ(drawn(once[i]), drawn(again[i]));
}

TEST(Plots, NamesAreShownAsTheyAre) {
  auto scores = matrix();
  scores.systems[0] = "100% a_b^c{d}@e&f~g\\h\"i'j`k";
  const auto comparison = compare_systems(scores, options(SignificanceTest::kSign));
  const auto picture = drawn(comparison_plots(scores, comparison, nullptr).at(0));
  EXPECT_NE(picture.find("100% a_b^c{d}@e&amp;f~g\\h&quot;i&#39;j`k"), std::string::npos) << picture;
}

TEST(Plots, NamesOnTwoLeaderboardsDoNotCoverOneAnother) {
  // All but the last swap places with their neighbour, so that many move by one and are close together.
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
  const auto picture = drawn(comparison_plots(scores, comparison, &judgments).at(2));
  std::vector<double> rows;
  const std::string mark = ">a_long_name_of_a_system_";
  for (auto at = picture.find(mark); at != std::string::npos; at = picture.find(mark, at + 1)) {
    const auto y = picture.rfind(" y=\"", at);
    rows.push_back(std::stod(picture.substr(y + 4)));
  }
  ASSERT_GE(rows.size(), 2U);
  for (std::size_t i = 1; i < rows.size(); ++i) EXPECT_GE(rows[i] - rows[i - 1], 13.9);
}

TEST(Plots, OnlySystemsThatAreNotWorseThanTheBestAreMarked) {
  // The second is a little worse than the best on each topic; the third is much better or much worse.
  ScoreMatrix scores{{"best", "second", "third"}, {}, {}};
  for (int t = 0; t < 12; ++t) scores.topics.push_back("t" + std::to_string(t));
  for (int t = 0; t < 12; ++t) scores.values.push_back(.6);
  for (int t = 0; t < 12; ++t) scores.values.push_back(.58);
  for (int t = 0; t < 12; ++t) scores.values.push_back(t % 2 == 0 ? 1 : .1);
  const auto comparison = compare_systems(scores, options(SignificanceTest::kWilcoxon));
  ASSERT_EQ(comparison.not_worse_than_best(), (std::vector<bool>{true, false, true}));
  const auto chart = comparison_plots(scores, comparison, nullptr).at(0);
  EXPECT_EQ(chart.series[0].name, "not significantly worse than the best");
  ASSERT_EQ(chart.series[0].points.size(), 2U);
  EXPECT_EQ(chart.series[0].points[1].x, 2);
  ASSERT_EQ(chart.series[1].points.size(), 1U);
  EXPECT_EQ(chart.series[1].points[0].x, 1);
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
  for (const auto& plot : plots) EXPECT_NE((plot.x_axis + plot.y_axis).find("nDCG@10"), std::string::npos) << plot.name;
  EXPECT_EQ(plots[0].y_axis, "nDCG@10, mean over 3 topics of folder/it's_qrels.txt");
  EXPECT_EQ(plots[2].y_axis, "rank by nDCG@10, other.txt");
}

TEST(Plots, OfALongPathTheAxesNameTheFile) {
  auto scores = matrix();
  scores.source.measure = "map";
  scores.source.qrels = std::string(200, 'f') + "/qrels.txt";
  const auto comparison = compare_systems(scores, options(SignificanceTest::kTTest));
  const auto judgments = compare_judgments(scores, comparison, scores);
  for (const auto& plot : comparison_plots(scores, comparison, &judgments)) {
    EXPECT_NE((plot.x_axis + plot.y_axis).find(".../qrels.txt"), std::string::npos) << plot.name;
    EXPECT_EQ(drawn(plot).find("fff"), std::string::npos) << plot.name;
  }
}

TEST(Plots, ANamedPairIsShownTopicByTopic) {
  const auto scores = matrix();
  const auto comparison = compare_systems(scores, options(SignificanceTest::kTTest));
  const auto plot = comparison_plots(scores, comparison, nullptr, SystemPair{2, 1}).back();
  EXPECT_EQ(plot.title, "third and plain, topic by topic");
  EXPECT_EQ(plot.categories.front(), "t3");
  EXPECT_NEAR(plot.series[1].points.front().y, -0.3, 1e-12);  // .1 - .4 on the third topic
  EXPECT_EQ(plot.corner.find("p = "), 0U) << plot.corner;
}

TEST(Plots, NameTheTestTheTopicsAndTheProgram) {
  auto scores = matrix();
  scores.source.matrix = "scores.tsv";
  auto settings = options(SignificanceTest::kBootstrap);
  settings.seed = 17;
  const auto comparison = compare_systems(scores, settings);
  const auto judgments = compare_judgments(scores, comparison, scores);
  for (const auto& plot : comparison_plots(scores, comparison, &judgments)) {
    const auto& facts = plot.corner;
    EXPECT_NE(facts.find("3 topics; touchstone "), std::string::npos) << facts;
    const bool is_tested = plot.name != "leaderboards";
    EXPECT_EQ(facts.find("bootstrap, alpha 0.05, 2000 resamples, seed 17; ") != std::string::npos, is_tested) << facts;
    EXPECT_NE((plot.x_axis + plot.y_axis).find("scores.tsv"), std::string::npos) << plot.name;
  }
}

TEST(Plots, RanksStartAtOne) {
  const auto comparison = compare_systems(matrix(), options(SignificanceTest::kTTest));
  const auto judgments = compare_judgments(matrix(), comparison, matrix());
  const auto plot = comparison_plots(matrix(), comparison, &judgments).at(2);
  EXPECT_EQ(plot.categories, (std::vector<std::string>{"1", "2", "3"}));
  EXPECT_EQ(plot.y_categories, plot.categories);
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
  const ScoreMatrix scores{{"a", "b"}, {"t1", "t2", "t3"}, std::vector<double>(6, 0.5)};
  for (const auto test : {SignificanceTest::kTTest, SignificanceTest::kTukeyHsd}) {
    const auto comparison = compare_systems(scores, options(test));
    const auto judgments = compare_judgments(scores, comparison, scores);
    for (const auto& plot : comparison_plots(scores, comparison, &judgments)) {
      EXPECT_EQ(drawn(plot).find("nan"), std::string::npos) << plot.name;
      EXPECT_EQ(drawn(plot).find("inf"), std::string::npos) << plot.name;
    }
  }
}

TEST(Plots, AreWrittenWhateverTheNames) {
  const touchstone::testing::TemporaryFolder folder;
  const auto scores = matrix();
  const auto comparison = compare_systems(scores, options(SignificanceTest::kTTest));
  const auto judgments = compare_judgments(scores, comparison, scores);
  const auto plots = comparison_plots(scores, comparison, &judgments);
  ASSERT_EQ(plots.size(), 4U);
  const auto note = write_figures(plots, folder / "it's here");
  for (const auto& plot : plots) {
    EXPECT_TRUE(read_file(folder / "it's here" / (plot.name + ".svg")).ends_with("</svg>\n")) << plot.name;
    if (note.empty()) {
      EXPECT_TRUE(read_file(folder / "it's here" / (plot.name + ".pdf")).starts_with("%PDF")) << plot.name;
    }
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

TEST(LeastMove, AtMostEightSystemsAreMarked) {
  EXPECT_EQ(internal::least_move_of({1, 9, 2, 8, 3, 7, 4, 6, 5, 1, 0, 0}), 2);
}

TEST(LeastMove, SystemsThatMoveEquallyFarAreTreatedAlike) {
  // Six of 5 ranks and four of 3: all four would make ten.
  EXPECT_EQ(internal::least_move_of({5, 5, 5, 5, 5, 5, 3, 3, 3, 3, 0}), 5);
  EXPECT_EQ(internal::least_move_of({5, 5, 3, 3}), 3);
  EXPECT_EQ(internal::least_move_of(std::vector<double>(12, 2)), 2);
}

TEST(LeastMove, ASystemThatDoesNotMoveIsNotMarked) {
  EXPECT_EQ(internal::least_move_of({0, 0, 0}), 0);
  EXPECT_EQ(internal::least_move_of({0, 1, 0}), 1);
  EXPECT_EQ(internal::least_move_of({}), 0);
}

}  // namespace
}  // namespace touchstone::analysis::presentation
