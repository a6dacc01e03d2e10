#pragma once

#include "extractors/document.hpp"
#include "extractors/site/site_info.hpp"
#include "extractors/wikitext/preprocessor/page_context.hpp"
#include "extractors/wikitext/templates/rule_set.hpp"

#include <string_view>

namespace touchstone::extractors::wikitext {

using preprocessor::TemplateMode;
using preprocessor::WikitextLimits;
using preprocessor::WikitextOptions;
using templates::RuleScope;
using templates::scope_of;
using templates::WikimediaRules;
using TemplateRules = templates::RuleSet;

/// Reads the wikitext of one page into a Document.
///
/// \param page      the page's own title: for subpage links, self links and {{PAGENAME}}
/// \param wikitext  UTF-8 (invalid bytes become U+FFFD); not kept after return
/// \note  Pure and thread-safe; linear in the length of the text; never throws on input.
/// Source: mediawiki.org Help:Formatting, Help:Links, Help:Tables, Markup spec (read 2025-01), and MediaWiki 1.39 as
/// oracle.
Document parse_wikitext(const site::SiteInfo& site, const TemplateRules& rules, const Title& page,
                        std::string_view wikitext, const WikitextOptions& options = {});

}  // namespace touchstone::extractors::wikitext
