#include "analysis/measures/ranking.hpp"
#include "analysis/measures/topic_scorer.hpp"
#include "common/error.hpp"
#include "formats/trec/qrels_table.hpp"

#include <algorithm>
#include <vector>

namespace touchstone::analysis::measures::internal {
namespace {

using formats::trec::QrelsTable;
using formats::trec::RunEntry;

/// The measure whose values of single judgment groups are averaged.
MeasureKind kind_within_group(MeasureKind kind) {
  switch (kind) {
    case MeasureKind::kGroupAp:
      return MeasureKind::kAp;
    case MeasureKind::kGroupPrecision:
      return MeasureKind::kPrecision;
    case MeasureKind::kGroupRprecMult:
      return MeasureKind::kRprecMult;
    default:
      return kind;
  }
}

/// Scores by qrels with several judgment groups: each measure is the mean of its values in the groups.
class GroupedScorer final : public TopicScorer {
 public:
  GroupedScorer(const std::filesystem::path& qrels, std::span<const Measure> measures, const EvaluateOptions& options)
      : qrels_(qrels, {true, options.lenient}), options_(options), measures_(measures.begin(), measures.end()) {
    for (auto& measure : measures_) measure.kind = kind_within_group(measure.kind);
  }

  const std::filesystem::path& path() const override { return qrels_.path(); }
  std::size_t topic_count() const override { return qrels_.topic_count(); }
  std::string_view topic(std::size_t index) const override { return qrels_.topic(index); }
  std::optional<std::size_t> find_topic(std::string_view id) const override { return qrels_.find_topic(id); }
  const formats::trec::LineFaults& faults() const override { return qrels_.faults(); }

  TopicScores score(std::size_t topic, std::span<const RunEntry> entries) const override {
    const auto retrieved = std::min<std::size_t>(entries.size(), options_.max_passages);
    std::vector<std::uint32_t> judgments(retrieved);  // by rank; QrelsTable::kNone
    for (std::size_t rank = 0; rank < retrieved; ++rank)
      judgments[rank] = qrels_.find(topic, entries[rank].docid, entries[rank].docid_hash);
    return scores_of(topic, judgments);
  }

  /// As trec_eval does: as if one passage that nobody judged had been retrieved.
  TopicScores score_missing(std::size_t topic) const override { return scores_of(topic, {QrelsTable::kNone}); }

 private:
  /// Grades of one group, and how many of each grade there are.
  struct GroupGrades {
    std::vector<std::int16_t> grades;  ///< by judgment of the topic
    std::vector<bool> is_judged;
    std::vector<std::uint32_t> counts;  ///< as QrelsTable::grade_counts
  };

  std::vector<GroupGrades> groups_of(std::size_t topic) const {
    const auto judgments = qrels_.judgments(topic).size();
    std::vector<GroupGrades> groups(qrels_.facet_count(topic));
    for (auto& group : groups) {
      group.grades.resize(judgments);
      group.is_judged.resize(judgments);
    }
    for (const auto& [judgment, index, grade] : qrels_.facet_grades(topic)) {
      auto& group = groups[index];
      group.grades[judgment] = grade;
      group.is_judged[judgment] = true;
      if (grade < 0) continue;
      group.counts.resize(std::max<std::size_t>(group.counts.size(), static_cast<std::size_t>(grade) + 1));
      ++group.counts[static_cast<std::size_t>(grade)];
    }
    return groups;
  }

  TopicScores scores_of(std::size_t topic, const std::vector<std::uint32_t>& judgments) const {
    TopicScores scores;
    scores.values.resize(measures_.size());
    ViewMaker maker;
    const auto groups = groups_of(topic);
    for (const auto& group : groups) {
      Ranking ranking{static_cast<std::uint32_t>(judgments.size()), {}};
      for (std::uint32_t rank = 0; rank < ranking.retrieved; ++rank) {
        const auto judgment = judgments[rank];
        if (judgment != QrelsTable::kNone && group.is_judged[judgment])
          ranking.hits.push_back({rank, judgment, group.grades[judgment]});
      }
      const auto view = maker.view(ranking, group.counts, {options_.min_grade, options_.judged_only});
      for (std::size_t i = 0; i < measures_.size(); ++i) {
        if (!measures_[i].is_text()) scores.values[i] += binary_score(measures_[i], view, 0);
      }
    }
    for (double& value : scores.values) value /= static_cast<double>(groups.size());
    return scores;
  }

  QrelsTable qrels_;
  EvaluateOptions options_;
  std::vector<Measure> measures_;
};

}  // namespace

std::unique_ptr<TopicScorer> make_grouped_scorer(const std::filesystem::path& qrels, std::span<const Measure> measures,
                                                 const EvaluateOptions& options) {
  return std::make_unique<GroupedScorer>(qrels, measures, options);
}

}  // namespace touchstone::analysis::measures::internal
