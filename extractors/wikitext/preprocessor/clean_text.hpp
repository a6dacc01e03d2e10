#pragma once

#include "extractors/wikitext/preprocessor/wikitext_options.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace touchstone::extractors::wikitext::preprocessor {

/// True for well-formed UTF-8 without bytes that wikitext cannot hold: NUL, carriage returns, the byte of a marker.
bool is_clean(std::string_view text) noexcept;

/// The text as a page holds it: malformed bytes become U+FFFD, line ends become line feeds, marker bytes become '?',
/// NUL bytes are removed.
std::string clean(std::string_view text);

/// The clean wikitext of a page; nothing if the wiki has no such page.
std::optional<std::string> load_clean(const PageLoader& loader, const Title& title);

}  // namespace touchstone::extractors::wikitext::preprocessor
