#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace touchstone::extractors::dump::internal {

/// Appends the character of the reference at the start of `text`, and gives its size. 0 if XML does not define it, and
/// nothing is appended.
std::size_t append_reference(std::string_view text, std::string& out);

}  // namespace touchstone::extractors::dump::internal
