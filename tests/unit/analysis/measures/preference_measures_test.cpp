#include "common/error.hpp"
#include "tests/unit/analysis/sample_files.hpp"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::analysis::measures {
namespace {

using testing::means;
using testing::message_of;
using testing::SampleFiles;

EvaluateOptions with(JudgmentForm form) {
  EvaluateOptions options;
  options.judgments = form;
  return options;
}

const std::vector<std::string> kAllPreferences = {"all_prefs"};

/// Values of one topic in the order of the set all_prefs, without runid and num_q.
struct Expected {
  double possible, fulfilled, fulfilled_retrieved;
  double simple, pair, groups, balanced;
  double simple_retrieved, pair_retrieved, groups_retrieved, balanced_retrieved;
  double simple_implied, pair_implied, groups_implied;
};

void expect_values(const std::string& preferences, const std::string& run, const Expected& expected,
                   JudgmentForm form = JudgmentForm::kPreferences) {
  const auto values = means(preferences, run, kAllPreferences, with(form));
  const std::vector<double> wanted = {expected.possible,
                                      expected.fulfilled,
                                      expected.fulfilled_retrieved,
                                      expected.simple,
                                      expected.pair,
                                      expected.groups,
                                      expected.balanced,
                                      expected.simple_retrieved,
                                      expected.pair_retrieved,
                                      expected.groups_retrieved,
                                      expected.balanced_retrieved,
                                      expected.simple_implied,
                                      expected.pair_implied,
                                      expected.groups_implied};
  ASSERT_EQ(values.size(), wanted.size() + 2);  // runid and num_q come first
  EXPECT_EQ(values[1], 1);
  const auto measures = parse_measure("all_prefs");
  for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(values[i + 2], wanted[i], 1e-12) << measures[i + 2].name;
}

/// A run of topic t with the docids in this order.
std::string run_of(const std::vector<std::string>& docids) {
  std::string run;
  for (std::size_t i = 0; i < docids.size(); ++i)
    run += "t Q0 " + docids[i] + " 1 " + std::to_string(docids.size() - i) + " tag\n";
  return run;
}

TEST(PreferenceMeasures, OneGroupThatRanksItsPassages) {
  // 4 is preferred to five, 1 to four, 2 and 6 to two each: 13 preferences. Of the retrieved 4, 3, 1: 4>3 and 4>1 are
  // fulfilled, 1>3 is not. With one retrieved: 4>2, 4>5, 4>6, 1>2, 1>5, 1>6 are, 2>3 and 6>3 are not. With none: 2>5,
  // 6>5.
  const std::string preferences = "t u s d1 3\nt u s d2 2\nt u s d3 0\nt u s d4 6\nt u s d5 0\nt u s d6 2\n";
  const double all = 8 / 13., retrieved = 2 / 3., implied = 8 / 11.;
  // 4 relevant and 2 non-relevant passages: two non-relevant ones are added for each relevant one, of which two are
  // retrieved. Among those retrieved there are 2 and 1.
  expect_values(preferences, run_of({"d4", "d3", "d1"}),
                {13, 8, 2, all, all, all, (8 + 2 * 2) / (13. + 4 * 2), retrieved, retrieved, retrieved,
                 (2 + 2 * 1) / (3. + 4 * 1), implied, implied, implied});
}

TEST(PreferenceMeasures, SubgroupsAddWhatFollowsFromThem) {
  // a>b, a>c, b>c, b>d, and so a>d; nothing about c and d.
  const std::string preferences = "t u 1 a 3\nt u 1 b 2\nt u 1 c 1\nt u 2 b 5\nt u 2 d 4\n";
  // b, a, d retrieved: a>b is not fulfilled, b>d and a>d are; a>c and b>c are by c not being retrieved.
  expect_values(preferences, run_of({"b", "x", "a", "d"}),
                {5, 4, 2, 4 / 5., 4 / 5., 4 / 5., (4 + 3 * 4) / (5. + 4 * 4), 2 / 3., 2 / 3., 2 / 3.,
                 (2 + 3 * 3) / (3. + 4 * 3), 4 / 5., 4 / 5., 4 / 5.});
}

TEST(PreferenceMeasures, SeveralGroupsMayDisagree) {
  // The first prefers a to b, the second b to a and both to c. a and b are retrieved.
  const std::string preferences = "t u s a 2\nt u s b 1\nt v s b 2\nt v s a 1\nt v s c 0\n";
  const double pairs = (0.5 + 1 + 1) / 3;
  expect_values(preferences, run_of({"a", "b"}),
                {4, 3, 1, 3 / 4., pairs, (1 + 2 / 3.) / 2, (5 / 5. + (2 + 2 * 1) / (3. + 2 * 1)) / 2, 1 / 2., 1 / 2.,
                 1 / 2., (5 / 5. + (0 + 2 * 2) / (1. + 2 * 2)) / 2, 3 / 4., pairs, (1 + 2 / 3.) / 2});
}

TEST(PreferenceMeasures, TooManyNonRelevantPassagesOfARankingCountAsInTrecEval) {
  // One relevant passage and three others, of which x is kept. Beside a>x, trec_eval counts x, y and z before x too.
  const std::string preferences = "t u s a 1\nt u s x 0\nt u s y 0\nt u s z 0\n";
  const auto value = [&](const std::vector<std::string>& run, const char* word) {
    return means(preferences, run_of(run), {word}, with(JudgmentForm::kPreferences)).at(0);
  };
  EXPECT_EQ(value({"a", "x", "y"}, "prefs_avgjg_Rnonrel"), 1 / 4.);
  EXPECT_EQ(value({"x", "a", "y"}, "prefs_avgjg_Rnonrel"), 0);
  EXPECT_NEAR(value({"a", "x", "y"}, "prefs_avgjg_Rnonrel_ret"), 1 / 3., 1e-15);
}

TEST(PreferenceMeasures, OfSubgroupsTheFirstNonRelevantPassagesAreKept) {
  // a>x, a>y, a>z. Only the first non-relevant passage counts: x where it is retrieved first, y where it is.
  const std::string preferences = "t u 1 a 1\nt u 1 x 0\nt u 1 y 0\nt u 2 a 1\nt u 2 z 0\n";
  const auto value = [&](const std::vector<std::string>& run, const char* word) {
    return means(preferences, run_of(run), {word}, with(JudgmentForm::kPreferences)).at(0);
  };
  EXPECT_EQ(value({"a", "x", "y"}, "prefs_avgjg_Rnonrel"), 1);
  EXPECT_EQ(value({"y", "a", "x"}, "prefs_avgjg_Rnonrel"), 0);
  EXPECT_EQ(value({"a"}, "prefs_avgjg_Rnonrel"), 1);
  EXPECT_EQ(value({"y", "a", "x"}, "prefs_avgjg_Rnonrel_ret"), 0);
}

TEST(PreferenceMeasures, AGroupWithNothingToCountIsZero) {
  const std::string preferences = "t u s a 0\nt u s b 0\nt v s a 1\nt v s b 0\n";
  const auto values =
      means(preferences, run_of({"a", "b"}), {"prefs_avgjg", "prefs_avgjg_Rnonrel", "prefs_pair", "prefs_simp"},
            with(JudgmentForm::kPreferences));
  EXPECT_EQ(values, (std::vector<double>{.5, 0, 1, 1}));
  for (const double value : means("t u s a 1\n", run_of({"a"}), {"prefs"}, with(JudgmentForm::kPreferences)))
    EXPECT_TRUE(std::isfinite(value));
}

TEST(PreferenceMeasures, QrelsAreReadAsPreferencesOfTheirGroups) {
  const std::string grades = "t u d1 3\nt u d2 2\nt u d3 0\nt u d4 6\nt u d5 0\nt u d6 2\n";
  const std::string levels = "t u s d1 3\nt u s d2 2\nt u s d3 0\nt u s d4 6\nt u s d5 0\nt u s d6 2\n";
  const auto run = run_of({"d4", "d3", "d1"});
  EXPECT_EQ(means(grades, run, kAllPreferences, with(JudgmentForm::kQrelsAsPreferences)),
            means(levels, run, kAllPreferences, with(JudgmentForm::kPreferences)));
}

TEST(PreferenceMeasures, EqualScoresAreOrderedByAscendingDocidAndThenCut) {
  auto options = with(JudgmentForm::kPreferences);
  const std::string preferences = "t u s a 3\nt u s b 2\nt u s c 1\n";
  const std::string run = "t Q0 c 1 5 tag\nt Q0 a 1 5 tag\nt Q0 b 1 5 tag\n";
  EXPECT_EQ(means(preferences, run, {"prefs_simp", "prefs_num_prefs_ful_ret"}, options), (std::vector<double>{1, 3}));
  options.max_passages = 2;  // a and b remain
  EXPECT_EQ(means(preferences, run, {"prefs_simp", "prefs_num_prefs_ful_ret"}, options), (std::vector<double>{1, 1}));
}

TEST(PreferenceMeasures, CompleteCountsThePreferencesOfMissingTopics) {
  auto options = with(JudgmentForm::kPreferences);
  options.complete = true;
  const std::string preferences = "t u s a 3\nt u s b 2\nz u s a 2\nz u s b 1\nz u s c 0\n";
  EXPECT_EQ(means(preferences, run_of({"a", "b"}),
                  {"prefs_num_prefs_poss", "prefs_num_prefs_ful", "prefs_simp", "num_q"}, options),
            (std::vector<double>{4, 1, .5, 2}));
}

TEST(PreferenceMeasures, AGroupThatContradictsItselfIsAnError) {
  const auto why = [](const std::string& preferences) {
    return message_of([&] { means(preferences, run_of({"a"}), {"prefs_simp"}, with(JudgmentForm::kPreferences)); });
  };
  const auto circle = why("t u 1 a 3\nt u 1 b 2\nt u 2 b 2\nt u 2 c 1\nt u 3 c 5\nt u 3 a 4\n");
  EXPECT_NE(circle.find("topic \"t\", group \"u\": docid \"a\" is preferred to \"b\", and \"b\" to \"a\""),
            std::string::npos)
      << circle;
  const auto relevant = why("t u 1 a 3\nt u 1 b 0\nt u 2 b 2\nt u 2 c 1\n");
  EXPECT_NE(relevant.find("docid \"b\" has level 0 in one sub-group and a higher level in another"), std::string::npos)
      << relevant;
}

TEST(PreferenceMeasures, TooManyDocidsInSubgroupsAreAnError) {
  std::string preferences = "t u 2 d1 1\n";
  for (int i = 0; i <= 4000; ++i) preferences += "t u 1 d" + std::to_string(i) + " 1\n";
  const auto why =
      message_of([&] { means(preferences, run_of({"a"}), {"prefs_simp"}, with(JudgmentForm::kPreferences)); });
  EXPECT_NE(why.find("has 4001 docids in several sub-groups, but there may be at most 4000"), std::string::npos) << why;
}

TEST(GroupedMeasures, AreMeansOverTheGroupsOfATopic) {
  const std::string qrels = "t u a 1\nt u b 0\nt v b 1\nt v c 1\n";
  auto options = with(JudgmentForm::kGroupedQrels);
  const std::vector<std::string> words = {"map_avgjg", "P_avgjg_2", "Rprec_mult_avgjg_1.00"};
  EXPECT_EQ(means(qrels, run_of({"a", "b"}), words, options),
            (std::vector<double>{(1 + .5 / 2) / 2, (.5 + .5) / 2, (1 + .5) / 2}));
  options.judged_only = true;  // v did not judge a
  EXPECT_EQ(means(qrels, run_of({"a", "b"}), {"map_avgjg"}, options), (std::vector<double>{(1 + 1 / 2.) / 2}));
  options.judged_only = false;
  options.min_grade = 2;
  EXPECT_EQ(means(qrels, run_of({"a", "b"}), {"map_avgjg"}, options), (std::vector<double>{0}));
}

TEST(CheckJudgments, NamesTheFormThatAMeasureNeeds) {
  const auto why = [](const char* word, JudgmentForm form) {
    return message_of([&] { check_judgments(parse_measure(word), form); });
  };
  EXPECT_NE(why("map", JudgmentForm::kPreferences)
                .find("measure \"map\": needs qrels; --judgments prefs has the measures of the set all_prefs"),
            std::string::npos);
  EXPECT_NE(why("P_5", JudgmentForm::kGroupedQrels).find("the set qrels_jg"), std::string::npos);
  EXPECT_NE(
      why("prefs_simp", JudgmentForm::kQrels).find("needs preferences, which evaluate reads with --judgments prefs"),
      std::string::npos);
  EXPECT_NE(why("map_avgjg", JudgmentForm::kQrels).find("needs judgment groups"), std::string::npos);
  for (const auto& [set, form] :
       {std::pair{"all_prefs", JudgmentForm::kPreferences}, std::pair{"prefs", JudgmentForm::kQrelsAsPreferences},
        std::pair{"qrels_jg", JudgmentForm::kGroupedQrels}, std::pair{"all_trec", JudgmentForm::kQrels}})
    EXPECT_EQ(why(set, form), "no error") << set;
}

}  // namespace
}  // namespace touchstone::analysis::measures
