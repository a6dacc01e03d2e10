#pragma once

#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

namespace touchstone::testing {

/// Folder of the real data that published numbers are checked with.
inline std::filesystem::path shared_data() {
  const char* named = std::getenv("TOUCHSTONE_DATA");
  return named != nullptr && *named != '\0' ? std::filesystem::path(named)
                                            : std::filesystem::path(TS_SOURCE_DIR) / ".." / "shared" / "data";
}

}  // namespace touchstone::testing

/// Skips the test, and says so, where the real data is not at hand.
#define TS_NEED_DATA(path)            \
  if (!std::filesystem::exists(path)) \
  GTEST_SKIP() << "real data is not here: " << (path) << " (set TOUCHSTONE_DATA to its folder)"
