#pragma once

#include <string>
#include <string_view>

namespace touchstone::formats::internal {

/// The report's section on judging by language models: who judged, grades, what was not judged and why, tokens, cost
/// and latency. Empty for empty `json`, and where no judge asked anybody. Throws FormatError when it is not what the judge stage writes.
std::string judging_section(std::string_view json);

}  // namespace touchstone::formats::internal
