#pragma once

#include <string>
#include <string_view>

/// What the name of a licence says.
namespace touchstone::collection::release {

/// Whether it reads as an SPDX identifier of a family that wikis and textbooks use.
bool is_spdx(std::string_view license);

/// The SPDX identifier of a Creative Commons licence that a text names by its address
/// (creativecommons.org/licenses/by-sa/4.0); the text itself for all others.
std::string named_license(std::string_view text);

/// Whether it is empty or says that the licence is unknown.
bool is_unknown(std::string_view license);

/// The licence's web page: the name itself if it is an address, SPDX's page for an SPDX identifier. Empty: none known.
std::string license_url(std::string_view license);

/// The lines of a dataset card's front matter that name the licence, with the hub's own identifier where it has one
/// (Hugging Face's list of licences, 2025); else "other" with the name.
std::string hub_license(std::string_view license);

}  // namespace touchstone::collection::release
