#pragma once

#include <cstddef>
#include <string>

#include <libxml/tree.h>

namespace touchstone::extractors::html {

/// The element that holds what the page is about: its <main> (or role="main"), its only <article>, or else the deepest
/// element with nine tenths of the text that is outside links, all headings included.
/// \param body  the page's body, or its root
const xmlNode* main_content(const xmlNode* body);

/// True for elements that lead through a site or frame a page: navigation, page headers and footers, search, forms, and
/// lists and boxes that hold little but links.
/// \param inside_main  the element is in the main content, where lists of links may be content
bool is_navigation(const xmlNode* element, bool inside_main);

/// True for elements that show no text: scripts, styles, hidden ones.
bool is_unshown(const xmlNode* element);

/// The language that the content of a page, or an element around it, is declared to have. DocBook declares it for the
/// first element of the content.
std::string language_of(const xmlNode* content);

}  // namespace touchstone::extractors::html
