#pragma once

#include "collection/collection_info.hpp"
#include "collection/collection_numbers.hpp"

#include <string>

namespace touchstone::collection {

/// README.md: YAML front matter as the Hugging Face hub and MTEB read it, then a card for people.
std::string dataset_card(const CollectionInfo& info, const CollectionNumbers& numbers);

}  // namespace touchstone::collection
