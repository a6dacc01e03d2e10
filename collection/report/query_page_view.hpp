#pragma once

#include "collection/automatic/derivation.hpp"
#include "formats/html/html.hpp"

#include <cstdint>
#include <string>
#include <string_view>

/// A query page of an automatic collection as figure 1 of Dietz and Dalton, "Humans optional?", draws it.
namespace touchstone::collection::report::internal {

/// Foreign text as it is shown: what moves the cursor or turns the direction of the text is made visible.
formats::html::Html shown(std::string_view text);

/// A number and its noun: "1 facet", "1,200 facets".
std::string counted(std::uint64_t count, std::string_view noun);

/// Title, outline with links, and below each heading its passages with their entities and docids.
/// \param number  of the page in the report; its anchor is `t<number>`
formats::html::Html query_page_view(const automatic::Derivation& derivation, bool test, std::uint64_t number);

}  // namespace touchstone::collection::report::internal
