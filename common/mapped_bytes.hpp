#pragma once

#include "common/descriptor.hpp"

#include <cstddef>
#include <memory>

#include <sys/mman.h>

namespace touchstone {

struct Unmap {
  std::size_t size = 0;
  void operator()(const char* bytes) const noexcept { ::munmap(const_cast<char*>(bytes), size); }
};

/// Bytes of a file in memory.
using MappedBytes = std::unique_ptr<const char[], Unmap>;

/// Maps the first `size` bytes of a file for reading. Null where the system refuses; errno says why. \pre size > 0
inline MappedBytes map_bytes(const Descriptor& file, std::size_t size) noexcept {
  void* const at = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
  return {at == MAP_FAILED ? nullptr : static_cast<const char*>(at), Unmap{size}};
}

}  // namespace touchstone
