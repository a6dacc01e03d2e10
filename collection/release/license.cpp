#include "collection/release/license.hpp"

#include "common/json_writer.hpp"
#include "common/unicode.hpp"
#include "formats/fields/one_line.hpp"

#include <algorithm>
#include <array>

namespace touchstone::collection::release {
namespace {

/// The hub's identifiers that are SPDX's in lower case.
constexpr std::array kHubLicenses{std::string_view("afl-3.0"),
                                  std::string_view("agpl-3.0"),
                                  std::string_view("apache-2.0"),
                                  std::string_view("artistic-2.0"),
                                  std::string_view("bsd-2-clause"),
                                  std::string_view("bsd-3-clause"),
                                  std::string_view("bsl-1.0"),
                                  std::string_view("cc-by-2.0"),
                                  std::string_view("cc-by-2.5"),
                                  std::string_view("cc-by-3.0"),
                                  std::string_view("cc-by-4.0"),
                                  std::string_view("cc-by-nc-2.0"),
                                  std::string_view("cc-by-nc-3.0"),
                                  std::string_view("cc-by-nc-4.0"),
                                  std::string_view("cc-by-nc-nd-3.0"),
                                  std::string_view("cc-by-nc-nd-4.0"),
                                  std::string_view("cc-by-nc-sa-2.0"),
                                  std::string_view("cc-by-nc-sa-3.0"),
                                  std::string_view("cc-by-nc-sa-4.0"),
                                  std::string_view("cc-by-nd-4.0"),
                                  std::string_view("cc-by-sa-3.0"),
                                  std::string_view("cc-by-sa-4.0"),
                                  std::string_view("cc0-1.0"),
                                  std::string_view("ecl-2.0"),
                                  std::string_view("eupl-1.1"),
                                  std::string_view("eupl-1.2"),
                                  std::string_view("gpl-2.0"),
                                  std::string_view("gpl-3.0"),
                                  std::string_view("isc"),
                                  std::string_view("lgpl-2.1"),
                                  std::string_view("lgpl-3.0"),
                                  std::string_view("mit"),
                                  std::string_view("mpl-2.0"),
                                  std::string_view("ms-pl"),
                                  std::string_view("ncsa"),
                                  std::string_view("ofl-1.1"),
                                  std::string_view("osl-3.0"),
                                  std::string_view("postgresql"),
                                  std::string_view("unlicense"),
                                  std::string_view("wtfpl"),
                                  std::string_view("zlib")};

/// The hub's identifier; empty if it has none for the licence.
std::string hub_identifier(std::string_view license) {
  std::string name = lower_case(license);
  for (const std::string_view ending : {"-only", "-or-later"}) {
    if (name.ends_with(ending)) name.resize(name.size() - ending.size());
  }
  if (std::find(kHubLicenses.begin(), kHubLicenses.end(), name) != kHubLicenses.end()) return name;
  if (name.starts_with("gfdl-")) return "gfdl";
  if (name.starts_with("odbl-")) return "odbl";
  if (name.starts_with("odc-by-")) return "odc-by";
  if (name.starts_with("pddl-")) return "pddl";
  return {};
}

bool is_address(std::string_view text) {
  return text.starts_with("https://") || text.starts_with("http://");
}

}  // namespace

std::string named_license(std::string_view text) {
  constexpr std::string_view kLicenses = "creativecommons.org/licenses/",
                             kZero = "creativecommons.org/publicdomain/zero/";
  const auto part_at = [&](std::size_t at) {
    return text.substr(at, text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789.-", at) - at);
  };
  if (const auto at = text.find(kZero); at != std::string_view::npos)
    return "CC0-" + std::string(part_at(at + kZero.size()));
  const auto at = text.find(kLicenses);
  if (at == std::string_view::npos) return std::string(text);
  const auto kind = part_at(at + kLicenses.size());
  const auto version_at = at + kLicenses.size() + kind.size() + 1;
  const auto version = version_at < text.size() ? part_at(version_at) : std::string_view();
  if (kind.empty() || version.empty()) return std::string(text);
  std::string name = "CC-" + std::string(kind) + "-" + std::string(version);
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  return name;
}

bool is_spdx(std::string_view license) {
  if (license.find(' ') != std::string_view::npos) return false;
  const std::string name = lower_case(license);
  return !hub_identifier(license).empty() || name.starts_with("cc-by") || name.starts_with("cc0") ||
         name.starts_with("gfdl-");
}

bool is_unknown(std::string_view license) {
  return formats::fields::is_blank(license) || lower_case(license).starts_with("unknown");
}

std::string license_url(std::string_view license) {
  if (is_address(license)) return std::string(license);
  if (is_spdx(license)) return "https://spdx.org/licenses/" + std::string(license) + ".html";
  return {};
}

std::string hub_license(std::string_view license) {
  if (is_unknown(license)) return "license: unknown\n";
  if (const auto name = hub_identifier(license); !name.empty()) return "license: " + name + "\n";
  std::string lines = "license: other\nlicense_name: ";
  append_json_string(lines, formats::fields::one_line(license), JsonEscapes::kLineBreaks);
  if (const auto url = license_url(license); !url.empty()) lines += "\nlicense_link: " + url;
  return lines + "\n";
}

}  // namespace touchstone::collection::release
