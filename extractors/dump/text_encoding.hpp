#pragma once

#include "extractors/dump/byte_source.hpp"

#include <memory>

namespace touchstone::extractors::dump::internal {

/// The same source, or one that turns its UTF-16 into UTF-8: told from a byte order mark or from how XML begins.
std::unique_ptr<ByteSource> as_utf8(std::unique_ptr<ByteSource> source);

}  // namespace touchstone::extractors::dump::internal
