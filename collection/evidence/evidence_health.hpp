#pragma once

#include "collection/evidence/collection_info.hpp"
#include "collection/health/health_check.hpp"
#include "common/stop.hpp"

#include <filesystem>
#include <vector>

namespace touchstone::collection::evidence {

/// Examines the data files of an evidence collection, whose manifest.json need not be there yet. XX
/// \param info  tells which grades are evidence, and the options of the run: remedies that it applied are not named
std::vector<health::HealthCheck> examine_evidence(const std::filesystem::path& directory, const CollectionInfo& info,
                                                  const StopFlag& stop = StopFlag());

}  // namespace touchstone::collection::evidence
