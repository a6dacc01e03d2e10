#pragma once

#include <string>
#include <string_view>

namespace touchstone::extractors::wikitext::inlines {

/// The length of the address without brackets that begins at byte `begin` of the text, without punctuation at its end;
/// 0 when none begins there.
std::size_t bare_url_length(std::string_view text, std::size_t begin);

/// True for text that may hold an address which is shown otherwise than it is written.
bool may_change_urls(std::string_view text) noexcept;

/// Text with the addresses in it as MediaWiki shows those without brackets: pipes, brackets and quotes as percent
/// escapes, and characters that no host has left out. Character references in them are decoded where that matters.
std::string show_bare_urls(std::string_view text);

}  // namespace touchstone::extractors::wikitext::inlines
