#pragma once

#include <cstddef>
#include <filesystem>

namespace touchstone::pipeline::passages::near_duplicates::internal {

/// Where the search keeps its data: in files without names, of which a part is in memory.
struct WorkSpace {
  std::filesystem::path folder;
  std::size_t memory_bytes = 0;

  /// A share of the memory.
  std::size_t part(std::size_t of) const noexcept { return memory_bytes / of; }
};

}  // namespace touchstone::pipeline::passages::near_duplicates::internal
