#pragma once

#include "formats/car/cbor_items.hpp"
#include "formats/car/provenance.hpp"
#include "formats/car/records.hpp"

#include <cstdint>
#include <string>

/// CBOR items as records, in all forms that releases have had.
namespace touchstone::formats::car::internal {

/// Why an item is no record. Does not leave the room.
struct WrongItem {
  std::uint64_t offset = 0;  ///< in the file
  std::string what;          ///< the sentence after file and offset
};

// Throw WrongItem. Memory and time are linear in the tree.

/// A page or an outline.
Page decode_page(const ItemTree& tree);
Paragraph decode_paragraph(const ItemTree& tree);

struct Header {
  FileType type = FileType::kPages;
  Provenance provenance;
};
Header decode_header(const ItemTree& tree);

/// Whether the item has the shape of a paragraph rather than that of a page.
bool looks_like_paragraph(const ItemTree& tree) noexcept;

}  // namespace touchstone::formats::car::internal
