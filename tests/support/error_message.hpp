#pragma once

#include "common/error.hpp"

#include <string>

namespace touchstone::testing {

/// What the error that `call` throws says; "no error" where it throws none. Other exceptions than `Expected` pass
/// through.
template <class Expected = Error, class Call>
std::string message_of(const Call& call) {
  try {
    call();
  } catch (const Expected& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace touchstone::testing
