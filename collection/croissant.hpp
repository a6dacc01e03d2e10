#pragma once

#include "collection/collection_info.hpp"
#include "collection/collection_numbers.hpp"
#include "collection/manifest.hpp"

#include <string>
#include <vector>

namespace touchstone::collection {

/// The bytes of croissant.json: JSON-LD of Croissant 1.0, which describes the collection to machines.
/// Source: docs.mlcommons.org/croissant/docs/croissant-spec-1.0.html.
/// \param files  the data files
std::string croissant(const CollectionInfo& info, const CollectionNumbers& numbers,
                      const std::vector<FileEntry>& files);

}  // namespace touchstone::collection
