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

/// True for an image of a gallery of MediaWiki.
bool is_gallery_box(const xmlNode* node);

/// True for an image with its caption: a figure, a box of that class, or what MediaWiki made of one before 2022.
bool is_figure(const xmlNode* node);

}  // namespace touchstone::extractors::html
