#pragma once

#include "extractors/site/site_info.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace touchstone::extractors::wikitext::preprocessor {

/// `#REDIRECT [[Target#fragment]]` at the start of a page.
struct Redirect {
  std::optional<Title> target;  ///< absent when it leads to another wiki or to a page that the wiki makes itself
  std::string fragment;
  std::string_view rest;  ///< the text behind it, a view of the page's
};

/// Reads the redirect at the start of a page; nothing if the page is not a redirect.
///
/// \param page  the page that relative targets start from
std::optional<Redirect> read_redirect(const site::SiteInfo& site, const Title& page, std::string_view wikitext);

}  // namespace touchstone::extractors::wikitext::preprocessor
