#pragma once

#include "formats/car/cbor_items.hpp"
#include "formats/car/records.hpp"

/// CBOR items as records, in all forms that releases have had.
namespace touchstone::formats::car::internal {

// Throw WrongItem. Memory and time are linear in the tree.

/// A page or an outline.
Page decode_page(const ItemTree& tree);
Paragraph decode_paragraph(const ItemTree& tree);

/// Whether the item has the shape of a paragraph rather than that of a page.
bool looks_like_paragraph(const ItemTree& tree) noexcept;

}  // namespace touchstone::formats::car::internal
