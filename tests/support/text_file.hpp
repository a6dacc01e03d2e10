#pragma once

#include "common/files.hpp"

#include <filesystem>
#include <string_view>

namespace touchstone::testing {

/// Writes over a plain or gzip file.
inline void write_text(const std::filesystem::path& path, std::string_view text) {
  TextWriter writer(path);
  writer.write(text);
  writer.finish();
}

}  // namespace touchstone::testing
