#pragma once

#include "extractors/site/site_info.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace touchstone::extractors::dump::internal {

/// Reads `<siteinfo>...</siteinfo>`; `root_tag` is the `<mediawiki ...` start tag, for xml:lang. Throws FormatError.
site::SiteInfo read_site_info(std::string_view root_tag, std::string_view siteinfo, const std::string& file_name);

/// Language code of the `<mediawiki ... xml:lang="..">` in `head`; nothing if it names none.
std::optional<std::string> root_language(std::string_view head);

}  // namespace touchstone::extractors::dump::internal
