#include "analysis/measures/topic_scorer.hpp"

#include "common/error.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace touchstone::analysis::measures::internal {
namespace {

/// ERR needs the highest grade of its scale to be the highest of the qrels.
void check_grades(const formats::trec::QrelsTable& qrels, const Measure& measure) {
  if (measure.kind != MeasureKind::kErr) return;
  for (std::size_t topic = 0; topic < qrels.topic_count(); ++topic) {
    const auto grades = qrels.grade_counts(topic).size();  // from 0
    if (static_cast<double>(grades) > measure.numbers.front() + 1) {
      throw ConfigError(fmt::format(
          "measure \"{}\": topic \"{}\" of {} has the grade {}; say ERR(max_rel=...) with the highest grade "
          "of the scale",
          measure.name, qrels.topic(topic), qrels.path().string(), grades - 1));
    }
  }
}

}  // namespace

TopicScorer::TopicScorer(const formats::trec::QrelsTable& qrels, std::span<const Measure> measures,
                         const EvaluateOptions& options)
    : qrels_(qrels), measures_(measures), collection_size_(options.collection_size) {
  for (const auto& measure : measures) {
    check_grades(qrels, measure);
    const Lens lens{measure.min_grade.value_or(options.min_grade), measure.judged_only || options.judged_only};
    const auto at = std::find(lenses_.begin(), lenses_.end(), lens);
    lens_of_.push_back(static_cast<std::size_t>(at - lenses_.begin()));
    if (at == lenses_.end()) lenses_.push_back(lens);
  }
}

void TopicScorer::score(std::size_t topic, const Ranking& ranking, std::span<double> values) const {
  thread_local std::vector<Hit> judged;
  thread_local std::vector<std::uint32_t> relevant_ranks;
  View view;
  view.qrels = &qrels_;
  view.topic = topic;
  view.grade_counts = qrels_.grade_counts(topic);
  for (std::size_t lens = 0; lens < lenses_.size(); ++lens) {
    const int min_grade = lenses_[lens].min_grade;
    view.min_grade = min_grade;
    view.retrieved = ranking.retrieved;
    view.hits = ranking.hits;
    if (lenses_[lens].judged_only) {
      judged.clear();
      for (Hit hit : ranking.hits) {
        if (hit.grade < 0) continue;
        hit.rank = static_cast<std::uint32_t>(judged.size());
        judged.push_back(hit);
      }
      view.hits = judged;
      view.retrieved = static_cast<std::uint32_t>(judged.size());
    }
    relevant_ranks.clear();
    for (const auto& hit : view.hits) {
      if (hit.grade >= min_grade && hit.grade >= 0) relevant_ranks.push_back(hit.rank);
    }
    view.relevant_ranks = relevant_ranks;
    view.relevant = view.judged_nonrelevant = 0;
    for (std::size_t grade = 0; grade < view.grade_counts.size(); ++grade) {
      (static_cast<int>(grade) >= min_grade ? view.relevant : view.judged_nonrelevant) += view.grade_counts[grade];
    }
    for (std::size_t i = 0; i < measures_.size(); ++i) {
      const Measure& measure = measures_[i];
      if (lens_of_[i] != lens) continue;
      values[i] = score(measure, view);
    }
  }
}

double TopicScorer::score(const Measure& measure, const View& view) const {
  switch (class_of(measure.kind)) {
    case MeasureClass::kText:
      break;
    case MeasureClass::kBinary:
      return binary_score(measure, view, collection_size_);
    case MeasureClass::kGain:
      return gain_score(measure, view);
    case MeasureClass::kFacet:
      return facet_score(measure, view);
  }
  return 0;
}

void TopicScorer::score_missing(std::size_t topic, std::span<double> values) const {
  // As trec_eval does: score the topic as if one unjudged passage had been retrieved, then reset the measures that this
  // passage alone changes.
  score(topic, {1, {}}, values);
  for (std::size_t i = 0; i < measures_.size(); ++i) {
    const Measure& measure = measures_[i];
    const bool has_defaults = !measure.has_parameters;
    if (measure.kind == MeasureKind::kNumRet || measure.kind == MeasureKind::kUnjudged ||
        (has_defaults && (measure.kind == MeasureKind::kUtility || measure.kind == MeasureKind::kRbpResidual))) {
      values[i] = 0;
    }
  }
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
