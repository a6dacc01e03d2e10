#pragma once

#include "annotation/campaign.hpp"

#include <string>

namespace touchstone::annotation {

/// The owner's page as JSON: sections with tables, charts, warnings and texts (docs/annotate.md). Thread-safe.
std::string summary_json(const Campaign& campaign);

}  // namespace touchstone::annotation
