#pragma once

#include <stdexcept>
#include <string>

namespace touchstone {

/// The run cannot go on. The message is one sentence for the user: what, where, why and what to do next.
/// Caught once, in main, and turned into exit status 1.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Wrong usage or configuration: exit status 2.
class ConfigError : public Error {
 public:
  using Error::Error;
};

/// Foreign bytes that are not what they should be (dump, qrels, collection): exit status 1.
class FormatError : public Error {
 public:
  using Error::Error;
};

/// The store or a file of ours could not be read or written: exit status 1.
class StorageError : public Error {
 public:
  using Error::Error;
};

/// Stopped on purpose before the end (signal, budget); the next run goes on from here: exit status 3.
class Interrupted : public Error {
 public:
  using Error::Error;
};

namespace internal {
[[noreturn]] void check_failed(const char* condition, const char* file, int line, const std::string& message);
}

}  // namespace touchstone

/// A programmer's mistake, never reachable from input: ends the program with the place and the broken condition.
#define TS_CHECK(condition, message) \
  ((condition) ? static_cast<void>(0) : ::touchstone::internal::check_failed(#condition, __FILE__, __LINE__, (message)))
