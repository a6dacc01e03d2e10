#pragma once

#include "analysis/measures/evaluate.hpp"
#include "analysis/measures/ranking.hpp"

#include <span>
#include <vector>

namespace touchstone::analysis::internal {

/// Scores rankings of single topics; measures that see a ranking alike share the work. Thread-safe.
class TopicScorer {
 public:
  /// Throws ConfigError when the qrels have grades that a measure cannot take.
  TopicScorer(const formats::trec::QrelsTable& qrels, std::span<const Measure> measures, const EvaluateOptions& options);

  /// Writes one value a measure. `ranking` is what the run retrieved, all of it.
  void score(std::size_t topic, const Ranking& ranking, std::span<double> values) const;
  /// The values of a topic that a run lacks, with --complete.
  void score_missing(std::size_t topic, std::span<double> values) const;

 private:
  struct Lens {
    int min_grade;
    bool judged_only;
    bool operator==(const Lens&) const = default;
  };

  const formats::trec::QrelsTable& qrels_;
  std::span<const Measure> measures_;
  std::uint64_t collection_size_;
  std::vector<Lens> lenses_;
  std::vector<std::size_t> lens_of_;  ///< [measures]
};

/// One value over topics, as the measure says: mean, sum, geometric mean (of logarithms), number of topics.
double average(const Measure& measure, std::span<const double> values);

}  // namespace touchstone::analysis::internal
