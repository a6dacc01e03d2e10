#pragma once

#include "analysis/studies/adjudication/adjudication_options.hpp"
#include "analysis/studies/judged_runs.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace touchstone::analysis::studies::adjudication {

/// The pools of all topics, and judges who know the qrels. Immutable and thread-safe.
class PooledTopics {
 public:
  /// \param runs     must outlive the object
  /// \param pooling  the systems that contribute to the pool
  PooledTopics(const JudgedRuns& runs, std::span<const std::size_t> pooling, std::size_t depth, int min_grade);

  std::size_t documents() const noexcept { return documents_; }
  std::size_t relevant() const noexcept { return relevant_; }

  /// Grades of all documents of the pools: the gold labels.
  const std::vector<measures::TopicLabels>& gold() const noexcept { return gold_; }

  /// The labels that the method collects within its budget.
  struct Collected {
    std::vector<measures::TopicLabels> labels;
    std::size_t judged = 0, relevant = 0;
  };
  Collected collect(const methods::AdjudicationOptions& options) const;

 private:
  struct Topic {
    methods::TopicPool pool;
    std::vector<std::uint32_t> passages;  ///< the number in JudgedRuns of each document of the pool
    std::uint64_t seed = 0;
  };

  const JudgedRuns& runs_;
  int min_grade_;
  std::vector<Topic> topics_;
  std::vector<measures::TopicLabels> gold_;
  std::size_t documents_ = 0, relevant_ = 0;
};

}  // namespace touchstone::analysis::studies::adjudication
