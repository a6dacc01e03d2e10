#pragma once

#include "extractors/document.hpp"
#include "extractors/site/site_info.hpp"

#include <optional>
#include <string_view>

namespace touchstone::extractors::enterprise {

/// Reads the HTML that Parsoid makes of an article. Footnotes, links for editors, navigation boxes, notes that lead to
/// other pages, captions of whole galleries, maintenance boxes and what a browser does not show are left out. Links to
/// pages of the wiki are found by their addresses, which begin with "./". What templates show is text like any other.
///
/// Pure and thread-safe. Nothing if the bytes hold no element or are more than html::kMaxTreeBytes.
/// Source: mediawiki.org, Specs/HTML/2.8.0.
/// \param page  the article's title: links to it lead nowhere and are text
std::optional<Document> read_article_html(const site::SiteInfo& site, const Title& page, std::string_view html);

}  // namespace touchstone::extractors::enterprise
