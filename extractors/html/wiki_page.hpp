#pragma once

#include <libxml/tree.h>

namespace touchstone::extractors::html {

/// What MediaWiki and Parsoid mark in the HTML of a page.

/// The element that holds the text of a page that MediaWiki made; null in other pages.
const xmlNode* wiki_content(const xmlNode* body);

/// True for elements that are not text of the article: footnotes, links for editors, navigation boxes, notes that lead
/// to other pages, boxes about the page or about other sites, coordinates, and the note of the copier mwoffliner on
/// where the page is from.
bool is_aside_of_wiki(const xmlNode* element);

}  // namespace touchstone::extractors::html
