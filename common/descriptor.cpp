#include "common/descriptor.hpp"

#include "common/error.hpp"

#include <cerrno>
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

Pipe make_pipe(const std::string& program) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw Error("cannot make a pipe to " + program + ": " + system_reason(errno));
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

}  // namespace touchstone
