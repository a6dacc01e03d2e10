#include "common/error.hpp"

#include <cstdio>
#include <cstdlib>

namespace touchstone::internal {

void check_failed(const char* condition, const char* file, int line, const std::string& message) {
  std::fprintf(stderr, "touchstone: internal error at %s:%d: %s (%s); please report it\n", file, line, message.c_str(),
               condition);
  std::abort();
}

}  // namespace touchstone::internal
