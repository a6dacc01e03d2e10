#pragma once

#include "extractors/site/language_words.hpp"
#include "extractors/wikitext/preprocessor/expander.hpp"
#include "extractors/wikitext/tokens/tokens.hpp"

#include <string>
#include <string_view>

namespace touchstone::extractors::internal {

struct LinkTarget {
  ParsedTitle parsed;  ///< its title is moved into `found`, except for the namespace
  FoundLink found;
  std::string shown;  ///< for links without own text whose written form differs from what is shown
};

/// Reads the target of a link as written between "[[" and "|" or "]]": percent-encoding, character references,
/// subpages, protocols. False when it names no page.
///
/// \param shown   fill `target.shown` when what the reader sees differs from what is written
/// \param target  as new; of no use when the result is false
bool read_link_target(PageContext& context, std::string_view written, bool shown, LinkTarget& target);

/// Bytes at the start of `text` that join a link in front of them.
std::uint32_t trail_length(const LanguageWords& words, std::string_view text) noexcept;

/// True when `text` begins with a URL scheme that wikitext makes links of ("http://", "mailto:", ...).
bool has_protocol(std::string_view text) noexcept;

/// Bytes of the blank at the start of `text`, of any width (Unicode category Zs); 0 when there is none.
std::size_t space_length(std::string_view text) noexcept;

/// Bytes of the URL at the start of `text`: up to a blank, bracket, quote or angle bracket, written or as a reference.
std::size_t url_length(std::string_view text) noexcept;

}  // namespace touchstone::extractors::internal
