#pragma once

#include <cstddef>
#include <string_view>

namespace touchstone::extractors::scan {

/// True when `text` begins with a URL scheme that wikitext makes links of ("http://", "mailto:", ...), in any case.
bool has_protocol(std::string_view text) noexcept;

/// Bytes of the blank at the start of `text`, of any width (Unicode category Zs); 0 when it begins otherwise.
std::size_t space_length(std::string_view text) noexcept;

/// Bytes of the URL at the start of `text`: up to a blank, bracket, quote or angle bracket, written or as a reference.
std::size_t url_length(std::string_view text) noexcept;

}  // namespace touchstone::extractors::scan
