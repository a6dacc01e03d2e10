#include "analysis/measures/ranking.hpp"

namespace touchstone::analysis::measures::internal {

View ViewMaker::view(const Ranking& ranking, std::span<const std::uint32_t> grade_counts, const Lens& lens) {
  View view;
  view.min_grade = lens.min_grade;
  view.retrieved = ranking.retrieved;
  view.hits = ranking.hits;
  view.grade_counts = grade_counts;
  if (lens.judged_only) {
    judged_.clear();
    for (Hit hit : ranking.hits) {
      if (hit.grade < 0) continue;
      hit.rank = static_cast<std::uint32_t>(judged_.size());
      judged_.push_back(hit);
    }
    view.hits = judged_;
    view.retrieved = static_cast<std::uint32_t>(judged_.size());
  }
  relevant_ranks_.clear();
  for (const auto& hit : view.hits) {
    if (hit.grade >= lens.min_grade && hit.grade >= 0) relevant_ranks_.push_back(hit.rank);
  }
  view.relevant_ranks = relevant_ranks_;
  for (std::size_t grade = 0; grade < grade_counts.size(); ++grade)
    (static_cast<int>(grade) >= lens.min_grade ? view.relevant : view.judged_nonrelevant) += grade_counts[grade];
  return view;
}

}  // namespace touchstone::analysis::measures::internal
