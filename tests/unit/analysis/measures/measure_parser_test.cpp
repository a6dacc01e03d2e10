#include "analysis/measures/measure.hpp"
#include "common/error.hpp"
#include "tests/unit/analysis/sample_files.hpp"

#include <gtest/gtest.h>

namespace touchstone::analysis::measures {
namespace {

using testing::message_of;

std::vector<std::string> names(const std::vector<std::string>& words) {
  std::vector<std::string> out;
  for (const auto& measure : parse_measures(words)) out.push_back(measure.name);
  return out;
}

using Names = std::vector<std::string>;

TEST(ParseMeasure, CutoffsBehindADotAreSortedAndNamedAsTrecEvalPrintsThem) {
  EXPECT_EQ(names({"P.5,7,3"}), (Names{"P_3", "P_5", "P_7"}));
  EXPECT_EQ(names({"ndcg_cut.10,20,23.4"}), (Names{"ndcg_cut_10", "ndcg_cut_20", "ndcg_cut_23"}));
  EXPECT_EQ(names({"iprec_at_recall..10,.5"}), (Names{"iprec_at_recall_0.10", "iprec_at_recall_0.50"}));
}

TEST(ParseMeasure, ParametersThatBelongTogetherStayInTheNameAsTheyAre) {
  EXPECT_EQ(names({"utility.2,-1,0,0"}), Names{"utility_2,-1,0,0"});
  EXPECT_EQ(names({"11pt_avg..25,.5,.75"}), Names{"11pt_avg_.25,.5,.75"});
  EXPECT_EQ(names({"ndcg.1=3,2=9,4=4.5"}), Names{"ndcg_1=3,2=9,4=4.5"});
}

TEST(ParseMeasure, ANameAsTrecEvalPrintsItMeansTheSame) {
  for (const char* name :
       {"P_5", "ndcg_cut_10", "iprec_at_recall_0.10", "set_F_0.5", "utility_2,-1,0,0", "rbp_p=0.8"}) {
    EXPECT_EQ(names({name}), Names{name});
  }
}

TEST(ParseMeasure, ParametersTakeThePlaceOfTheDefaultsOfASet) {
  const auto all = names({"official", "P.7"});
  EXPECT_EQ(std::count(all.begin(), all.end(), "P_7"), 1);
  EXPECT_EQ(std::count(all.begin(), all.end(), "P_5"), 0);
  EXPECT_EQ(std::count(all.begin(), all.end(), "map"), 1);
}

TEST(ParseMeasure, ReadsParametersOfIrMeasures) {
  const auto ap = parse_measure("AP(rel=2)@100").at(0);
  EXPECT_EQ(ap.kind, MeasureKind::kAp);
  EXPECT_EQ(ap.min_grade, 2);
  EXPECT_EQ(ap.cutoff, 100U);
  EXPECT_EQ(ap.name, "AP(rel=2)@100");
  const auto ndcg = parse_measure("nDCG(dcg='exp-log2', judged_only=True)@5").at(0);
  EXPECT_EQ(ndcg.kind, MeasureKind::kNdcgExp);
  EXPECT_TRUE(ndcg.judged_only);
  const auto gains = parse_measure("nDCG(gains={1:3, 2:9})@5").at(0).gains;
  EXPECT_EQ(gains, (std::vector<std::pair<int, double>>{{1, 3.0}, {2, 9.0}}));
  EXPECT_EQ(parse_measure("IPrec@0.1").at(0).numbers, std::vector<double>{0.1});
  EXPECT_EQ(parse_measure("RBP(p=0.95)").at(0).numbers, std::vector<double>{0.95});
  for (const char* word : {"SetP(relative=True)", "SetP( relative = True )", "SetRelP"})
    EXPECT_EQ(parse_measure(word).at(0).kind, MeasureKind::kSetRelativePrecision) << word;
  EXPECT_EQ(parse_measure("α_nDCG(alpha = .2)@10").at(0).numbers.front(), .2);
  EXPECT_EQ(parse_measure("NumRet(rel=1)").at(0).kind, MeasureKind::kNumRelRet);
}

TEST(ParseMeasure, EveryFamilyOfTheTableCanBeParsed) {
  for (const auto& family : measure_families()) {
    const auto word = testing::word_of(family);
    const auto measures = parse_measure(word);
    ASSERT_FALSE(measures.empty()) << word;
    EXPECT_EQ(measures[0].kind, family.kind) << word;
  }
}

std::string why(const std::string& word) {
  return message_of([&] { parse_measure(word); });
}

TEST(ParseMeasure, FindsTheMeasureOfANameWithARankAtItsEnd) {
  const std::pair<const char*, const char*> cases[] = {{"ndcg10", "nDCG@10"},
                                                       {"NDCG10", "NDCG@10"},
                                                       {"nDCG_10", "nDCG@10"},
                                                       {"ndcg_10", "nDCG@10"},
                                                       {"ndcg.10", "nDCG@10"},
                                                       {"ndcg-10", "nDCG@10"},
                                                       {"p5", "P@5"},
                                                       {"map100", "MAP@100"},
                                                       {"map_100", "MAP@100"},
                                                       {"recall1000", "Recall@1000"},
                                                       {"mrr10", "MRR@10"},
                                                       {"ndcg_cut10", "ndcg_cut_10"},
                                                       {"relative_p10", "relative_P_10"}};
  for (const auto& [word, meant] : cases)
    EXPECT_NE(why(word).find("did you mean \"" + std::string(meant) + "\"?"), std::string::npos) << why(word);
}

TEST(ParseMeasure, ASuggestionCanBeParsed) {
  for (const char* word : {"ndcg10", "p5", "map_100", "success1", "rr10", "ndcg_cut5", "judged10", "rbp10"}) {
    const auto message = why(word);
    const auto start = message.find("mean \"") + 6;
    ASSERT_NE(start, std::string::npos + 6) << message;
    EXPECT_NO_THROW(parse_measure(message.substr(start, message.find('"', start) - start))) << message;
  }
}

TEST(ParseMeasure, SaysWhatIsWrong) {
  EXPECT_NE(why("nDGC@10").find("did you mean \"nDCG@10\"?"), std::string::npos) << why("nDGC@10");
  EXPECT_NE(why("ndcg@10").find("did you mean \"nDCG@10\"?"), std::string::npos) << why("ndcg@10");
  EXPECT_NE(why("map,ndcg").find("parted by blanks"), std::string::npos) << why("map,ndcg");
  EXPECT_NE(why("frobnicate").find("there is no such measure"), std::string::npos);
  EXPECT_NE(why("gm_map.5").find("gm_map takes no parameters"), std::string::npos);
  EXPECT_NE(why("P.").find("no parameters behind the dot"), std::string::npos);
  EXPECT_NE(why("P.x").find("\"x\" is no number"), std::string::npos);
  EXPECT_NE(why("P.0").find("a cutoff must be 1 or more"), std::string::npos);
  EXPECT_NE(why("P.5,5").find("occurs twice"), std::string::npos);
  EXPECT_NE(why("ndcg.x").find("pairs grade=gain"), std::string::npos);
  EXPECT_NE(why("utility.1,2").find("takes 4 coefficients"), std::string::npos);
  EXPECT_NE(why("AP(rel=2").find("not closed"), std::string::npos);
  EXPECT_NE(why("AP(beta=2)").find("AP takes no \"beta\""), std::string::npos);
  EXPECT_NE(why("AP(rel=2,rel=3)").find("given twice"), std::string::npos);
  EXPECT_NE(why("P@").find("expected @ and a number"), std::string::npos);
  EXPECT_NE(why("R").find("needs a cutoff, such as R@10"), std::string::npos);
  EXPECT_NE(why("RBP(p=2)").find("p must lie between 0 and 1"), std::string::npos);
  EXPECT_NE(why("P@nan").find("is no number"), std::string::npos);
  EXPECT_THROW(parse_measure(""), ConfigError);
}

TEST(SortAsTrecEval, PutsMeasuresInItsOrderAndOthersLast) {
  auto measures = parse_measures(Names{"nDCG@3", "P.10", "map", "P.5", "num_q", "AP"});
  sort_as_trec_eval(measures);
  Names sorted;
  for (const auto& measure : measures) sorted.push_back(measure.name);
  EXPECT_EQ(sorted, (Names{"num_q", "map", "P_5", "P_10", "nDCG@3", "AP"}));
}

}  // namespace
}  // namespace touchstone::analysis::measures
