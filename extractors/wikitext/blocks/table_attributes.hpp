#pragma once

#include "extractors/wikitext/blocks/table_grid.hpp"

#include <string_view>

namespace touchstone::extractors::wikitext::blocks::internal {

/// True for hand-made tables of contents. Like the wiki's own, they are not part of the text.
bool is_navigation(std::string_view attributes) noexcept;

/// Reads `rowspan` and `colspan`.
void read_spans(std::string_view attributes, WrittenCell& cell);

}  // namespace touchstone::extractors::wikitext::blocks::internal
