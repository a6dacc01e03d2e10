#include "common/temporary_lines.hpp"

#include "common/error.hpp"

#include <cstdlib>
#include <string>
#include <utility>

#include <unistd.h>

namespace touchstone {

TemporaryLines::TemporaryLines(std::filesystem::path folder) : folder_(std::move(folder)) {
  std::string name = (folder_ / ".lines-XXXXXX").string();
  const int descriptor = ::mkstemp(name.data());
  if (descriptor < 0) fail("write");
  ::unlink(name.c_str());
  file_ = ::fdopen(descriptor, "w+b");
  if (file_ != nullptr) return;
  ::close(descriptor);
  fail("write");
}

TemporaryLines::~TemporaryLines() {
  std::free(buffer_);
  if (file_ != nullptr) std::fclose(file_);
}

void TemporaryLines::write(std::string_view line) {
  if (std::fwrite(line.data(), 1, line.size(), file_) != line.size() || std::fputc('\n', file_) == EOF) fail("write");
}

void TemporaryLines::rewind() {
  if (std::fflush(file_) != 0) fail("write");
  std::rewind(file_);
}

bool TemporaryLines::next() {
  const ssize_t size = ::getline(&buffer_, &capacity_, file_);
  if (size < 0) {
    if (std::ferror(file_) != 0) fail("read");
    return false;
  }
  line_ = {buffer_, static_cast<std::size_t>(size) - 1};
  return true;
}

void TemporaryLines::fail(std::string_view what) const {
  throw StorageError("cannot " + std::string(what) + " a temporary file in " + folder_.string() +
                     "; free some space there, check its permissions, and run again");
}

}  // namespace touchstone
