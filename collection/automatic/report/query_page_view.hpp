#pragma once

#include "collection/automatic/derivation.hpp"
#include "formats/html/html.hpp"

#include <cstdint>

/// A query page of an automatic collection as figure 1 of Dietz and Dalton, "Humans optional?", draws it.
namespace touchstone::collection::automatic::report::internal {

/// Title, outline with links, and below each heading its passages with their entities and docids.
/// \param number  of the page in the report; its anchor is `t<number>`
formats::html::Html query_page_view(const automatic::Derivation& derivation, bool test, std::uint64_t number);

}  // namespace touchstone::collection::automatic::report::internal
