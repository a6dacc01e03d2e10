#pragma once

#include <filesystem>
#include <string_view>

namespace touchstone {

/// A folder with a name of its own, removed with all that is in it at the end.
class ScratchFolder {
 public:
  /// In the folder for temporary files. Throws StorageError if it cannot be made.
  /// \param purpose  part of its name, so that one that a crash left can be told: "survey"
  explicit ScratchFolder(std::string_view purpose);
  /// In a folder that the caller chooses: `start` and six characters. Throws StorageError.
  static ScratchFolder at(const std::filesystem::path& start);

  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::filesystem::path& path() const noexcept { return path_; }

 private:
  struct Start {
    const std::filesystem::path& path;
  };
  explicit ScratchFolder(Start start);

  std::filesystem::path path_;
};

}  // namespace touchstone
