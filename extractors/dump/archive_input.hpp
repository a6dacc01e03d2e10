#pragma once

#include <cerrno>
#include <cstddef>
#include <exception>
#include <functional>
#include <utility>
#include <vector>

#include <archive.h>

namespace touchstone::extractors::dump::internal {

/// Gives libarchive the bytes of a source. What the source throws does not pass through libarchive: it is kept, and
/// thrown by rethrow(), which follows each call of the library. Not thread-safe; stays where it is.
class ArchiveInput {
 public:
  /// \param read  as ByteSource::read
  ArchiveInput(std::function<std::size_t(char*, std::size_t)> read, std::size_t buffer_bytes)
      : read_(std::move(read)), buffer_(buffer_bytes) {}
  ArchiveInput(const ArchiveInput&) = delete;
  ArchiveInput& operator=(const ArchiveInput&) = delete;

  /// ARCHIVE_OK, or why the library cannot read it. Throws what the source throws.
  int open(archive* handle) {
    const int status = archive_read_open(handle, this, nullptr, &ArchiveInput::feed, nullptr);
    rethrow();
    return status;
  }
  void rethrow() {
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }
  /// Reads what the library left.
  void read_to_end() {
    while (read_(buffer_.data(), buffer_.size()) > 0) {
    }
  }

 private:
  static la_ssize_t feed(archive* handle, void* self, const void** buffer) {
    auto& input = *static_cast<ArchiveInput*>(self);
    try {
      *buffer = input.buffer_.data();
      return static_cast<la_ssize_t>(input.read_(input.buffer_.data(), input.buffer_.size()));
    } catch (const std::exception& error) {
      input.failure_ = std::current_exception();
      archive_set_error(handle, EIO, "%s", error.what());
      return -1;
    }
  }

  std::function<std::size_t(char*, std::size_t)> read_;
  std::vector<char> buffer_;
  std::exception_ptr failure_;
};

}  // namespace touchstone::extractors::dump::internal
