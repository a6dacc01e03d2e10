#pragma once

#include "common/options.hpp"

#include <cstdint>
#include <vector>

namespace touchstone::pipeline::flow {

/// What a run leaves to others on the disk that it writes to. Changes nothing of what it writes.
struct DiskOptions {
  std::int64_t keep_free_mb = 256;

  std::uint64_t keep_free_bytes() const noexcept { return static_cast<std::uint64_t>(keep_free_mb) * 1'000'000; }

  static std::vector<Option<DiskOptions>> options();
};

}  // namespace touchstone::pipeline::flow
