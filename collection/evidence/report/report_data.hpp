#pragma once

#include "collection/evidence/manifest.hpp"
#include "collection/evidence/records.hpp"
#include "collection/evidence/report/list_order.hpp"
#include "collection/evidence/report/report.hpp"
#include "collection/evidence/report/topic_contents.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

/// What the first page of the report shows, read from a collection directory.
namespace touchstone::collection::evidence::report::internal {

inline constexpr std::size_t kProbabilityBins = 20;

struct ReportData {
  Manifest manifest;
  std::vector<ReportTopic> topics;  ///< by list
  std::vector<ReportList> lists;
  std::vector<std::uint64_t> evidence_per_topic;  ///< ascending
  /// Judgments with a grade by probability: [bin][0] no, [bin][1] yes.
  std::array<std::array<std::uint64_t, 2>, kProbabilityBins> probabilities{};
  std::uint64_t without_probability = 0;
  std::vector<std::string> judges;  ///< ids found in the judgments, sorted
  /// Titles and aliases of each topic's members, for the search; empty if there are too many.
  std::vector<std::string> member_names;
};

/// Reads all but the corpus and what was left out, and gives the members and passages of topics to `contents`. Throws
/// FormatError with file, line and remedy at the first line that cannot be read.
ReportData read_report_data(const std::filesystem::path& directory, const ReportLimits& limits, const StopFlag& stop,
                            TopicContentsJoin& contents);

}  // namespace touchstone::collection::evidence::report::internal
