#pragma once

#include <string>
#include <vector>

#include <fmt/format.h>

namespace touchstone::collection::evidence {

/// The headings above a place, as people see them: `a » b » c`.
inline std::string join_path(const std::vector<std::string>& headings) {
  return fmt::format("{}", fmt::join(headings, " » "));
}

}  // namespace touchstone::collection::evidence
