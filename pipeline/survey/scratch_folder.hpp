#pragma once

#include <filesystem>

namespace touchstone::pipeline::survey {

/// A folder of its own in the folder for temporary files, removed with all that is in it at the end.
class ScratchFolder {
 public:
  /// Throws StorageError if it cannot be made.
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::filesystem::path& path() const noexcept { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace touchstone::pipeline::survey
