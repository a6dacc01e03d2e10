#pragma once

#include "analysis/adjudication/topic_pool.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace touchstone::analysis::adjudication::internal {

/// The place in each run up to which everything is judged.
class RunCursors {
 public:
  explicit RunCursors(const TopicPool& pool) : pool_(pool), places_(pool.runs.size()), judged_(pool.docids.size()) {}

  /// The run's best document that is not judged; nothing if all are.
  std::optional<std::uint32_t> next(std::size_t run) {
    const auto& documents = pool_.runs[run];
    auto& place = places_[run];
    while (place < documents.size() && (documents[place] == kNotPooled || judged_[documents[place]])) ++place;
    return place < documents.size() ? std::optional(documents[place]) : std::nullopt;
  }

  void judge(std::uint32_t document) { judged_[document] = true; }

 private:
  const TopicPool& pool_;
  std::vector<std::size_t> places_;
  std::vector<bool> judged_;
};

}  // namespace touchstone::analysis::adjudication::internal
