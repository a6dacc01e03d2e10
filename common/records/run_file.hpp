#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace touchstone::records::internal {

/// Blocks of bytes in a file without name: nothing of it is left when the program is killed. Written once, then read
/// as often as it is rewound. Not thread-safe. Throws StorageError if the file cannot be written or read.
class RunFile {
 public:
  explicit RunFile(std::filesystem::path folder);

  void write(std::string_view block);
  /// Goes to the first block. Call after the last `write`.
  void rewind();
  /// Reads the next block; false behind the last one.
  bool read(std::string& block);

 private:
  [[noreturn]] void fail(std::string_view doing) const;

  std::filesystem::path folder_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

}  // namespace touchstone::records::internal
