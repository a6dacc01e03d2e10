#pragma once

#include "common/error.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace touchstone::formats::fields {

/// Throws FormatError if line 1 of a column file starts with a byte-order mark.
inline void refuse_byte_order_mark(const std::filesystem::path& path, std::string_view line, std::uint64_t number) {
  if (number == 1 && line.starts_with("\xEF\xBB\xBF")) {
    throw FormatError(path.string() +
                      ":1: starts with a byte-order mark, which would become part of the first id; save the file as "
                      "UTF-8 without it");
  }
}

}  // namespace touchstone::formats::fields
