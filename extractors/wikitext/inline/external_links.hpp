#pragma once

#include "extractors/wikitext/tokens/tokens.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace touchstone::extractors::wikitext::inlines {

/// The length of the address without brackets that begins at byte `begin` of the text, without punctuation at its end;
/// 0 if there is none.
std::size_t bare_url_length(std::string_view text, std::size_t begin);

/// True for text that may contain an address that is not shown as written.
bool may_change_urls(std::string_view text) noexcept;

/// The text with its addresses as MediaWiki shows those without brackets: pipes, brackets and quotation marks become
/// percent escapes, and characters that hosts cannot have are left out. Character references are decoded for that.
std::string show_bare_urls(std::string_view text);

/// Resolves the external links of a line. `[http://example.org text]` becomes formatting around its text, or around a
/// number if it has no text.
///
/// \param text          what the tokens point into
/// \param auto_numbers  number of links without text so far; incremented
/// \param out           the resulting tokens; emptied first
/// Source: mediawiki.org Help:Links (read 2025-01), checked against MediaWiki 1.39.
void resolve_external_links(std::string_view text, const tokens::Tokens& line, std::uint32_t& auto_numbers,
                            tokens::Tokens& out);

/// Whether a line shows nothing but external links and marks around them, as items of lists of links do.
bool has_only_external_links(std::string_view text, const tokens::Tokens& line);

/// True if brackets around the text make it an external link: it begins with an address.
bool begins_with_address(std::string_view written) noexcept;

}  // namespace touchstone::extractors::wikitext::inlines
