#pragma once

#include "annotation/campaign.hpp"

#include <chrono>
#include <mutex>
#include <string>

namespace touchstone::annotation {

/// The owner's page: progress, pace, times, agreement, judge against people, annotators to look at, and what a paper
/// says of it (docs/annotate.md). Computed again when it is asked for and ten seconds have passed. Thread-safe.
class OwnerSummary {
 public:
  /// \param campaign  outlives this object
  explicit OwnerSummary(const Campaign& campaign) : campaign_(campaign) {}

  /// JSON: a title and sections with tables, charts, warnings and texts.
  std::string json();

 private:
  const Campaign& campaign_;
  std::mutex mutex_;
  std::string last_;
  std::chrono::steady_clock::time_point computed_;
};

/// The text of the page for a terminal, and of a file beside the answers.
std::string summary_text(const Campaign& campaign);

}  // namespace touchstone::annotation
