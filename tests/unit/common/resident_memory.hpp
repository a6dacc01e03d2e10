#pragma once

#include <cstdint>
#include <fstream>

#include <malloc.h>
#include <unistd.h>

namespace touchstone {

/// Whether memory that is given back leaves the process: sanitizers keep it for a while.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kMemoryIsMeasured = false;
#elif defined(__has_feature)  // as clang tells it
inline constexpr bool kMemoryIsMeasured = !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer);
#else
inline constexpr bool kMemoryIsMeasured = true;
#endif

/// Bytes of this process that are in memory, without those that the allocator keeps for later. Source: proc(5), statm.
inline std::uint64_t resident_bytes() {
  ::malloc_trim(0);
  std::uint64_t all = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace touchstone
