#pragma once

#include "extractors/markup/rendered_page.hpp"

#include <string_view>

namespace touchstone::extractors::markup {

/// Renders a page of DokuWiki. Links to pages of the wiki become addresses from its root, such as `/ns/page`, since
/// namespaces are folders. Marks of emphasis and tags of plugins are removed, and the text between them stays.
/// Footnotes, macros and media that plugins show are left out and counted. Pure; O(bytes).
/// \param text        UTF-8
/// \param name_space  the folder of the page within the wiki, with '/' at its end unless it is empty
/// Source: www.dokuwiki.org/wiki:syntax (read 2026-11).
RenderedPage render_dokuwiki(std::string_view text, std::string_view name_space);

/// Whether a line is a heading of DokuWiki, `== Text ==` to `====== Text ======`.
bool is_dokuwiki_heading(std::string_view line) noexcept;

}  // namespace touchstone::extractors::markup
