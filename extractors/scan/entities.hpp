#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace touchstone::extractors::scan {

/// Text of the named character reference `name` (without '&' and ';', case-sensitive); empty for unknown names.
std::string_view find_entity(std::string_view name);

/// Decodes the character reference at the start of `text` (which begins with '&'), appends its text to `out` and
/// returns the bytes read. Returns 0, with `out` unchanged, if there is no valid reference.
std::size_t decode_reference(std::string_view text, std::string& out);

/// A copy of `text` with all character references decoded.
std::string decode_references(std::string_view text);

}  // namespace touchstone::extractors::scan
