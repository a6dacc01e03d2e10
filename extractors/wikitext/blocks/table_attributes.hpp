#pragma once

#include "extractors/wikitext/blocks/table_grid.hpp"

#include <string_view>

namespace touchstone::extractors::wikitext::blocks::internal {

/// Hand-made tables of contents stand for the one that the wiki would show; neither is part of the text.
bool is_navigation(std::string_view attributes) noexcept;

/// Reads `rowspan` and `colspan`.
void read_spans(std::string_view attributes, WrittenCell& cell);

}  // namespace touchstone::extractors::wikitext::blocks::internal
