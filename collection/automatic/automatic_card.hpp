#pragma once

#include "collection/automatic/manifest.hpp"

#include <string>
#include <vector>

/// What an automatic collection says of itself to people.
namespace touchstone::collection::automatic {

/// README.md. Without health checks or a baseline run, the card has no section on them.
std::string automatic_card(const Manifest& manifest);

/// LICENSE: under which licence the texts are, as far as it is known.
std::string license_text(const AutomaticInfo& info);

/// The facts with the licences of all sources as one.
release::CollectionFacts facts_for_hub(const AutomaticInfo& info);

/// hf/README.md: YAML front matter with the configurations, then a card for people.
std::string hub_card(const release::CollectionFacts& facts, const std::vector<std::string>& splits);

}  // namespace touchstone::collection::automatic
