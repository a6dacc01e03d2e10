#pragma once

#include "extractors/document.hpp"
#include "extractors/site/site_info.hpp"

#include <string>
#include <string_view>

namespace touchstone::extractors {

/// One JSON object (no line breaks) with what was read from a page:
/// `links` [{target, fragment, text, kind, origin}], `headings` [{level, text}], `tables` [{class, caption, depth,
/// section_path, rows: [[{text, header, colspan, rowspan, links}]], grid}], `lists`, `paragraphs`, `text`,
/// `categories`, `redirect`. Titles are in text form with their namespace. Links of footnotes, captions and the like
/// come last, without text. Where calls of templates were counted: `templates` {title: {rendered, dropped, aside}}.
///
/// \param name  copied into the field `name` when not empty
std::string document_to_json(const Document& document, const site::SiteInfo& site, std::string_view name = {});

}  // namespace touchstone::extractors
