#pragma once

#include "analysis/measures/label_scorer.hpp"
#include "analysis/statistics/score_matrix.hpp"
#include "formats/trec/qrels_table.hpp"
#include "formats/trec/run.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::analysis::studies {

struct JudgedRunsOptions {
  bool complete = false;  ///< all topics of the qrels; a system that lacks one has an empty ranking for it
  std::uint32_t depth = std::numeric_limits<std::uint32_t>::max();  ///< ranks that are kept
};

/// Judgments and the runs of several systems in memory, read once. Within a topic, passages are numbered from 0: the
/// judged ones first, in the order of the qrels table, then the others in the order in which the runs name them.
/// Immutable and thread-safe. Memory: four bytes for each rank that is kept, and the texts of the files.
class JudgedRuns {
 public:
  /// Reads with the threads of the caller's TBB arena. Orders each ranking as formats::trec::RunFile does. Throws
  /// StorageError and FormatError as measures::evaluate() does, ConfigError for a run that is given twice, and Error if
  /// a run with lines shares no topic with the qrels, or no topic is left.
  JudgedRuns(const std::filesystem::path& qrels, std::span<const std::string> runs,
             const JudgedRunsOptions& options = {});

  const std::vector<std::string>& systems() const noexcept { return frame_.systems; }
  const std::vector<std::string>& files() const noexcept { return frame_.source.run_files; }
  const std::filesystem::path& qrels() const noexcept { return qrels_.path(); }
  /// Index of the system that a user means: its tag, or its file with or without folder. Throws ConfigError.
  std::size_t find_system(std::string_view name) const { return statistics::find_system(frame_, name); }

  /// Topics are in byte order of their ids.
  std::size_t topic_count() const noexcept { return topics_.size(); }
  std::string_view topic(std::size_t topic) const { return qrels_.topic(topics_[topic].judged); }
  /// What becomes of topics that runs do not answer; empty if there are none (statistics::missing_answers()).
  std::string missing_answers() const { return statistics::missing_answers(frame_); }
  /// The docids of the topic by number; the first judged_count() are those of the qrels.
  std::span<const std::string_view> docids(std::size_t topic) const { return topics_[topic].docids; }
  std::size_t judged_count(std::size_t topic) const { return qrels_.judgments(topics_[topic].judged).size(); }
  std::int16_t grade(std::size_t topic, std::uint32_t passage) const {
    return qrels_.judgments(topics_[topic].judged)[passage].grade;
  }
  /// The numbers of the passages that the system retrieved, by rank.
  std::span<const std::uint32_t> ranking(std::size_t system, std::size_t topic) const;

  /// The numbers of the judged passages with at least this grade, ascending. They are the evidence of the topic.
  std::vector<std::uint32_t> relevant(std::size_t topic, int min_grade) const;
  int highest_grade() const noexcept;

  /// The labels of the qrels.
  std::vector<measures::TopicLabels> labels() const;
  /// The scores of all systems by `labels`, a label set for each topic. Topics where a system has no value are left
  /// out. Uses the threads of the caller's arena.
  statistics::ScoreMatrix score(const measures::LabelScorer& scorer,
                                std::span<const measures::TopicLabels> labels) const;

 private:
  struct Topic {
    std::size_t judged = 0;  ///< index into the qrels table
    std::vector<std::string_view> docids;
    std::vector<std::uint32_t> passages;    ///< of all rankings, one system after the other
    std::vector<std::size_t> first_of_run;  ///< [systems + 1]
  };

  void choose_topics(bool complete);
  void read_topic(Topic& topic, std::uint32_t depth) const;

  formats::trec::QrelsTable qrels_;
  std::vector<std::unique_ptr<formats::trec::RunFile>> runs_;
  std::vector<std::vector<std::size_t>> run_topic_;  ///< [systems][topics of the qrels]: index in the run, or kNoTopic
  std::vector<Topic> topics_;
  statistics::ScoreMatrix frame_;  ///< systems, topics and source, without scores
};

}  // namespace touchstone::analysis::studies
