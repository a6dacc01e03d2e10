#pragma once

#include <string>
#include <vector>

namespace touchstone::analysis::presentation::internal {

/// Runs a program of the PATH without a shell and waits for it. It gets no input, and what it prints is dropped. Throws
/// Error with its standard error if it fails.
/// \param words        the name of the program and its arguments; not empty
/// \param environment  "NAME=value" beside our own environment, before which they count
/// \returns 0, or the error number of the system if the program cannot be started: ENOENT if it is not installed
/// \note Thread-safe.
int run_program(std::vector<std::string> words, std::vector<std::string> environment = {});

}  // namespace touchstone::analysis::presentation::internal
