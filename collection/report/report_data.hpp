#pragma once

#include "collection/manifest.hpp"
#include "collection/records.hpp"
#include "collection/report/report.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

/// What the report page shows, read from a collection directory.
namespace touchstone::collection::report::internal {

/// A passage of one topic with all that was said of it.
struct ReportPassage {
  PassageRecord passage;               ///< the text cut to the part that is shown
  bool found = false;                  ///< the corpus has it and there was room for it
  std::uint32_t first_code_point = 0;  ///< of the whole text, where the shown part starts
  bool cut_at_end = false;
  std::vector<JudgmentRecord> judgments;  ///< by member page id
};

struct ReportTopic {
  TopicRecord topic;
  std::uint64_t member_count = 0, evidence_count = 0, not_evidence_count = 0, unjudged_count = 0;
  bool opened = false;                      ///< members and passages are here
  std::vector<MemberRecord> members;        ///< at most ReportLimits::max_members, as are the passages by their limits
  std::vector<ReportPassage> evidence;      ///< most probable first
  std::vector<ReportPassage> not_evidence;  ///< most doubtful first
  std::vector<ReportPassage> unjudged;
};

inline constexpr std::size_t kProbabilityBins = 20;

struct ReportData {
  Manifest manifest;
  std::vector<ReportTopic> topics;                ///< by id; at most ReportLimits::max_listed_topics
  std::vector<std::uint64_t> evidence_per_topic;  ///< of all topics, ascending
  /// Judgments with a grade by probability: [bin][0] no, [bin][1] yes.
  std::array<std::array<std::uint64_t, 2>, kProbabilityBins> probabilities{};
  std::uint64_t without_probability = 0;
  std::vector<std::string> judges;         ///< ids found in the judgments, sorted
  std::vector<DiscardedRecord> discarded;  ///< the first ReportLimits::max_discarded
  std::uint64_t discarded_count = 0;
  std::uint64_t texts_left_out = 0;  ///< passages without text for want of room
};

/// Throws FormatError with file, line and remedy at the first line that cannot be read.
ReportData read_report_data(const std::filesystem::path& directory, const ReportLimits& limits);

}  // namespace touchstone::collection::report::internal
