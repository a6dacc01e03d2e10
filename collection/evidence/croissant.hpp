#pragma once

#include "collection/evidence/manifest.hpp"

#include <string>

namespace touchstone::collection::evidence {

/// The bytes of croissant.json: JSON-LD of Croissant 1.0, which describes the collection to machines.
/// Source: docs.mlcommons.org/croissant/docs/croissant-spec-1.0.html.
/// \param manifest  its files are the data files
std::string croissant(const Manifest& manifest);

}  // namespace touchstone::collection::evidence
