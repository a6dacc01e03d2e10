#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone {

/// What a program wrote, and how it ended.
struct ChildOutput {
  int status = 0;  ///< exit status; -1 if a signal ended it
  std::string out, errors;
};

/// Runs a program, which is looked for in PATH, without standard input, and waits for its end. Signals from the
/// terminal do not reach it. Thread-safe. \param command  the program and its arguments \param most     after this time
/// it is killed, and the status is -1 Throws Error if it cannot be started.
ChildOutput run_child(const std::vector<std::string>& command, std::chrono::seconds most = std::chrono::minutes(2));

/// Whether a program is on the PATH.
bool is_installed(std::string_view program);

}  // namespace touchstone
