#pragma once

#include "formats/html/html.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace touchstone::collection::release::report {

/// Foreign text as it is shown: what moves the cursor or turns the direction of the text is made visible.
formats::html::Html shown(std::string_view text);

/// The same for a text of any length: at most `code_points`, and "…" where it is cut.
formats::html::Html shown_excerpt(std::string_view text, std::size_t code_points);

/// A number and its noun: "1 facet", "1,200 facets".
std::string counted(std::uint64_t count, std::string_view noun);

/// Byte offset of the code point `index`, or the size if there are fewer.
std::size_t byte_of_code_point(std::string_view text, std::size_t index);

}  // namespace touchstone::collection::release::report
