#pragma once

#include <string_view>

namespace touchstone::extractors::wikitext::preprocessor {

/// Whether expanded wikitext is nothing but boxes beside the text: elements with a border, a background or a float, or
/// with a class that wikis give to boxes, and categories and tables between them. False for text that is not closed.
bool is_box(std::string_view text);

/// Letters and digits in bytes, tags apart: how much text a reader sees, roughly.
std::size_t count_shown(std::string_view text) noexcept;

}  // namespace touchstone::extractors::wikitext::preprocessor
