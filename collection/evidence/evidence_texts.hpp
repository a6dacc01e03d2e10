#pragma once

#include "collection/evidence/records.hpp"
#include "collection/health/health_check.hpp"
#include "collection/health/remedies.hpp"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace touchstone::collection::evidence::internal {

/// What can be seen of a collection's evidence and queries without reading: texts of one mould, evidence that does not
/// name its member, queries that are only keywords, judgments that could not be made, topics of many such.
class EvidenceTexts {
 public:
  void add(const TopicRecord& topic);
  /// \param evidence_grade  lowest grade that is evidence
  void add(const JudgmentRecord& judgment, int evidence_grade);
  /// A passage of the corpus. \pre all judgments were added
  void add(const PassageRecord& passage);

  std::vector<health::HealthCheck> checks(const health::RunOptions& options) const;

 private:
  using Spans = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

  std::uint64_t topics_ = 0, keywords_ = 0, unworded_ = 0;
  std::uint64_t judgments_ = 0, unsure_ = 0;
  std::unordered_map<std::string, std::pair<std::uint64_t, std::uint64_t>> of_topic_;  ///< judgments, unsure
  std::uint64_t outside_ = 0,
                bystanders_ = 0;  ///< evidence outside the own article; of it, what does not name its member
  std::uint64_t repeated_moulds_ = 0;
  std::unordered_map<std::string, Spans> evidence_;  ///< docid -> names of members and links to them
  std::unordered_set<std::string> moulds_;
  std::string bystander_sample_, mould_sample_, keyword_sample_;
};

}  // namespace touchstone::collection::evidence::internal
