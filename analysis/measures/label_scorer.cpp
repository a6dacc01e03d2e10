#include "analysis/measures/label_scorer.hpp"

#include "analysis/measures/evaluate.hpp"
#include "analysis/measures/ranking.hpp"
#include "common/error.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace touchstone::analysis::measures {

void TopicLabels::set(std::size_t passage, std::int16_t grade) {
  auto& present = grades_[passage];
  if (present >= 0) --counts_[static_cast<std::size_t>(present)];
  present = grade;
  if (grade < 0) return;
  const auto at = static_cast<std::size_t>(grade);
  if (counts_.size() <= at) counts_.resize(at + 1);
  ++counts_[at];
}

LabelScorer::LabelScorer(Measure measure, int min_grade) : measure_(std::move(measure)), min_grade_(min_grade) {
  const auto kind = class_of(measure_.kind);
  if (kind == MeasureClass::kBinary || kind == MeasureClass::kGain) return;
  throw ConfigError(fmt::format(
      "measure \"{}\" is not a number that follows from the grades of passages; studies take measures such as R@20, "
      "nDCG@10 or map",
      measure_.name));
}

std::uint32_t LabelScorer::depth() const noexcept {
  return measure_.judged_only ? std::numeric_limits<std::uint32_t>::max() : internal::depth_of(measure_);
}

void LabelScorer::check_highest_grade(int grade) const {
  if (measure_.kind != MeasureKind::kErr || grade <= measure_.numbers.front()) return;
  throw ConfigError(fmt::format(
      "measure \"{}\": the labels go up to grade {}; say ERR(max_rel=...) with the highest grade of the scale",
      measure_.name, grade));
}

double LabelScorer::score(std::span<const std::uint32_t> ranking, const TopicLabels& labels) const {
  thread_local std::vector<RankedPassage> ranked;
  ranked.clear();
  for (std::uint32_t rank = 0; rank < ranking.size(); ++rank) ranked.push_back({rank, ranking[rank]});
  return score(static_cast<std::uint32_t>(ranking.size()), ranked, labels);
}

double LabelScorer::score(std::uint32_t retrieved, std::span<const RankedPassage> ranked,
                          const TopicLabels& labels) const {
  thread_local internal::Ranking hits;
  thread_local internal::ViewMaker maker;
  hits.retrieved = retrieved;
  hits.hits.clear();
  for (const auto& [rank, passage] : ranked) {
    const auto grade = labels.grade(passage);
    if (grade != TopicLabels::kNone) hits.hits.push_back({rank, passage, grade});
  }
  const auto view = maker.view(hits, labels.grade_counts(), {min_grade(), measure_.judged_only});
  return class_of(measure_.kind) == MeasureClass::kGain ? gain_score(measure_, view) : binary_score(measure_, view, 0);
}

}  // namespace touchstone::analysis::measures
