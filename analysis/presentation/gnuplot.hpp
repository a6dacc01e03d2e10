#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace touchstone::analysis::presentation::internal {

/// Where a text stands in a gnuplot script.
enum class GnuplotText : std::uint8_t {
  kPath,      ///< name of a file
  kLabel,     ///< shown as it is; control characters become `?`
  kTicLabel,  ///< as kLabel; gnuplot takes it for a number format, where `%` is doubled
};

/// The text between single quotes, where gnuplot expands no escapes and runs no commands.
std::string gnuplot_quoted(std::string_view text, GnuplotText use);

/// Runs the program gnuplot on a script, without a shell. Throws Error with the remedy if gnuplot is not installed, and
/// with its standard error if it fails.
void run_gnuplot(const std::filesystem::path& script);

}  // namespace touchstone::analysis::presentation::internal
