#pragma once

#include <span>
#include <string_view>

namespace touchstone::collection::release::report {

/// A file of web/ as it was when the program was built.
struct Asset {
  std::string_view name;  ///< "report.css"
  std::string_view text;
};

/// All files of web/.
std::span<const Asset> report_assets();

/// The text of one of them. TS_CHECKs that there is such a file.
std::string_view report_asset(std::string_view name);

}  // namespace touchstone::collection::release::report
