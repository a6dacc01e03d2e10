#pragma once

#include "formats/car/cbor_items.hpp"
#include "formats/car/provenance.hpp"
#include "formats/car/records.hpp"

namespace touchstone::formats::car::internal {

struct Header {
  FileType type = FileType::kPages;
  Provenance provenance;
};

/// The header of a file, in the form of any release. Throws WrongItem.
Header decode_header(const ItemTree& tree);

}  // namespace touchstone::formats::car::internal
