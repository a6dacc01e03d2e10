#include "common/records/run_file.hpp"

#include "common/descriptor.hpp"
#include "common/error.hpp"
#include "common/system_failure.hpp"

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace touchstone::records::internal {

RunFile::RunFile(std::filesystem::path folder) : folder_(std::move(folder)), file_(nullptr, std::fclose) {
  auto descriptor = open_file_without_name(folder_);
  if (!descriptor.is_open()) fail("write");
  file_.reset(::fdopen(descriptor.get(), "w+b"));
  if (file_ == nullptr) fail("write");
  descriptor.release();
}

void RunFile::write(std::string_view block) {
  const std::uint64_t size = block.size();
  if (std::fwrite(&size, sizeof size, 1, file_.get()) != 1 ||
      std::fwrite(block.data(), 1, block.size(), file_.get()) != block.size())
    fail("write");
}

void RunFile::rewind() {
  if (std::fflush(file_.get()) != 0) fail("write");
  std::rewind(file_.get());
}

bool RunFile::read(std::string& block) {
  std::uint64_t size = 0;
  if (std::fread(&size, sizeof size, 1, file_.get()) != 1) {
    if (std::ferror(file_.get()) != 0) fail("read");
    return false;
  }
  block.resize(size);
  if (std::fread(block.data(), 1, block.size(), file_.get()) != block.size()) fail("read");
  return true;
}

void RunFile::fail(std::string_view doing) const {
  const int code = errno == 0 ? EIO : errno;
  throw StorageError(failure_text(std::string(doing) + " a temporary file in", folder_, code));
}

}  // namespace touchstone::records::internal
