#include "storage/write_failure.hpp"

#include <cstdio>
#include <cstdlib>

#include <unistd.h>

namespace touchstone::storage::internal {

void end_without_destructors() noexcept {
  static_cast<void>(::on_exit(
      [](int status, void*) {
        std::fflush(nullptr);
        ::_exit(status);
      },
      nullptr));
}

}  // namespace touchstone::storage::internal
