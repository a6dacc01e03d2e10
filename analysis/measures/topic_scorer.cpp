#include "analysis/measures/topic_scorer.hpp"

#include <algorithm>
#include <cmath>

namespace touchstone::analysis::measures::internal {

std::unique_ptr<TopicScorer> make_scorer(const std::filesystem::path& judgments, std::span<const Measure> measures,
                                         const EvaluateOptions& options) {
  switch (options.judgments) {
    case JudgmentForm::kGroupedQrels:
      return make_grouped_scorer(judgments, measures, options);
    case JudgmentForm::kPreferences:
    case JudgmentForm::kQrelsAsPreferences:
      return make_preference_scorer(judgments, measures, options);
    case JudgmentForm::kQrels:
      break;
  }
  return make_qrels_scorer(judgments, measures, options);
}

std::uint32_t relevance_string_length(std::span<const Measure> measures) {
  double length = 0;
  for (const auto& measure : measures) {
    if (measure.kind == MeasureKind::kRelstring) length = std::max(length, measure.numbers.front());
  }
  return static_cast<std::uint32_t>(length);
}

double average(const Measure& measure, std::span<const double> values) {
  const auto topics = static_cast<double>(values.size());
  double sum = 0;
  for (const double value : values) sum += value;
  switch (measure.family->average) {
    case Average::kMean:
      return sum / topics;
    case Average::kMeanOfDefined: {
      double defined = 0, defined_sum = 0;
      for (const double value : values) {
        if (std::isnan(value)) continue;
        ++defined;
        defined_sum += value;
      }
      return defined_sum / defined;  // NaN if no topic has a value
    }
    case Average::kSum:
      return sum;
    case Average::kGeometricMean:
      return std::exp(sum / topics);
    case Average::kTopicCount:
      return topics;
    case Average::kNone:
      break;
  }
  return 0;
}

}  // namespace touchstone::analysis::measures::internal
