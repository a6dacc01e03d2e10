#pragma once

#include "extractors/wikitext/preprocessor/expander.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace touchstone::extractors::wikitext::functions::internal {

/// The value of a page variable (`{{PAGENAME}}`, `{{!}}`, ...). Variables of the present use the time of the dump, if
/// it is known. The mark of an unknown value stands for what a dump does not tell, such as the size of the wiki.
/// Nothing if the word is not a page variable.
std::optional<std::string> page_variable(const preprocessor::PageContext& context, std::string_view word);

/// The same for another page: `{{PAGENAME:Title}}`.
std::optional<std::string> page_variable_of(const preprocessor::PageContext& context, std::string_view word,
                                            std::string_view title);

enum class UrlStyle : unsigned char { kQuery, kWiki, kPath };

std::string encode_url(std::string_view text, UrlStyle style);

}  // namespace touchstone::extractors::wikitext::functions::internal
