#pragma once

#include <filesystem>

namespace touchstone::analysis::internal {

/// Runs the program gnuplot on a script, without a shell. Throws Error with the remedy where it is not installed, and
/// with what it wrote to standard error where it fails.
void run_gnuplot(const std::filesystem::path& script);

}  // namespace touchstone::analysis::internal
