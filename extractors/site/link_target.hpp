#pragma once

#include "extractors/site/site_info.hpp"

#include <string>
#include <string_view>

namespace touchstone::extractors::site {

/// What the target of a link names.
struct LinkTarget {
  ParsedTitle parsed;
  std::string shown;  ///< what a reader sees where the link has no text of its own; empty: the target as written

  /// True for a page that the wiki has or could have: on no other wiki, not special, not a mere place in a page.
  bool names_page() const noexcept {
    return parsed.interwiki.empty() && !parsed.title.text.empty() && parsed.title.ns >= 0;
  }
};

/// Reads the target of a link as written between "[[" and "|" or "]]": percent-encoding, character references,
/// subpages. False when it is not a title, as addresses are not.
///
/// \param page    the page that the link is on
/// \param shown   whether to fill `target.shown`
/// \param target  must be new; unspecified when the result is false
bool read_link_target(const SiteInfo& site, const Title& page, std::string_view written, bool shown,
                      LinkTarget& target);

/// True for links that are shown beside the page only, on a wiki that is not a language edition itself: those whose
/// prefix names a language edition, also that of the wiki's own language, and codes in the form in which database names
/// have them (`be_x_old`). MediaWiki counts both as links to a page of the wiki where it is not told otherwise, so they
/// still count.
///
/// \param written  the target as `read_link_target` took it
bool names_language_edition(const SiteInfo& site, const LinkTarget& target, std::string_view written);

}  // namespace touchstone::extractors::site
