#pragma once

#include "analysis/measures/evaluate.hpp"
#include "analysis/measures/ranking.hpp"

#include <span>
#include <vector>

namespace touchstone::analysis::measures::internal {

/// Scores the rankings of single topics. Measures with the same view of a ranking share the work. Thread-safe.
class TopicScorer {
 public:
  /// Keeps references to `qrels` and `measures`. Throws ConfigError if a measure cannot take the grades of the qrels.
  TopicScorer(const formats::trec::QrelsTable& qrels, std::span<const Measure> measures,
              const EvaluateOptions& options);

  /// Writes a value for each measure; 0 for texts.
  /// \param ranking  everything that the run retrieved for the topic
  void score(std::size_t topic, const Ranking& ranking, std::span<double> values) const;
  /// Writes the values of a topic that the run lacks, for --complete.
  void score_missing(std::size_t topic, std::span<double> values) const;

 private:
  double score(const Measure& measure, const View& view) const;

  /// What decides the view of a ranking.
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

/// The value over topics by the measure's average; geometric means expect logarithms. NaN if no topic has a value.
double average(const Measure& measure, std::span<const double> values);

}  // namespace touchstone::analysis::measures::internal
