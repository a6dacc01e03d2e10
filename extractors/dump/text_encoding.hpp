#pragma once

#include "extractors/dump/byte_source.hpp"

#include <memory>
#include <string>

namespace touchstone::extractors::dump::internal {

/// The same source, or one that turns its text into UTF-8: from UTF-16, told from a byte order mark or from how XML
/// begins, or from the encoding that its XML declaration names. Throws FormatError for encodings that are not known.
/// \param first  what was read of the source already, with all of an XML declaration; it is given once more
std::unique_ptr<ByteSource> as_utf8(std::unique_ptr<ByteSource> source, std::string first);

}  // namespace touchstone::extractors::dump::internal
