#include "analysis/measures/measure.hpp"

namespace touchstone::analysis {
namespace {

using enum MeasureKind;
using enum Average;

constexpr auto kTrec = Spelling::kTrecEval;
constexpr auto kIrm = Spelling::kIrMeasures;
constexpr std::string_view kCuts = "5,10,15,20,30,100,200,500,1000";
constexpr std::string_view kLevels = "0,.1,.2,.3,.4,.5,.6,.7,.8,.9,1";
constexpr std::string_view kOfficialSet = "official,all_trec,set";
constexpr std::string_view kOfficial = "official,all_trec";
constexpr std::string_view kAllTrec = "all_trec";
constexpr std::string_view kAllSet = "all_trec,set";

// R: relevant passages of the topic; n: retrieved passages; r_k: relevant ones among the first k.
constexpr MeasureFamily kFamilies[] = {
    {kTrec, "runid", kRunId, kNone, "", kOfficialSet, "Tag of the run's last line"},
    {kTrec, "num_q", kNumQ, kTopicCount, "", kOfficialSet, "Topics that the means are over"},
    {kTrec, "num_ret", kNumRet, kSum, "", kOfficialSet, "Passages retrieved; summed over topics"},
    {kTrec, "num_rel", kNumRel, kSum, "", kOfficialSet, "Relevant passages, R; summed over topics"},
    {kTrec, "num_rel_ret", kNumRelRet, kSum, "", kOfficialSet, "Relevant passages retrieved; summed over topics"},
    {kTrec, "map", kAp, kMean, "", kOfficial,
     "Average precision: sum of r_k/k over the ranks k of relevant passages, over R"},
    {kTrec, "gm_map", kGmMap, kGeometricMean, "", kOfficial,
     "Geometric mean of average precision, at least .00001 a topic"},
    {kTrec, "Rprec", kRprec, kMean, "", kOfficial, "r_R / R"},
    {kTrec, "bpref", kBpref, kMean, "", kOfficial,
     "Share of judged relevant before judged non-relevant pairs (Buckley and Voorhees, SIGIR 2004)"},
    {kTrec, "recip_rank", kReciprocalRank, kMean, "", kOfficial, "1 / rank of the first relevant passage"},
    {kTrec, "iprec_at_recall", kIprec, kMean, kLevels, kOfficial,
     "Highest precision at or behind the rank where the recall level is reached"},
    {kTrec, "P", kPrecision, kMean, kCuts, kOfficial, "r_k / k"},
    {kTrec, "relstring", kRelstring, kNone, "10", kAllTrec,
     "Grades of the first passages as a text: - not in the qrels, . grade below 0, > grade above 9"},
    {kTrec, "recall", kRecall, kMean, kCuts, kAllTrec, "r_k / R"},
    {kTrec, "infAP", kInfAp, kMean, "", kAllTrec,
     "AP inferred from a sampled pool, grade -1 being in the pool but not judged (Yilmaz and Aslam, CIKM 2006)"},
    {kTrec, "gm_bpref", kGmBpref, kGeometricMean, "", kAllTrec, "Geometric mean of bpref, at least .00001 a topic"},
    {kTrec, "Rprec_mult", kRprecMult, kMean, ".2,.4,.6,.8,1,1.2,1.4,1.6,1.8,2", kAllTrec,
     "Precision after x R passages"},
    {kTrec, "utility", kUtility, kMean, "1,-1,0,0", kAllSet,
     "a r_n + b (n - r_n) + c (R - r_n) + d (rest of the collection, -N)"},
    {kTrec, "11pt_avg", kElevenPoint, kMean, kLevels, kAllTrec, "Mean of iprec_at_recall over the recall levels"},
    {kTrec, "binG", kBinG, kMean, "", kAllTrec,
     "Mean over relevant passages of 1 / log2(2 + non-relevant ones before)"},
    {kTrec, "G", kG, kMean, "gains", kAllTrec,
     "Sum of gain / log2(2 + what the ideal ranking had gained more by then), over the ideal gain"},
    {kTrec, "dcg", kDcg, kMean, "gains", "", "Sum of gain / log2(1 + rank) (Jarvelin and Kekalainen, TOIS 2002)"},
    {kTrec, "ideal_dcg", kIdealDcg, kMean, "gains", "", "dcg of the judged passages in the best order"},
    {kTrec, "ndcg", kNdcg, kMean, "gains", kAllTrec, "dcg / ideal_dcg"},
    {kTrec, "ndcg_rel", kNdcgRel, kMean, "gains", kAllTrec, "Mean of ndcg at the ranks of relevant passages"},
    {kTrec, "Rndcg", kRndcg, kMean, "gains", kAllTrec, "Mean of ndcg at the ranks where the ideal gain changes"},
    {kTrec, "ndcg_cut", kNdcg, kMean, kCuts, kAllTrec, "ndcg of the first k, against the ideal first k"},
    {kTrec, "map_cut", kAp, kMean, kCuts, kAllTrec, "map of the first k, over R"},
    {kTrec, "relative_P", kRelativePrecision, kMean, kCuts, kAllTrec, "r_k / min(k, R)"},
    {kTrec, "success", kSuccess, kMean, "1,5,10", kAllTrec, "1 if r_k > 0"},
    {kTrec, "set_P", kSetPrecision, kMean, "", kAllSet, "r_n / n"},
    {kTrec, "set_relative_P", kSetRelativePrecision, kMean, "", kAllSet, "r_n / min(n, R)"},
    {kTrec, "set_recall", kSetRecall, kMean, "", kAllSet, "r_n / R"},
    {kTrec, "set_map", kSetAp, kMean, "", kAllSet, "set_P times set_recall"},
    {kTrec, "set_F", kSetF, kMean, "1", kAllSet, "(x + 1) P R / (x P + R) of set_P and set_recall"},
    {kTrec, "num_nonrel_judged_ret", kNumNonrelJudgedRet, kSum, "", kAllTrec,
     "Judged non-relevant passages retrieved; summed over topics"},
    {kTrec, "yaap", kYaap, kMean, "", "", "log((1 + s) / (1 + R - s)), s the sum in map (Robertson, ECIR 2012)"},
    {kTrec, "rbp", kGradedRbp, kMean, "gains", kAllTrec,
     "(1 - p) sum of gain p^(rank - 1), p = .9 (Moffat and Zobel, TOIS 2008)"},
    {kTrec, "rbp_resid", kRbpResidual, kMean, "gains", kAllTrec,
     "What rbp could rise by if all unjudged passages were relevant"},
    {kTrec, "unj", kUnjudged, kMean, "5,10,20", kAllTrec, "Share of unjudged passages in the first k"},

    {kIrm, "AP", kAp, kMean, "cutoff,rel,judged_only", "", "map, map_cut"},
    {kIrm, "MAP", kAp, kMean, "cutoff,rel,judged_only", "", "AP"},
    {kIrm, "nDCG", kNdcg, kMean, "cutoff,dcg,gains,judged_only", "",
     "ndcg, ndcg_cut; dcg='exp-log2' has the gain 2^grade - 1 (Burges et al., ICML 2005)"},
    {kIrm, "NDCG", kNdcg, kMean, "cutoff,dcg,gains,judged_only", "", "nDCG"},
    {kIrm, "P", kPrecision, kMean, "cutoff!,rel,judged_only", "", "P_k"},
    {kIrm, "Precision", kPrecision, kMean, "cutoff!,rel,judged_only", "", "P"},
    {kIrm, "R", kRecall, kMean, "cutoff!,rel,judged_only", "", "recall_k"},
    {kIrm, "Recall", kRecall, kMean, "cutoff!,rel,judged_only", "", "R"},
    {kIrm, "RR", kReciprocalRank, kMean, "cutoff,rel,judged_only", "", "recip_rank of the first k"},
    {kIrm, "MRR", kReciprocalRank, kMean, "cutoff,rel,judged_only", "", "RR"},
    {kIrm, "Rprec", kRprec, kMean, "rel,judged_only", "", "Rprec"},
    {kIrm, "RPrec", kRprec, kMean, "rel,judged_only", "", "Rprec"},
    {kIrm, "Bpref", kBpref, kMean, "rel", "", "bpref"},
    {kIrm, "BPref", kBpref, kMean, "rel", "", "Bpref"},
    {kIrm, "infAP", kInfAp, kMean, "rel", "", "infAP"},
    {kIrm, "Success", kSuccess, kMean, "cutoff!,rel,judged_only", "", "success_k"},
    {kIrm, "IPrec", kIprec, kMean, "recall!,rel,judged_only", "", "iprec_at_recall"},
    {kIrm, "SetP", kSetPrecision, kMean, "rel,relative,judged_only", "", "set_P; relative=True: set_relative_P"},
    {kIrm, "SetRelP", kSetRelativePrecision, kMean, "rel,judged_only", "", "SetP(relative=True)"},
    {kIrm, "SetR", kSetRecall, kMean, "rel", "", "set_recall"},
    {kIrm, "SetF", kSetF, kMean, "rel,beta,judged_only", "", "set_F with x = beta"},
    {kIrm, "SetAP", kSetAp, kMean, "rel,judged_only", "", "set_map"},
    {kIrm, "NumQ", kNumQ, kTopicCount, "", "", "num_q"},
    {kIrm, "NumRet", kNumRet, kSum, "rel", "", "num_ret; with rel: num_rel_ret"},
    {kIrm, "NumRel", kNumRel, kSum, "rel", "", "num_rel"},
    {kIrm, "NumRelRet", kNumRelRet, kSum, "rel", "", "num_rel_ret"},
    {kIrm, "Judged", kJudged, kMean, "cutoff", "", "Share of the first min(k, n) passages that the qrels hold"},
    {kIrm, "RBP", kRbp, kMean, "cutoff,p,rel", "", "rbp of relevant or not, p = .8"},
    {kIrm, "ERR", kErr, kMean, "cutoff,max_rel", "",
     "Expected reciprocal rank, stop probability (2^grade - 1) / 2^max_rel, max_rel 4 (Chapelle et al., CIKM 2009)"},
    {kIrm, "alpha_DCG", kAlphaDcg, kMean, "cutoff!,alpha,rel,judged_only", "",
     "alpha-DCG over its upper bound (Clarke et al., SIGIR 2008)"},
    {kIrm, "alpha_nDCG", kAlphaNdcg, kMean, "cutoff,alpha,rel,judged_only", "",
     "alpha-DCG over the greedy ideal ranking's (Clarke et al., SIGIR 2008)"},
    {kIrm, "α_DCG", kAlphaDcg, kMean, "cutoff!,alpha,rel,judged_only", "", "alpha_DCG"},
    {kIrm, "α_nDCG", kAlphaNdcg, kMean, "cutoff,alpha,rel,judged_only", "", "alpha_nDCG"},
    {kIrm, "ERR_IA", kErrIa, kMean, "cutoff,alpha,rel,judged_only", "",
     "Intent-aware ERR over its upper bound (Chapelle et al., CIKM 2009; as the Web track's ndeval)"},
    {kIrm, "nERR_IA", kNerrIa, kMean, "cutoff,alpha,rel,judged_only", "", "ERR_IA over the greedy ideal ranking's"},
    {kIrm, "NRBP", kNrbp, kMean, "alpha,beta,rel", "",
     "Novelty- and rank-biased precision over its upper bound (Clarke et al., ICTIR 2009)"},
    {kIrm, "nNRBP", kNnrbp, kMean, "alpha,beta,rel", "", "NRBP over the greedy ideal ranking's"},
    {kIrm, "AP_IA", kApIa, kMean, "rel,judged_only", "", "Mean of AP over the facets (Agrawal et al., WSDM 2009)"},
    {kIrm, "MAP_IA", kApIa, kMean, "rel,judged_only", "", "AP_IA"},
    {kIrm, "P_IA", kPrecisionIa, kMean, "cutoff!,rel,judged_only", "",
     "Mean of P over the facets (Agrawal et al., WSDM 2009)"},
    {kIrm, "StRecall", kStRecall, kMean, "cutoff!,rel", "", "Share of the facets that the first k passages cover"},
};

}  // namespace

std::span<const MeasureFamily> measure_families() noexcept {
  return kFamilies;
}

bool Measure::is_count() const noexcept {
  return family->average == kSum || family->average == kTopicCount;
}

bool Measure::has_topic_values() const noexcept {
  return kind() == kRelstring || family->average == kMean || family->average == kSum;
}

}  // namespace touchstone::analysis
