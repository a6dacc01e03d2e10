# Writes OUT, the source that tells version and commit; only when they changed, so that nothing is compiled for nothing.
# The commit is left out where the source is no checkout.
set(version ${VERSION})
execute_process(COMMAND git -C ${SOURCE} rev-parse --short=10 HEAD OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE
  ERROR_QUIET RESULT_VARIABLE failed)
if(NOT failed)
  string(APPEND version "+${commit}")
  execute_process(COMMAND git -C ${SOURCE} diff --quiet HEAD RESULT_VARIABLE changed ERROR_QUIET)
  if(changed)
    string(APPEND version ".changed")
  endif()
endif()
file(CONFIGURE OUTPUT ${OUT} CONTENT [[
#include "common/version.hpp"

namespace touchstone {

const char* program_version() noexcept {
  return "@version@";
}

}  // namespace touchstone
]] @ONLY)
