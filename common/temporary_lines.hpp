#pragma once

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <string_view>

namespace touchstone {

/// Lines in a file without name: nothing is left of it when the program is killed. Written once, then read as often as
/// needed. Not thread-safe. Throws StorageError if the file cannot be written or read.
class TemporaryLines {
 public:
  /// \param folder  folder on the disk that holds the lines
  explicit TemporaryLines(std::filesystem::path folder);
  ~TemporaryLines();
  TemporaryLines(const TemporaryLines&) = delete;
  TemporaryLines& operator=(const TemporaryLines&) = delete;

  /// \pre the line holds no line end
  void write(std::string_view line);
  /// Goes to the first line. Call after the last `write`, before the first `next`.
  void rewind();
  /// Reads the next line; false at the end.
  bool next();
  /// Valid until `next`.
  std::string_view line() const noexcept { return line_; }

 private:
  [[noreturn]] void fail(std::string_view what) const;

  std::filesystem::path folder_;
  std::FILE* file_ = nullptr;
  char* buffer_ = nullptr;  // of getline
  std::size_t capacity_ = 0;
  std::string_view line_;
};

}  // namespace touchstone
