#pragma once

#include "collection/health_check.hpp"
#include "formats/html/html.hpp"

#include <vector>

namespace touchstone::collection::report::internal {

/// The health checks as manifest.json has them, failed ones first. Empty without checks.
formats::html::Html health_section(const std::vector<HealthCheck>& checks);

}  // namespace touchstone::collection::report::internal
