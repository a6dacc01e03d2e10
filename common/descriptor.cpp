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

ssize_t read_at(const Descriptor& file, void* to, std::size_t bytes, std::uint64_t offset) noexcept {
  std::size_t done = 0;
  while (done < bytes) {
    const auto count =
        ::pread(file.get(), static_cast<char*>(to) + done, bytes - done, static_cast<off_t>(offset + done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return -1;
    if (count == 0) break;
    done += static_cast<std::size_t>(count);
  }
  return static_cast<ssize_t>(done);
}

bool write_at(const Descriptor& file, std::string_view bytes, std::uint64_t offset) noexcept {
  while (!bytes.empty()) {
    const auto count = ::pwrite(file.get(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
    offset += static_cast<std::uint64_t>(count);
  }
  return true;
}

Pipe make_pipe(const std::string& program) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw Error("cannot make a pipe to " + program + ": " + system_reason(errno));
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

}  // namespace touchstone
