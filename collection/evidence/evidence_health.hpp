#pragma once

#include "collection/evidence/collection_info.hpp"
#include "collection/health/damage.hpp"
#include "collection/health/health_check.hpp"
#include "common/stop.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace touchstone::collection::evidence {

/// Gives health::suspect_damage of the text of a passage, whose pages ascend.
using DamageOf = std::function<std::optional<health::TextDamage>(std::uint64_t page, std::string_view text)>;

/// Examines the data files of an evidence collection, whose manifest.json need not be there yet.
/// \param info    tells which grades are evidence, and the options of the run: remedies that it applied are not named
/// \param damage  none: it is computed
std::vector<health::HealthCheck> examine_evidence(const std::filesystem::path& directory, const CollectionInfo& info,
                                                  const StopFlag& stop = StopFlag(), const DamageOf& damage = {});

}  // namespace touchstone::collection::evidence
