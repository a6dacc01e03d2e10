#pragma once

#include "common/error.hpp"
#include "common/system_failure.hpp"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

namespace touchstone {

/// The folder for temporary files that the environment names, for those that may need it: nobody looks whether it is
/// there.
inline std::filesystem::path temporary_folder() {
  const char* const named = std::getenv("TMPDIR");
  return named != nullptr && *named != '\0' ? named : "/tmp";
}

/// A folder with a name of its own, removed with all that is in it at the end.
class ScratchFolder {
 public:
  /// In the folder for temporary files. Throws StorageError if it cannot be made.
  /// \param purpose  part of its name, so that one that a crash left can be told: "survey"
  explicit ScratchFolder(std::string_view purpose)
      : ScratchFolder(Start{temporary_place() / ("touchstone-" + std::string(purpose) + "-")}) {}
  /// In a folder that the caller chooses: `start` and six characters. Throws StorageError.
  static ScratchFolder at(const std::filesystem::path& start) { return ScratchFolder(Start{start}); }

  ~ScratchFolder() {
    std::error_code ignored;  // what is left has a name of its own and is in nobody's way
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::filesystem::path& path() const noexcept { return path_; }

 private:
  struct Start {
    std::filesystem::path path;
  };
  explicit ScratchFolder(const Start& start) {
    std::string name = start.path.string() + "XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) throw StorageError(failure_text("make folder", name, errno));
    path_ = name;
  }

  static std::filesystem::path temporary_place() {
    std::error_code error;
    auto place = std::filesystem::temp_directory_path(error);
    if (!error) return place;
    throw StorageError("there is no folder for temporary files (" + error.message() +
                       "): name an existing one with the environment variable TMPDIR");
  }

  std::filesystem::path path_;
};

}  // namespace touchstone
