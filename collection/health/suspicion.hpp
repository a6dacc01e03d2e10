#pragma once

#include "collection/health/damage.hpp"

#include <optional>
#include <string_view>

namespace touchstone::collection::health {

/// What looks damaged in a released text. It sees all that `find_damage` does, which decides what a build leaves out,
/// and forms that a few whole texts have too: headings in wikitext and emphasis by asterisks, cells of tables,
/// categories and links to other languages at the end, pairs of words between which one is missing, programs in one
/// line, boxes and tables of contents, dated comments. Such a text alone proves nothing; a share of them does.
/// Thread-safe. Cheap enough for every text of a collection.
std::optional<TextDamage> suspect_damage(std::string_view text);

}  // namespace touchstone::collection::health
