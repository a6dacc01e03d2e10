#pragma once

#include "formats/html/html.hpp"

#include <string_view>

namespace touchstone::collection::evidence::report::internal {

/// The report's section on judging by language models: who judged, grades, what was not judged and why, tokens, cost
/// and latency. Empty for empty `json`. Throws FormatError if `json` is not what the judge stage writes.
formats::html::Html judging_section(std::string_view json);

}  // namespace touchstone::collection::evidence::report::internal
