#pragma once

#include "collection/evidence/collection_numbers.hpp"
#include "formats/html/html.hpp"

namespace touchstone::collection::evidence::report::internal {

using formats::html::Html;

/// What each source of candidates gave, and what share of it the judge confirmed; empty if no judgment names a source.
Html source_section(const CollectionNumbers& numbers);

}  // namespace touchstone::collection::evidence::report::internal
