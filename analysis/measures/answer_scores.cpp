#include "analysis/measures/answer_scores.hpp"

#include "analysis/statistics/percentiles.hpp"
#include "analysis/statistics/random.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace touchstone::analysis::measures {
namespace {

constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

double answer_share(double part, double whole, double if_empty) {
  return whole > 0 ? part / whole : if_empty;
}

AnswerValues values_of_answer(const TopicAnswer& answer) {
  const auto stated = static_cast<double>(answer.stated.size());
  const auto members = stated + static_cast<double>(answer.missing.size());
  const auto others = static_cast<double>(answer.others.size());
  const auto listed = static_cast<double>(answer.listed_others);
  const auto unsupported = static_cast<double>(answer.unsupported.size());
  const double recall = answer_share(stated, members, kNoValue);
  const double precision = answer_share(stated, stated + others, 0);
  // 2PR / (P + R), in whole numbers.
  const double f1 = members > 0 ? 2 * stated / (members + stated + others) : kNoValue;
  return {recall,
          precision,
          f1,
          answer_share(stated, stated + listed, 0),
          answer_share(stated - unsupported, stated, kNoValue),
          answer_share(static_cast<double>(answer.citations_evidence), static_cast<double>(answer.citations), kNoValue),
          members,
          stated,
          others,
          listed,
          unsupported,
          static_cast<double>(answer.nameless)};
}

/// \param values  none is NaN
AnswerMean mean_with_interval(const std::vector<double>& values, const AnswerOptions& options) {
  if (values.empty()) return {kNoValue, kNoValue, kNoValue};
  const auto count = static_cast<double>(values.size());
  double sum = 0;
  for (const auto value : values) sum += value;
  if (values.size() < 2) return {sum / count, kNoValue, kNoValue};
  statistics::Random random(options.seed);
  std::vector<double> means(options.resamples);
  for (auto& mean : means) {
    double resampled = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
      resampled += values[random.below(static_cast<std::uint32_t>(values.size()))];
    mean = resampled / count;
  }
  const auto interval = statistics::percentile_interval(std::move(means));
  return {sum / count, interval.low, interval.high};
}

}  // namespace

AnswerScores score_answers(const std::vector<TopicAnswer>& answers, const AnswerOptions& options) {
  AnswerScores scores;
  for (const auto& answer : answers) scores.topics.push_back(values_of_answer(answer));
  for (std::size_t m = 0; m < kAnswerMeasures; ++m) {
    std::vector<double> values;
    double sum = 0;
    for (const auto& topic : scores.topics) {
      if (std::isnan(topic[m])) continue;
      values.push_back(topic[m]);
      sum += topic[m];
    }
    scores.means[m] = m < kAnswerShares ? mean_with_interval(values, options) : AnswerMean{sum, kNoValue, kNoValue};
  }
  return scores;
}

}  // namespace touchstone::analysis::measures
