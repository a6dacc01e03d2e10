#pragma once

#include "common/settings.hpp"
#include "common/stop.hpp"
#include "pipeline/evidence/evidence_records.hpp"
#include "storage/store.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace touchstone::pipeline::survey {

/// What a trial needs of the program around it.
struct TrialPlace {
  storage::Store& store;  ///< linked; is not changed
  std::filesystem::path folder;
  const StopFlag& stop;
  int threads = 1;
};

/// Candidate passages of a topic, as far as they differ.
struct CandidateCount {
  std::uint64_t passages = 0;
  std::uint64_t outside = 0;  ///< those that stand on no member's own article for that member
};

/// A copy of settings, all of whose values count as given.
Settings copy_of(const Settings& settings);

/// Runs the stage `groups` with these settings as `build` does, with its files in the place's folder.
std::vector<evidence::Group> try_groups(const TrialPlace& place, const Settings& settings);

/// Runs the stage `candidates` for these groups. Topic id -> candidates.
std::map<std::string, CandidateCount> try_candidates(const TrialPlace& place, const Settings& settings,
                                                     const std::vector<evidence::Group>& groups);

}  // namespace touchstone::pipeline::survey
