#include "collection/release/report/assets.hpp"

#include "common/error.hpp"

#include <algorithm>

namespace touchstone::collection::release::report {

std::string_view report_asset(std::string_view name) {
  const auto assets = report_assets();
  const auto found = std::find_if(assets.begin(), assets.end(), [&](const auto& asset) { return asset.name == name; });
  TS_CHECK(found != assets.end(), "a file of the table");
  return found->text;
}

}  // namespace touchstone::collection::release::report
