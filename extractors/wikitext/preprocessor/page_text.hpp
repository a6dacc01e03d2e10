#pragma once

#include "extractors/site/site_info.hpp"
#include "extractors/wikitext/preprocessor/page_context.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace touchstone::extractors::wikitext::preprocessor {

/// True for well-formed UTF-8 without bytes that wikitext cannot hold: NUL, carriage returns, the byte of a marker.
bool is_clean(std::string_view text) noexcept;

/// The text as a page holds it: malformed bytes become U+FFFD, line ends become line feeds, marker bytes become '?',
/// NUL bytes are removed.
std::string clean(std::string_view text);

/// The clean wikitext of a page; nothing if the wiki has no such page.
std::optional<std::string> load_clean(const PageLoader& loader, const Title& title);

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
