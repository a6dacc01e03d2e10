#include "pipeline/passages/near_duplicates/growing_array.hpp"

#include "common/error.hpp"
#include "common/system_failure.hpp"

#include <algorithm>
#include <cerrno>
#include <string>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace touchstone::pipeline::passages::near_duplicates::internal {
namespace {

constexpr std::size_t kPageBytes = std::size_t{1} << 16;

}  // namespace

GrowingMemory::GrowingMemory(const std::filesystem::path& folder) : folder_(folder) {
  if (folder_.empty()) return;
  file_ = open_file_without_name(folder_);
  if (!file_.is_open()) throw StorageError(failure_text("create a file in", folder_, errno));
}

GrowingMemory::GrowingMemory(GrowingMemory&& other) noexcept
    : folder_(std::move(other.folder_)),
      file_(std::move(other.file_)),
      data_(std::exchange(other.data_, nullptr)),
      capacity_(std::exchange(other.capacity_, 0)) {}

GrowingMemory::~GrowingMemory() {
  release();
}

void GrowingMemory::release() noexcept {
  if (data_ != nullptr) ::munmap(data_, capacity_);
  if (file_.is_open() && ::ftruncate(file_.get(), 0) != 0) return;  // the space comes back when the file is closed
  data_ = nullptr;
  capacity_ = 0;
}

void GrowingMemory::reserve(std::size_t bytes) {
  if (bytes <= capacity_) return;
  const std::size_t wanted = (std::max(bytes, capacity_ + capacity_ / 2) + kPageBytes - 1) / kPageBytes * kPageBytes;
  if (file_.is_open()) {
    const int code = ::posix_fallocate(file_.get(), 0, static_cast<off_t>(wanted));
    if (code != 0) throw StorageError(failure_text("write to", folder_, code));
  }
  void* moved = data_ != nullptr ? ::mremap(data_, capacity_, wanted, MREMAP_MAYMOVE)
                                 : ::mmap(nullptr, wanted, PROT_READ | PROT_WRITE,
                                          file_.is_open() ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS, file_.get(), 0);
  if (moved == MAP_FAILED) {
    throw StorageError("cannot search near-duplicates: the system gives no " + std::to_string(wanted >> 20) +
                       " MB of memory (" + system_reason(errno) + "); run it where more memory is free");
  }
  data_ = static_cast<std::byte*>(moved);
  capacity_ = wanted;
}

}  // namespace touchstone::pipeline::passages::near_duplicates::internal
