#pragma once

#include <optional>
#include <string_view>

namespace touchstone::collection::health::internal {

/// The first piece of wikitext or HTML that a reader of a wiki would not see: braces of templates, brackets of links,
/// marks of tables, tags, attributes, character references, behaviour switches. The result is part of
/// `text`. Nothing if the text looks clean.
std::optional<std::string_view> leftover_markup(std::string_view text);

}  // namespace touchstone::collection::health::internal
