#include "common/descriptor.hpp"

#include "common/error.hpp"

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

namespace touchstone {

std::string system_reason(int code) {
  return std::error_code(code, std::generic_category()).message();
}

void Descriptor::close() noexcept {
  if (is_open()) ::close(release());
}

Descriptor open_file_without_name(const std::filesystem::path& folder) {
  constexpr mode_t kOnlyOwner = 0600;
  Descriptor file(::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, kOnlyOwner));
  if (file.is_open() || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL && errno != ENOENT)) return file;
  std::string name = (folder / ".unnamed-XXXXXX").string();
  file = Descriptor(::mkostemp(name.data(), O_CLOEXEC));
  if (file.is_open()) ::unlink(name.c_str());
  return file;
}

Pipe make_pipe(const std::string& program) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw Error("cannot make a pipe to " + program + ": " + system_reason(errno));
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

}  // namespace touchstone
