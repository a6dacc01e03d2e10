#pragma once

#include <optional>
#include <string_view>

namespace touchstone::collection::health {

/// The first piece of wikitext or HTML that a reader of a wiki would not see: braces of templates, brackets of links,
/// marks of tables, arguments of templates, calls of parser functions, messages of errors, tags, attributes, character
/// references, behaviour switches. The result is part of `text`. Nothing if the text looks clean. "[[title]]" with both
/// brackets is clean: every link is read, so that a whole one in a text is shown by <nowiki> or <code>.
std::optional<std::string_view> leftover_markup(std::string_view text);

}  // namespace touchstone::collection::health
