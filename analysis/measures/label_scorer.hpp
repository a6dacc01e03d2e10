#pragma once

#include "analysis/measures/measure.hpp"

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

/// Scores rankings by labels that change, for studies of what other labels would say.
namespace touchstone::analysis::measures {

/// Grades of the passages of one topic, which are numbered from 0.
class TopicLabels {
 public:
  static constexpr std::int16_t kNone = std::numeric_limits<std::int16_t>::min();  ///< the passage has no label

  explicit TopicLabels(std::size_t passages = 0) : grades_(passages, kNone) {}

  std::size_t size() const noexcept { return grades_.size(); }
  std::int16_t grade(std::size_t passage) const noexcept { return passage < grades_.size() ? grades_[passage] : kNone; }
  /// Labels a passage, or with kNone takes its label away. \pre passage < size()
  void set(std::size_t passage, std::int16_t grade);
  /// `[g]` is the number of passages of grade g, up to the highest grade that was ever set. Negative grades count as
  /// not judged, as trec_eval has it.
  std::span<const std::uint32_t> grade_counts() const noexcept { return counts_; }

 private:
  std::vector<std::int16_t> grades_;
  std::vector<std::uint32_t> counts_;
};

/// A passage of a ranking, and its rank from 0.
struct RankedPassage {
  std::uint32_t rank, passage;
};

/// One measure over labels in memory. Gives the values that evaluate() gives for the same labels in a qrels file.
/// Immutable and thread-safe.
class LabelScorer {
 public:
  /// \param min_grade  lowest relevant grade, unless the measure names its own
  /// Throws ConfigError for measures that grades do not suffice for: texts and facets.
  LabelScorer(Measure measure, int min_grade);

  const Measure& measure() const noexcept { return measure_; }
  /// The lowest grade that this measure takes as relevant.
  int min_grade() const noexcept { return measure_.min_grade.value_or(min_grade_); }
  /// Ranks that count; the maximum if all do. Labels of passages further down do not change the value, except through
  /// the counts of the labels.
  std::uint32_t depth() const noexcept;
  /// Throws ConfigError if the measure cannot take grades up to this one (ERR with its max_rel).
  void check_highest_grade(int grade) const;

  /// \param ranking  numbers of passages by rank
  /// \return         NaN where the measure is undefined (Average::kMeanOfDefined)
  double score(std::span<const std::uint32_t> ranking, const TopicLabels& labels) const;
  /// The same for a ranking of `retrieved` passages of which only `ranked`, by ascending rank, can have labels.
  double score(std::uint32_t retrieved, std::span<const RankedPassage> ranked, const TopicLabels& labels) const;

 private:
  Measure measure_;
  int min_grade_;
};

}  // namespace touchstone::analysis::measures
