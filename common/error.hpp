#pragma once

#include <stdexcept>
#include <string>

namespace touchstone {

/// The run cannot continue. The message is one sentence for the user: what failed, where, why, and what to do next.
/// Only main catches it; the exit status is 1.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Wrong usage or configuration: exit status 2.
class ConfigError : public Error {
 public:
  using Error::Error;
};

/// Foreign data has the wrong format (dump, qrels, collection): exit status 1.
class FormatError : public Error {
 public:
  using Error::Error;
};

/// The store or one of the program's files cannot be read or written: exit status 1.
class StorageError : public Error {
 public:
  using Error::Error;
};

/// Stopped early on purpose (signal, budget); the next run resumes: exit status 3.
class Interrupted : public Error {
 public:
  using Error::Error;
};

namespace internal {
[[noreturn]] void check_failed(const char* condition, const char* file, int line, const std::string& message);
}

}  // namespace touchstone

/// Checks for programming errors that no input can cause. On failure, ends the program and prints place and condition.
#define TS_CHECK(condition, message) \
  ((condition) ? static_cast<void>(0) : ::touchstone::internal::check_failed(#condition, __FILE__, __LINE__, (message)))
