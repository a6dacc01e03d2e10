#pragma once

#include "common/reject_reason.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::pipeline::flow {

/// Samples that a report keeps of each reason.
inline constexpr std::size_t kSamplesPerReason = 3;

/// Counts and samples of what a stage did, for its manifest, the log and `status`.
struct StageReport {
  std::map<std::string, std::uint64_t> counts;              ///< "pages", "links", ...
  std::map<std::string, std::uint64_t> rejected;            ///< text of a reason -> count
  std::map<std::string, std::vector<std::string>> samples;  ///< text of a reason -> first few, in input order
  /// Text of a reason -> what it means. Known to the run that made the report only: manifests do not hold it.
  std::map<std::string, RejectSeverity> severities;
  std::vector<std::string> warnings;
  /// Number of topics that the stage found; nothing for a stage that finds none.
  std::optional<std::uint64_t> topics;
  /// It found no topic, and no settings give one: what it needs is not there. The first warning says what.
  bool no_settings_help = false;

  /// Counts something that was rejected.
  /// \param reason  of an enum with a table of texts: `describe(reason)` is its row
  /// \param detail  goes on with the text of the reason
  template <class Reason>
  void reject(Reason reason, const std::string& sample, std::string_view detail = {}) {
    add(describe(reason), detail, {&sample, 1}, 1);
  }
  /// The same for `count` things with their first samples.
  void add(const RejectReason& reason, std::string_view detail, std::span<const std::string> first,
           std::uint64_t count);
};

}  // namespace touchstone::pipeline::flow
