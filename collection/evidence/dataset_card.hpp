#pragma once

#include "collection/evidence/manifest.hpp"

#include <string>

namespace touchstone::collection::evidence {

/// README.md: YAML front matter as the Hugging Face hub and MTEB read it, then a card for people. Without health
/// checks or a baseline run, the card has no section on them.
std::string dataset_card(const Manifest& manifest);

}  // namespace touchstone::collection::evidence
