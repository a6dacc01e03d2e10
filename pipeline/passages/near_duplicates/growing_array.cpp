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

namespace touchstone::pipeline::passages::near_duplicates {

GrowingMemory::GrowingMemory(std::filesystem::path folder, std::size_t window_bytes) : folder_(std::move(folder)) {
  if (folder_.empty()) return;
  file_ = open_file_without_name(folder_);
  if (!file_.is_open()) throw StorageError(failure_text("write a temporary file in", folder_, errno));
  if (window_bytes > 0) window_blocks_ = std::max<std::size_t>(window_bytes / kBlockBytes, 1);
}

GrowingMemory::GrowingMemory(GrowingMemory&& other) noexcept
    : folder_(std::move(other.folder_)),
      file_(std::move(other.file_)),
      data_(std::exchange(other.data_, nullptr)),
      capacity_(std::exchange(other.capacity_, 0)),
      window_blocks_(other.window_blocks_),
      touched_(std::move(other.touched_)),
      touched_blocks_(other.touched_blocks_.load()) {}

GrowingMemory::~GrowingMemory() {
  if (data_ != nullptr) ::munmap(data_, capacity_);
}

void GrowingMemory::reserve(std::size_t bytes) {
  if (bytes <= capacity_) return;
  const std::size_t wanted = (std::max(bytes, capacity_ + capacity_ / 2) + kBlockBytes - 1) / kBlockBytes * kBlockBytes;
  if (file_.is_open()) {
    const int code = ::posix_fallocate(file_.get(), 0, static_cast<off_t>(wanted));
    if (code != 0) throw StorageError(failure_text("write a temporary file in", folder_, code));
  }
  void* moved = data_ != nullptr ? ::mremap(data_, capacity_, wanted, MREMAP_MAYMOVE)
                                 : ::mmap(nullptr, wanted, PROT_READ | PROT_WRITE,
                                          file_.is_open() ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS, file_.get(), 0);
  if (moved == MAP_FAILED) {
    throw StorageError("cannot search near-duplicates: the system gives no " + std::to_string(wanted >> 20) +
                       " MB of memory (" + system_reason(errno) + "); run it where more memory is free");
  }
  // Reading ahead makes large folios, of which Linux 6.18 maps more than the 64 KiB that are counted.
  if (window_blocks_ > 0) ::madvise(moved, wanted, MADV_RANDOM);
  const auto words_of = [](std::size_t size) { return (size / kBlockBytes + kBits - 1) / kBits; };
  if (window_blocks_ > 0) {
    auto touched = std::make_unique<std::atomic<std::uint64_t>[]>(words_of(wanted));
    for (std::size_t word = 0; word < words_of(capacity_); ++word) touched[word] = touched_[word].load();
    touched_ = std::move(touched);
  }
  data_ = static_cast<std::byte*>(moved);
  capacity_ = wanted;
}

void GrowingMemory::count(std::atomic<std::uint64_t>& word, std::uint64_t bit) const noexcept {
  if ((word.fetch_or(bit) & bit) != 0 || ++touched_blocks_ <= window_blocks_) return;
  // The pages stay in the file, so that another thread may use them meanwhile.
  ::madvise(data_, capacity_, MADV_DONTNEED);
  for (std::size_t i = 0; i * kBits * kBlockBytes < capacity_; ++i) touched_[i].store(0, std::memory_order_relaxed);
  word.fetch_or(bit);
  touched_blocks_ = 1;
}

}  // namespace touchstone::pipeline::passages::near_duplicates
