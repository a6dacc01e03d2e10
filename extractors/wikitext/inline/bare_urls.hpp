#pragma once

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

}  // namespace touchstone::extractors::wikitext::inlines
