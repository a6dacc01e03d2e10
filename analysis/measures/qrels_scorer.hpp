#pragma once

#include "analysis/measures/evaluate.hpp"
#include "analysis/measures/ranking.hpp"
#include "formats/trec/qrels_table.hpp"
#include "formats/trec/run.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace touchstone::analysis::measures::internal {

/// What a run scores on one topic.
struct TopicScores {
  std::vector<double> values;    ///< one for each measure; 0 for texts
  std::string relevance_string;  ///< if relstring is a measure
};

/// Values of measures by qrels. Measures with the same view of a ranking share the work. Thread-safe.
class QrelsScorer {
 public:
  /// Keeps a reference to `measures`. Throws as evaluate() does for qrels.
  QrelsScorer(const std::filesystem::path& qrels, std::span<const Measure> measures, const EvaluateOptions& options);

  const formats::trec::QrelsTable& qrels() const noexcept { return qrels_; }
  /// Evaluation::grades_above_zero.
  std::uint64_t grades_above_zero() const;
  /// Evaluation::highest_grade.
  int highest_grade() const;

  /// \param entries  everything that the run retrieved for the topic, in the order of formats::trec::RunFile
  TopicScores score(std::size_t topic, std::span<const formats::trec::RunEntry> entries) const;
  /// The scores of a topic that the run lacks, for --complete. As trec_eval does: as if one unjudged passage had been
  /// retrieved. The measures that this passage alone changes are then reset.
  TopicScores score_missing(std::size_t topic) const;

 private:
  std::vector<double> values_of(std::size_t topic, const Ranking& ranking) const;
  double value_of(const Measure& measure, const View& view) const;

  formats::trec::QrelsTable qrels_;
  std::span<const Measure> measures_;
  EvaluateOptions options_;
  std::uint32_t string_length_;
  std::vector<Lens> lenses_;
  std::vector<std::size_t> lens_of_;  ///< [measures]
};

/// Length of the longest relstring among the measures; 0 if relstring is not among them.
std::uint32_t relevance_string_length(std::span<const Measure> measures);

/// The value over topics by the measure's average; geometric means expect logarithms. NaN if no topic has a value.
double average(const Measure& measure, std::span<const double> values);

}  // namespace touchstone::analysis::measures::internal
