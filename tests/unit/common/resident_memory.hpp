#pragma once

#include "tests/support/sanitizers.hpp"

#include <cstdint>
#include <fstream>

#include <malloc.h>
#include <unistd.h>

namespace touchstone {

/// Whether memory that is given back leaves the process.
inline constexpr bool kMemoryIsMeasured = !testing::kIsSanitized;

/// Bytes of this process that are in memory, without those that the allocator keeps for later. Source: proc(5), statm.
inline std::uint64_t resident_bytes() {
  ::malloc_trim(0);
  std::uint64_t all = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace touchstone
