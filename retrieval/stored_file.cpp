#include "retrieval/stored_file.hpp"

#include "common/error.hpp"
#include "common/system_failure.hpp"

#include <cerrno>
#include <string>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace touchstone::retrieval {

StoredFile::StoredFile(std::filesystem::path path)
    : path_(std::move(path)), file_(::open(path_.c_str(), O_RDONLY | O_CLOEXEC)) {
  struct stat status {};
  if (!file_.is_open() || ::fstat(file_.get(), &status) != 0)
    throw StorageError(failure_text("open", path_.string(), errno) +
                       "; delete the folder of this index, and the next run builds it again");
  bytes_ = static_cast<std::uint64_t>(status.st_size);
}

void StoredFile::read(void* to, std::size_t bytes, std::uint64_t offset) const {
  if (read_at(file_, to, bytes, offset) != static_cast<ssize_t>(bytes)) fail("cannot be read");
}

void StoredFile::fail(std::string_view what) const {
  throw StorageError("the file " + path_.string() + " of the index " + std::string(what) +
                     "; delete its folder, and the next run builds the index again");
}

}  // namespace touchstone::retrieval
