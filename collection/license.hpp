#pragma once

#include <string_view>

/// What the name of a licence says.
namespace touchstone::collection {

/// Whether it reads as an SPDX identifier of a family that wikis and textbooks use.
bool is_spdx(std::string_view license);

bool is_creative_commons(std::string_view license);

/// Whether it is empty or says that the licence is unknown.
bool is_unknown(std::string_view license);

}  // namespace touchstone::collection
