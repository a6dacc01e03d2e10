#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Names of measures, as trec_eval and ir_measures spell them, and what they stand for.
namespace touchstone::analysis {

/// What is computed; several spellings may mean the same. Formulas and sources: measure_families() and
/// docs/evaluate.md.
enum class MeasureKind : std::uint8_t {
  kRunId,
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
  kRelstring,
  kRecall,
  kInfAp,
  kGmBpref,
  kRprecMult,
  kUtility,
  kElevenPoint,
  kBinG,
  kG,
  kDcg,
  kIdealDcg,
  kNdcg,
  kNdcgRel,
  kRndcg,
  kRelativePrecision,
  kSuccess,
  kSetPrecision,
  kSetRelativePrecision,
  kSetRecall,
  kSetAp,
  kSetF,
  kNumNonrelJudgedRet,
  kYaap,
  kGradedRbp,
  kRbpResidual,
  kUnjudged,
  kNdcgExp,
  kRbp,
  kErr,
  kJudged,
  kAlphaDcg,
  kAlphaNdcg,
  kErrIa,
  kNerrIa,
  kNrbp,
  kNnrbp,
  kApIa,
  kPrecisionIa,
  kStRecall,
};

/// How a measure's values over topics become one.
enum class Average : std::uint8_t { kMean, kSum, kGeometricMean, kTopicCount, kNone };

enum class Spelling : std::uint8_t { kTrecEval, kIrMeasures };

/// Row of the one table that the parser, the help and docs/evaluate.md are made from; trec_eval's rows stand in the
/// order in which it prints.
struct MeasureFamily {
  Spelling spelling;
  std::string_view name;
  MeasureKind kind;
  Average average;
  /// trec_eval: default parameters, comma-separated; ir_measures: the parameters it takes, `!` behind a needed one.
  std::string_view parameters;
  std::string_view nicknames;  ///< "official,all_trec": which sets it belongs to
  std::string_view summary;    ///< one line, formula where it is short, source where it is a paper's
};
std::span<const MeasureFamily> measure_families() noexcept;

/// One number for each run and topic.
struct Measure {
  const MeasureFamily* family = nullptr;
  std::string name;                           ///< as printed: "ndcg_cut_10", "nDCG@10"
  std::uint32_t cutoff = 0;                   ///< ranks looked at; 0: all
  std::optional<int> min_grade;               ///< lowest grade that is relevant; empty: the run of the program says
  bool judged_only = false;                   ///< unjudged passages are taken out of the ranking first
  bool has_parameters = false;                ///< written out, not the family's defaults
  std::vector<double> numbers;                ///< recall level, multiple of R, utilities, p, alpha and beta, ...
  std::vector<std::pair<int, double>> gains;  ///< grade -> gain, over the default gain = grade

  MeasureKind kind() const noexcept { return family->kind; }
  bool needs_facets() const noexcept { return kind() >= MeasureKind::kAlphaDcg; }
  /// Counts that are printed without decimals.
  bool is_count() const noexcept;
  /// runid and relstring, whose value is a text.
  bool is_text() const noexcept { return kind() == MeasureKind::kRunId || kind() == MeasureKind::kRelstring; }
  /// Whether single topics have a value of their own that is worth printing, as trec_eval sees it.
  bool has_topic_values() const noexcept;
};

/// The measures that one word means: a trec_eval measure with parameters behind a dot (`ndcg_cut.5,10`, `set_F.0.5`,
/// `ndcg.1=3,2=9`), the same as trec_eval prints it (`ndcg_cut_10`), a set (`official`, `set`, `all_trec`), or an
/// ir_measures measure (`nDCG@10`, `AP(rel=2)@100`). Throws ConfigError with the nearest name or what is wrong.
std::vector<Measure> parse_measure(std::string_view word);

/// All words, in their order, each measure once. Of a trec_eval measure that is asked for with and without parameters
/// only those with count, so that `all_trec P.7` has P_7 alone.
std::vector<Measure> parse_measures(std::span<const std::string> words);

/// The order in which trec_eval prints; measures of ir_measures follow in the order given.
void sort_as_trec_eval(std::vector<Measure>& measures);

/// Table of all measures in Markdown, for docs/evaluate.md.
std::string measures_markdown();

}  // namespace touchstone::analysis
