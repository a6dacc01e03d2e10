#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace touchstone::pipeline::flow {

/// Samples that a report keeps of each reason.
inline constexpr std::size_t kSamplesPerReason = 3;

/// Counts and samples of what a stage did, for its manifest, the log and `status`.
struct StageReport {
  std::map<std::string, std::uint64_t> counts;              ///< "pages", "links", ...
  std::map<std::string, std::uint64_t> rejected;            ///< reason -> count
  std::map<std::string, std::vector<std::string>> samples;  ///< reason -> first few, in input order
  std::vector<std::string> warnings;

  void reject(const std::string& reason, std::string sample, std::uint64_t count = 1);
};

}  // namespace touchstone::pipeline::flow
