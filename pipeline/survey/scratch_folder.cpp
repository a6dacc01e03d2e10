#include "pipeline/survey/scratch_folder.hpp"

#include "common/error.hpp"
#include "common/system_failure.hpp"

#include <cerrno>
#include <string>
#include <system_error>

#include <stdlib.h>

namespace touchstone::pipeline::survey {

ScratchFolder::ScratchFolder() {
  std::error_code error;
  const auto place = std::filesystem::temp_directory_path(error);
  if (error) {
    throw StorageError("there is no folder for temporary files (" + error.message() +
                       "): name an existing one with the environment variable TMPDIR");
  }
  std::string name = (place / "touchstone-survey-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw StorageError(failure_text("make folder", name, errno));
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;  // what is left has a name of its own and is in nobody's way
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace touchstone::pipeline::survey
