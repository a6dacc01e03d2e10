#pragma once

#include "collection/automatic/manifest.hpp"

#include <string>

/// What an automatic collection says of itself to people.
namespace touchstone::collection::automatic {

/// README.md. Without health checks or a baseline run, the card has no section on them.
std::string automatic_card(const Manifest& manifest);

/// LICENSE: under which licence the texts are, as far as it is known.
std::string license_text(const release::WikiFacts& wiki);

}  // namespace touchstone::collection::automatic
