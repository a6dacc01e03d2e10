#include "collection/license.hpp"

#include "formats/fields/one_line.hpp"

#include <algorithm>
#include <array>

namespace touchstone::collection {
namespace {

bool starts_with_ignoring_case(std::string_view text, std::string_view prefix) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return text.size() >= prefix.size() &&
         std::equal(prefix.begin(), prefix.end(), text.begin(), [&](char a, char b) { return lower(a) == lower(b); });
}

}  // namespace

bool is_spdx(std::string_view license) {
  if (license.find(' ') != std::string_view::npos) return false;
  constexpr std::array<std::string_view, 4> kFamilies{"CC-BY", "CC0", "GFDL-", "ODbL-"};
  return std::any_of(kFamilies.begin(), kFamilies.end(),
                     [&](std::string_view family) { return starts_with_ignoring_case(license, family); });
}

bool is_creative_commons(std::string_view license) {
  return starts_with_ignoring_case(license, "CC") && is_spdx(license);
}

bool is_unknown(std::string_view license) {
  return formats::fields::is_blank(license) || starts_with_ignoring_case(license, "unknown");
}

}  // namespace touchstone::collection
