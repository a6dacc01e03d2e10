#pragma once

#include "analysis/measures/evaluate.hpp"
#include "formats/trec/line_faults.hpp"
#include "formats/trec/run.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::analysis::measures::internal {

/// What a run scores on one topic.
struct TopicScores {
  std::vector<double> values;    ///< one for each measure; 0 for texts
  std::string relevance_string;  ///< if relstring is a measure
};

/// Judgments in one of the forms, and the values of measures by them. Thread-safe.
class TopicScorer {
 public:
  TopicScorer() = default;
  virtual ~TopicScorer() = default;
  TopicScorer(const TopicScorer&) = delete;
  TopicScorer& operator=(const TopicScorer&) = delete;

  virtual const std::filesystem::path& path() const = 0;
  /// Judged topics are numbered in byte order of their ids.
  virtual std::size_t topic_count() const = 0;
  virtual std::string_view topic(std::size_t index) const = 0;
  virtual std::optional<std::size_t> find_topic(std::string_view id) const = 0;
  /// Lines of the file that were skipped.
  virtual const formats::trec::LineFaults& faults() const = 0;
  /// Evaluation::grades_above_zero; 0 for judgments that are not plain qrels.
  virtual std::uint64_t grades_above_zero() const { return 0; }
  /// Evaluation::highest_grade.
  virtual std::optional<int> highest_grade() const { return std::nullopt; }

  /// \param entries  everything that the run retrieved for the topic, in the order of formats::trec::RunFile
  virtual TopicScores score(std::size_t topic, std::span<const formats::trec::RunEntry> entries) const = 0;
  /// The scores of a topic that the run lacks, for --complete.
  virtual TopicScores score_missing(std::size_t topic) const = 0;
};

/// Reads judgments of the form options.judgments. Keeps a reference to `measures`. Throws as evaluate() does for
/// judgments.
std::unique_ptr<TopicScorer> make_scorer(const std::filesystem::path& judgments, std::span<const Measure> measures,
                                         const EvaluateOptions& options);

// The scorers of the single forms, for make_scorer().
std::unique_ptr<TopicScorer> make_qrels_scorer(const std::filesystem::path& qrels, std::span<const Measure> measures,
                                               const EvaluateOptions& options);
std::unique_ptr<TopicScorer> make_grouped_scorer(const std::filesystem::path& qrels, std::span<const Measure> measures,
                                                 const EvaluateOptions& options);
std::unique_ptr<TopicScorer> make_preference_scorer(const std::filesystem::path& path,
                                                    std::span<const Measure> measures, const EvaluateOptions& options);

/// Length of the longest relstring among the measures; 0 if relstring is not among them.
std::uint32_t relevance_string_length(std::span<const Measure> measures);

/// The value over topics by the measure's average; geometric means expect logarithms. NaN if no topic has a value.
double average(const Measure& measure, std::span<const double> values);

}  // namespace touchstone::analysis::measures::internal
