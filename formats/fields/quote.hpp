#pragma once

#include <string>
#include <string_view>

namespace touchstone::formats::fields {

/// A value from a file, quoted for a message: made one line, and cut after 60 code points.
std::string quote_for_message(std::string_view value);

}  // namespace touchstone::formats::fields
