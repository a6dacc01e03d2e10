#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include <sys/types.h>

namespace touchstone {

/// The operating system's text for an error number.
std::string system_reason(int code);

/// Owns a file descriptor and closes it. A negative number means that there is no descriptor.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) noexcept : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { close(); }

  int get() const noexcept { return number_; }
  bool is_open() const noexcept { return number_ >= 0; }
  /// Releases ownership of the descriptor.
  int release() noexcept { return std::exchange(number_, -1); }
  /// Does not report errors of close(). A writer that needs to know must flush first.
  void close() noexcept;

 private:
  int number_ = -1;
};

/// Opens a file in `folder` that has no name, so that nothing of it is left however the program ends. On disks that
/// know no such files it has a name for a moment. Without a descriptor, errno says why.
Descriptor open_file_without_name(const std::filesystem::path& folder);

/// Reads the bytes at a place of a file. Returns how many there were, fewer only at the end of the file, or -1; errno
/// says why. Thread-safe.
ssize_t read_at(const Descriptor& file, void* to, std::size_t bytes, std::uint64_t offset) noexcept;
/// Writes all bytes at a place of a file, or returns false; errno says why. Thread-safe.
bool write_at(const Descriptor& file, std::string_view bytes, std::uint64_t offset) noexcept;

struct Pipe {
  Descriptor read_end, write_end;
};

/// Creates a pipe whose ends child processes do not inherit. Throws Error; the message names `program`.
Pipe make_pipe(const std::string& program);

}  // namespace touchstone
