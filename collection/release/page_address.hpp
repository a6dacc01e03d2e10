#pragma once

#include <cstdint>
#include <string>
#include <string_view>

/// Where the pages of a wiki are on the web.
namespace touchstone::collection::release {

/// What comes before a title in the addresses of a wiki's pages, from `base` of its site information (the address of
/// its main page). Empty if that names no title, or is no
/// http or https address, so that no dump can put another kind of link on a page.
std::string article_address(std::string_view base_url);

/// The address of a page; with a revision, of the page as it was then. Empty if article_address() is.
std::string page_address(std::string_view base_url, std::string_view title, std::uint64_t revision);

}  // namespace touchstone::collection::release
