#pragma once

#include "extractors/dump/byte_source.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::testing {

/// The bytes of a file of that kind that holds `content`, made by libarchive.
std::string compressed(std::string_view content, extractors::dump::Compression kind);

/// All kinds a dump may come in.
const std::vector<extractors::dump::Compression>& all_compressions();
std::string name_of(extractors::dump::Compression kind);

/// Everything a source gives, asked for in pieces of at most `piece` bytes.
std::string read_all(extractors::dump::ByteSource& source, std::size_t piece = std::size_t{1} << 16);

/// UTF-16 with a byte order mark of UTF-8 text.
std::string utf16(std::string_view text, bool big_endian);

}  // namespace touchstone::testing
