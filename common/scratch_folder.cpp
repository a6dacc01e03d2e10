#include "common/scratch_folder.hpp"

#include "common/error.hpp"
#include "common/system_failure.hpp"

#include <cerrno>
#include <string>
#include <system_error>

#include <stdlib.h>

namespace touchstone {
namespace {

std::filesystem::path temporary_place() {
  std::error_code error;
  auto place = std::filesystem::temp_directory_path(error);
  if (!error) return place;
  throw StorageError("there is no folder for temporary files (" + error.message() +
                     "): name an existing one with the environment variable TMPDIR");
}

}  // namespace

ScratchFolder::ScratchFolder(std::string_view purpose)
    : ScratchFolder(Start{temporary_place() / ("touchstone-" + std::string(purpose) + "-")}) {}

ScratchFolder ScratchFolder::at(const std::filesystem::path& start) {
  return ScratchFolder(Start{start});
}

ScratchFolder::ScratchFolder(Start start) {
  std::string name = start.path.string() + "XXXXXX";
  if (::mkdtemp(name.data()) == nullptr) throw StorageError(failure_text("make folder", name, errno));
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;  // what is left has a name of its own and is in nobody's way
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace touchstone
