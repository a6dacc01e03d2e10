#pragma once

#include "collection/health/health_check.hpp"
#include "formats/html/html.hpp"

#include <vector>

namespace touchstone::collection::release::report {

/// The section of a report on the health checks that manifest.json has: failed ones with their remedies first.
formats::html::Html health_section(const std::vector<health::HealthCheck>& checks);

}  // namespace touchstone::collection::release::report
