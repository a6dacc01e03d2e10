#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Measures of runs: their names, as trec_eval and ir_measures spell them, and what they represent.
namespace touchstone::analysis::measures {

/// What is computed; several names may mean the same. measure_families() has the formulas and their sources. The
/// measures of a class are neighbours.
enum class MeasureKind : std::uint8_t {
  kRunId,
  kRelstring,
  kDcg,
  kIdealDcg,
  kNdcg,
  kNdcgExp,
  kNdcgRel,
  kRndcg,
  kG,
  kGradedRbp,
  kErr,
  kCompat,
  kInst,
  kInsq,
  kAlphaDcg,
  kAlphaNdcg,
  kErrIa,
  kNerrIa,
  kNrbp,
  kNnrbp,
  kApIa,
  kPrecisionIa,
  kStRecall,
  kNumQ,
  kNumRet,
  kNumRel,
  kNumRelRet,
  kAp,
  kGmMap,
  kRprec,
  kBpref,
  kReciprocalRank,
  kIprec,
  kPrecision,
  kRecall,
  kInfAp,
  kGmBpref,
  kRprecMult,
  kUtility,
  kElevenPoint,
  kBinG,
  kRelativePrecision,
  kSuccess,
  kSetPrecision,
  kSetRelativePrecision,
  kSetRecall,
  kSetAp,
  kSetF,
  kNumNonrelJudgedRet,
  kYaap,
  kRbpResidual,
  kUnjudged,
  kRbp,
  kJudged,
  kAccuracy,
};

/// What a measure is computed from.
enum class MeasureClass : std::uint8_t {
  kText,    ///< runid and relstring, whose value is a text
  kBinary,  ///< passages that are relevant or not
  kGain,    ///< grades
  kFacet,   ///< the facets of the topic that passages are relevant to
};
MeasureClass class_of(MeasureKind kind) noexcept;

/// How the values of topics become one.
enum class Average : std::uint8_t {
  kMean,
  kSum,
  kGeometricMean,
  kTopicCount,
  kNone,
  kMeanOfDefined,  ///< over the topics that have a value, which NaN is not
};

enum class Spelling : std::uint8_t { kTrecEval, kIrMeasures };

/// What trec_eval reads behind the dot.
enum class ParameterForm : std::uint8_t {
  kNone,
  kCutoffs,  ///< ranks; a measure for each
  kLevels,   ///< numbers; a measure for each
  kNumbers,  ///< numbers of one measure
  kGains,    ///< pairs grade=gain of one measure
};

/// What ir_measures reads between the parentheses.
enum class Parameter : std::uint8_t {
  kCutoff,
  kRel,
  kJudgedOnly,
  kRecall,
  kP,
  kAlpha,
  kBeta,
  kMaxRel,
  kGains,
  kDcg,
  kRelative,
  kNormalize,
  kMinRel,
  kT,
};
inline constexpr std::pair<std::string_view, Parameter> kParameters[] = {{"cutoff", Parameter::kCutoff},
                                                                         {"rel", Parameter::kRel},
                                                                         {"judged_only", Parameter::kJudgedOnly},
                                                                         {"recall", Parameter::kRecall},
                                                                         {"p", Parameter::kP},
                                                                         {"alpha", Parameter::kAlpha},
                                                                         {"beta", Parameter::kBeta},
                                                                         {"max_rel", Parameter::kMaxRel},
                                                                         {"gains", Parameter::kGains},
                                                                         {"dcg", Parameter::kDcg},
                                                                         {"relative", Parameter::kRelative},
                                                                         {"normalize", Parameter::kNormalize},
                                                                         {"min_rel", Parameter::kMinRel},
                                                                         {"T", Parameter::kT}};
std::string_view parameter_name(Parameter parameter);

struct NamedParameter {
  Parameter parameter;
  bool needed = false;
};

/// Sets of measures that trec_eval names. A family's sets are a sum of these.
enum class MeasureSet : std::uint8_t {
  kOfficial = 1,
  kAllTrec = 2,
  kSet = 4,
};
inline constexpr std::pair<std::string_view, MeasureSet> kMeasureSets[] = {
    {"official", MeasureSet::kOfficial}, {"all_trec", MeasureSet::kAllTrec}, {"set", MeasureSet::kSet}};

/// Measures that differ only in their parameters. A row of the one table that the parser, the help and docs/measures.md
/// are made from.
struct MeasureFamily {
  Spelling spelling;
  std::string_view name;
  MeasureKind kind;
  Average average;
  std::string_view summary;  ///< one line with the formula, and the source if it comes from a paper

  // trec_eval only.
  ParameterForm form = ParameterForm::kNone;
  std::string_view defaults = {};  ///< parameters that are used if none are given, separated by commas
  std::uint8_t sets = 0;

  // ir_measures only.
  std::span<const NamedParameter> takes = {};

  bool is_in(MeasureSet set) const noexcept { return (sets & static_cast<std::uint8_t>(set)) != 0; }
};
/// trec_eval's rows are in the order in which it prints.
std::span<const MeasureFamily> measure_families() noexcept;

/// Gives one value for each run and topic.
struct Measure {
  const MeasureFamily* family = nullptr;
  MeasureKind kind{};                         ///< the family's, unless parameters choose another
  std::string name;                           ///< as printed: "ndcg_cut_10", "nDCG@10"
  std::uint32_t cutoff = 0;                   ///< ranks that count; 0: all
  std::optional<int> min_grade;               ///< lowest relevant grade; empty: as EvaluateOptions
  bool judged_only = false;                   ///< unjudged passages are removed from the ranking first
  bool has_parameters = false;                ///< given explicitly, not the family's defaults
  std::vector<double> numbers;                ///< recall level, multiple of R, utilities, p, alpha and beta, ...
  std::vector<std::pair<int, double>> gains;  ///< (grade, gain) where the gain is not the grade

  bool needs_facets() const noexcept { return class_of(kind) == MeasureClass::kFacet; }
  bool is_text() const noexcept { return class_of(kind) == MeasureClass::kText; }
  /// Counts are printed without decimals.
  bool is_count() const noexcept;
  /// Whether trec_eval prints the values of single topics.
  bool has_topic_values() const noexcept;
};

/// The measures that a word represents: a trec_eval measure with parameters behind a dot (`ndcg_cut.5,10`, `set_F.0.5`,
/// `ndcg.1=3,2=9`), the same as trec_eval prints it (`ndcg_cut_10`), a set (`official`, `set`, `all_trec`), or an
/// ir_measures measure (`nDCG@10`, `AP(rel=2)@100`). Throws ConfigError that says what is wrong or names the nearest
/// measure.
std::vector<Measure> parse_measure(std::string_view word);

/// The measures of all words, in their order, each once. If a trec_eval measure is given with and without parameters,
/// only those with parameters remain: `all_trec P.7` has P_7 but no P_5.
std::vector<Measure> parse_measures(std::span<const std::string> words);

/// Sorts trec_eval measures as trec_eval prints them; ir_measures measures follow in their order.
void sort_as_trec_eval(std::vector<Measure>& measures);

}  // namespace touchstone::analysis::measures
