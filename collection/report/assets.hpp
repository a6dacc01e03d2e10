#pragma once

#include <span>
#include <string_view>

namespace touchstone::collection::report::internal {

/// A file of web/ as it was when the program was built.
struct Asset {
  std::string_view name;  ///< "report.css"
  std::string_view text;
};

/// report.html, report.css and report.js.
std::span<const Asset> report_assets();

}  // namespace touchstone::collection::report::internal
