#include "analysis/measures/measure.hpp"
#include "common/named_values.hpp"

namespace touchstone::analysis::measures {
namespace {

using enum MeasureKind;
using enum Average;

/// Parameters of a trec_eval measure.
struct Defaults {
  ParameterForm form = ParameterForm::kNone;
  std::string_view parameters;
};
constexpr std::string_view kLevels = "0,.1,.2,.3,.4,.5,.6,.7,.8,.9,1";
constexpr Defaults kPlain{};
constexpr Defaults kGainPairs{ParameterForm::kGains, ""};
constexpr Defaults kCuts{ParameterForm::kCutoffs, "5,10,15,20,30,100,200,500,1000"};
constexpr Defaults kSharesOfR{ParameterForm::kLevels, ".2,.4,.6,.8,1,1.2,1.4,1.6,1.8,2"};
constexpr Defaults kRecallLevels{ParameterForm::kLevels, kLevels};

constexpr std::uint8_t sum(auto... sets) {
  return static_cast<std::uint8_t>((0 + ... + static_cast<int>(sets)));
}
constexpr std::uint8_t kOfficialSet = sum(MeasureSet::kOfficial, MeasureSet::kAllTrec, MeasureSet::kSet);
constexpr std::uint8_t kOfficial = sum(MeasureSet::kOfficial, MeasureSet::kAllTrec);
constexpr std::uint8_t kAllTrec = sum(MeasureSet::kAllTrec);
constexpr std::uint8_t kAllSet = sum(MeasureSet::kAllTrec, MeasureSet::kSet);
constexpr std::uint8_t kNoSet = 0;

constexpr MeasureFamily trec_eval(std::string_view name, MeasureKind kind, Average average, Defaults defaults,
                                  std::uint8_t sets, std::string_view summary) {
  return {Spelling::kTrecEval, name, kind, average, summary, defaults.form, defaults.parameters, sets, {}};
}

constexpr NamedParameter kCutoffRelJudged[] = {{Parameter::kCutoff}, {Parameter::kRel}, {Parameter::kJudgedOnly}};
constexpr NamedParameter kCutoffDcgGainsJudged[] = {
    {Parameter::kCutoff}, {Parameter::kDcg}, {Parameter::kGains}, {Parameter::kJudgedOnly}};
constexpr NamedParameter kNeededCutoffRelJudged[] = {
    {Parameter::kCutoff, true}, {Parameter::kRel}, {Parameter::kJudgedOnly}};
constexpr NamedParameter kRelJudged[] = {{Parameter::kRel}, {Parameter::kJudgedOnly}};
constexpr NamedParameter kRel[] = {{Parameter::kRel}};
constexpr NamedParameter kNeededRecallRelJudged[] = {
    {Parameter::kRecall, true}, {Parameter::kRel}, {Parameter::kJudgedOnly}};
constexpr NamedParameter kRelRelativeJudged[] = {{Parameter::kRel}, {Parameter::kRelative}, {Parameter::kJudgedOnly}};
constexpr NamedParameter kRelBetaJudged[] = {{Parameter::kRel}, {Parameter::kBeta}, {Parameter::kJudgedOnly}};
constexpr NamedParameter kCutoff[] = {{Parameter::kCutoff}};
constexpr NamedParameter kCutoffPRel[] = {{Parameter::kCutoff}, {Parameter::kP}, {Parameter::kRel}};
constexpr NamedParameter kCutoffMaxRel[] = {{Parameter::kCutoff}, {Parameter::kMaxRel}};
constexpr NamedParameter kNeededCutoffAlphaRelJudged[] = {
    {Parameter::kCutoff, true}, {Parameter::kAlpha}, {Parameter::kRel}, {Parameter::kJudgedOnly}};
constexpr NamedParameter kCutoffAlphaRelJudged[] = {
    {Parameter::kCutoff}, {Parameter::kAlpha}, {Parameter::kRel}, {Parameter::kJudgedOnly}};
constexpr NamedParameter kAlphaBetaRel[] = {{Parameter::kAlpha}, {Parameter::kBeta}, {Parameter::kRel}};
constexpr NamedParameter kCutoffRel[] = {{Parameter::kCutoff}, {Parameter::kRel}};
constexpr NamedParameter kPNormalize[] = {{Parameter::kP}, {Parameter::kNormalize}};
constexpr NamedParameter kTMinRelNeededMaxRel[] = {{Parameter::kT}, {Parameter::kMinRel}, {Parameter::kMaxRel, true}};
constexpr NamedParameter kNeededCutoffRel[] = {{Parameter::kCutoff, true}, {Parameter::kRel}};

constexpr MeasureFamily ir_measures(std::string_view name, MeasureKind kind, Average average,
                                    std::span<const NamedParameter> takes, std::string_view summary) {
  return {Spelling::kIrMeasures, name, kind, average, summary, ParameterForm::kNone, "", kNoSet, takes};
}

// R: relevant passages of the topic; n: retrieved passages; r_k: relevant passages among the first k.
constexpr MeasureFamily kFamilies[] = {
    trec_eval("runid", kRunId, kNone, kPlain, kOfficialSet, "Tag of the run's last line"),
    trec_eval("num_q", kNumQ, kTopicCount, kPlain, kOfficialSet, "Topics that the means are over"),
    trec_eval("num_ret", kNumRet, kSum, kPlain, kOfficialSet, "Passages retrieved; summed over topics"),
    trec_eval("num_rel", kNumRel, kSum, kPlain, kOfficialSet, "Relevant passages, R; summed over topics"),
    trec_eval("num_rel_ret", kNumRelRet, kSum, kPlain, kOfficialSet, "Relevant passages retrieved; summed over topics"),
    trec_eval("map", kAp, kMean, kPlain, kOfficial,
              "Average precision: sum of r_k/k over the ranks k of relevant passages, over R"),
    trec_eval("gm_map", kGmMap, kGeometricMean, kPlain, kOfficial,
              "Geometric mean of average precision, at least .00001 a topic"),
    trec_eval("Rprec", kRprec, kMean, kPlain, kOfficial, "r_R / R"),
    trec_eval("bpref", kBpref, kMean, kPlain, kOfficial,
              "Share of judged relevant before judged non-relevant pairs (Buckley and Voorhees, SIGIR 2004)"),
    trec_eval("recip_rank", kReciprocalRank, kMean, kPlain, kOfficial, "1 / rank of the first relevant passage"),
    trec_eval("iprec_at_recall", kIprec, kMean, kRecallLevels, kOfficial,
              "Highest precision at or behind the rank where the recall level is reached"),
    trec_eval("P", kPrecision, kMean, kCuts, kOfficial, "r_k / k"),
    trec_eval("relstring", kRelstring, kNone, {ParameterForm::kNumbers, "10"}, kAllTrec,
              "Grades of the first passages as a text: - not in the qrels, . grade below 0, > grade above 9"),
    trec_eval("recall", kRecall, kMean, kCuts, kAllTrec, "r_k / R"),
    trec_eval(
        "infAP", kInfAp, kMean, kPlain, kAllTrec,
        "AP inferred from a sampled pool, grade -1 being in the pool but not judged (Yilmaz and Aslam, CIKM 2006)"),
    trec_eval("gm_bpref", kGmBpref, kGeometricMean, kPlain, kAllTrec,
              "Geometric mean of bpref, at least .00001 a topic"),
    trec_eval("Rprec_mult", kRprecMult, kMean, kSharesOfR, kAllTrec, "Precision after x R passages"),
    trec_eval("utility", kUtility, kMean, {ParameterForm::kNumbers, "1,-1,0,0"}, kAllSet,
              "a r_n + b (n - r_n) + c (R - r_n) + d (rest of the collection, -N)"),
    trec_eval("11pt_avg", kElevenPoint, kMean, {ParameterForm::kNumbers, kLevels}, kAllTrec,
              "Mean of iprec_at_recall over the recall levels"),
    trec_eval("binG", kBinG, kMean, kPlain, kAllTrec,
              "Mean over relevant passages of 1 / log2(2 + non-relevant ones before)"),
    trec_eval("G", kG, kMean, kGainPairs, kAllTrec,
              "Sum of gain / log2(2 + what the ideal ranking had gained more by then), over the ideal gain"),
    trec_eval("dcg", kDcg, kMean, kGainPairs, kNoSet,
              "Sum of gain / log2(1 + rank) (Jarvelin and Kekalainen, TOIS 2002)"),
    trec_eval("ideal_dcg", kIdealDcg, kMean, kGainPairs, kNoSet, "dcg of the judged passages in the best order"),
    trec_eval("ndcg", kNdcg, kMean, kGainPairs, kAllTrec, "dcg / ideal_dcg"),
    trec_eval("ndcg_rel", kNdcgRel, kMean, kGainPairs, kAllTrec, "Mean of ndcg at the ranks of relevant passages"),
    trec_eval("Rndcg", kRndcg, kMean, kGainPairs, kAllTrec, "Mean of ndcg at the ranks where the ideal gain changes"),
    trec_eval("ndcg_cut", kNdcg, kMean, kCuts, kAllTrec, "ndcg of the first k, against the ideal first k"),
    trec_eval("map_cut", kAp, kMean, kCuts, kAllTrec, "map of the first k, over R"),
    trec_eval("relative_P", kRelativePrecision, kMean, kCuts, kAllTrec, "r_k / min(k, R)"),
    trec_eval("success", kSuccess, kMean, {ParameterForm::kCutoffs, "1,5,10"}, kAllTrec, "1 if r_k > 0"),
    trec_eval("set_P", kSetPrecision, kMean, kPlain, kAllSet, "r_n / n"),
    trec_eval("set_relative_P", kSetRelativePrecision, kMean, kPlain, kAllSet, "r_n / min(n, R)"),
    trec_eval("set_recall", kSetRecall, kMean, kPlain, kAllSet, "r_n / R"),
    trec_eval("set_map", kSetAp, kMean, kPlain, kAllSet, "set_P times set_recall"),
    trec_eval("set_F", kSetF, kMean, {ParameterForm::kNumbers, "1"}, kAllSet,
              "(x + 1) P R / (x P + R) of set_P and set_recall"),
    trec_eval("num_nonrel_judged_ret", kNumNonrelJudgedRet, kSum, kPlain, kAllTrec,
              "Judged non-relevant passages retrieved; summed over topics"),
    trec_eval("yaap", kYaap, kMean, kPlain, kNoSet,
              "log((1 + s) / (1 + R - s)), s the sum in map (Robertson, ECIR 2012)"),
    trec_eval("rbp", kGradedRbp, kMean, kGainPairs, kAllTrec,
              "(1 - p) sum of gain p^(rank - 1), p = .9 (Moffat and Zobel, TOIS 2008)"),
    trec_eval("rbp_resid", kRbpResidual, kMean, kGainPairs, kAllTrec,
              "What rbp could rise by if all unjudged passages were relevant"),
    trec_eval("unj", kUnjudged, kMean, {ParameterForm::kCutoffs, "5,10,20"}, kAllTrec,
              "Share of unjudged passages in the first k"),

    ir_measures("AP", kAp, kMean, kCutoffRelJudged, "map, map_cut"),
    ir_measures("MAP", kAp, kMean, kCutoffRelJudged, "AP"),
    ir_measures("nDCG", kNdcg, kMean, kCutoffDcgGainsJudged,
                "ndcg, ndcg_cut; dcg='exp-log2' has the gain 2^grade - 1 (Burges et al., ICML 2005)"),
    ir_measures("NDCG", kNdcg, kMean, kCutoffDcgGainsJudged, "nDCG"),
    ir_measures("P", kPrecision, kMean, kNeededCutoffRelJudged, "P_k"),
    ir_measures("Precision", kPrecision, kMean, kNeededCutoffRelJudged, "P"),
    ir_measures("R", kRecall, kMean, kNeededCutoffRelJudged, "recall_k"),
    ir_measures("Recall", kRecall, kMean, kNeededCutoffRelJudged, "R"),
    ir_measures("RR", kReciprocalRank, kMean, kCutoffRelJudged, "recip_rank of the first k"),
    ir_measures("MRR", kReciprocalRank, kMean, kCutoffRelJudged, "RR"),
    ir_measures("Rprec", kRprec, kMean, kRelJudged, "Rprec"),
    ir_measures("RPrec", kRprec, kMean, kRelJudged, "Rprec"),
    ir_measures("Bpref", kBpref, kMean, kRel, "bpref"),
    ir_measures("BPref", kBpref, kMean, kRel, "Bpref"),
    ir_measures("infAP", kInfAp, kMean, kRel, "infAP"),
    ir_measures("Success", kSuccess, kMean, kNeededCutoffRelJudged, "success_k"),
    ir_measures("IPrec", kIprec, kMean, kNeededRecallRelJudged, "iprec_at_recall"),
    ir_measures("SetP", kSetPrecision, kMean, kRelRelativeJudged, "set_P; relative=True: set_relative_P"),
    ir_measures("SetRelP", kSetRelativePrecision, kMean, kRelJudged, "SetP(relative=True)"),
    ir_measures("SetR", kSetRecall, kMean, kRel, "set_recall"),
    ir_measures("SetF", kSetF, kMean, kRelBetaJudged, "set_F with x = beta"),
    ir_measures("SetAP", kSetAp, kMean, kRelJudged, "set_map"),
    ir_measures("NumQ", kNumQ, kTopicCount, {}, "num_q"),
    ir_measures("NumRet", kNumRet, kSum, kRel, "num_ret; with rel: num_rel_ret"),
    ir_measures("NumRel", kNumRel, kSum, kRel, "num_rel"),
    ir_measures("NumRelRet", kNumRelRet, kSum, kRel, "num_rel_ret"),
    ir_measures("Judged", kJudged, kMean, kCutoff, "Share of the first min(k, n) passages that the qrels hold"),
    ir_measures("RBP", kRbp, kMean, kCutoffPRel, "rbp of relevant or not, p = .8"),
    ir_measures(
        "ERR", kErr, kMean, kCutoffMaxRel,
        "Expected reciprocal rank, stop probability (2^grade - 1) / 2^max_rel, max_rel 4 (Chapelle et al., CIKM 2009)"),
    ir_measures("alpha_DCG", kAlphaDcg, kMean, kNeededCutoffAlphaRelJudged,
                "alpha-DCG over its upper bound (Clarke et al., SIGIR 2008)"),
    ir_measures("alpha_nDCG", kAlphaNdcg, kMean, kCutoffAlphaRelJudged,
                "alpha-DCG over the greedy ideal ranking's (Clarke et al., SIGIR 2008)"),
    ir_measures("α_DCG", kAlphaDcg, kMean, kNeededCutoffAlphaRelJudged, "alpha_DCG"),
    ir_measures("α_nDCG", kAlphaNdcg, kMean, kCutoffAlphaRelJudged, "alpha_nDCG"),
    ir_measures("ERR_IA", kErrIa, kMean, kCutoffAlphaRelJudged,
                "Intent-aware ERR over its upper bound (Chapelle et al., CIKM 2009; as the Web track's ndeval)"),
    ir_measures("nERR_IA", kNerrIa, kMean, kCutoffAlphaRelJudged, "ERR_IA over the greedy ideal ranking's"),
    ir_measures("NRBP", kNrbp, kMean, kAlphaBetaRel,
                "Novelty- and rank-biased precision over its upper bound (Clarke et al., ICTIR 2009)"),
    ir_measures("nNRBP", kNnrbp, kMean, kAlphaBetaRel, "NRBP over the greedy ideal ranking's"),
    ir_measures("AP_IA", kApIa, kMean, kRelJudged, "Mean of AP over the facets (Agrawal et al., WSDM 2009)"),
    ir_measures("MAP_IA", kApIa, kMean, kRelJudged, "AP_IA"),
    ir_measures("P_IA", kPrecisionIa, kMean, kNeededCutoffRelJudged,
                "Mean of P over the facets (Agrawal et al., WSDM 2009)"),
    ir_measures(
        "Accuracy", kAccuracy, kMeanOfDefined, kCutoffRel,
        "Share of pairs of a relevant and a non-relevant passage among the first k that are in this order; over the "
        "topics with both"),
    ir_measures("Compat", kCompat, kMean, kPNormalize,
                "Rank-biased overlap with the ideal ranking, p = .95; normalize=True: over that of the ideal ranking "
                "(Clarke et al., TOIS 2021)"),
    ir_measures(
        "INST", kInst, kMean, kTMinRelNeededMaxRel,
        "Expected gain of a user who wants the gain T, 1,000 ranks; gain (grade - min_rel) / (max_rel - min_rel) "
        "(Moffat et al., ADCS 2015)"),
    ir_measures("INSQ", kInsq, kMean, kTMinRelNeededMaxRel,
                "INST of a user who does not react to what was found (Moffat et al., ADCS 2012)"),
    ir_measures("StRecall", kStRecall, kMean, kNeededCutoffRel, "Share of the facets that the first k passages cover"),
};

}  // namespace

std::span<const MeasureFamily> measure_families() noexcept {
  return kFamilies;
}

std::string_view parameter_name(Parameter parameter) {
  return name_in(kParameters, parameter);
}

MeasureClass class_of(MeasureKind kind) noexcept {
  if (kind <= kRelstring) return MeasureClass::kText;
  if (kind <= kInsq) return MeasureClass::kGain;
  return kind <= kStRecall ? MeasureClass::kFacet : MeasureClass::kBinary;
}

bool Measure::is_count() const noexcept {
  return family->average == kSum || family->average == kTopicCount;
}

bool Measure::has_topic_values() const noexcept {
  return kind == kRelstring || family->average == kMean || family->average == kSum || family->average == kMeanOfDefined;
}

}  // namespace touchstone::analysis::measures
