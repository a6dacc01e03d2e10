#pragma once

#include <CLI/CLI.hpp>

namespace touchstone::cli {

/// What every sub-command shares; filled by main before the sub-command runs.
struct Context {
  int exit_status = 0;  ///< 0 done, 1 failed, 2 wrong usage or config, 3 stopped early but resumable
};

/// Each function registers one sub-command with its flags; the callback runs it and sets `context.exit_status`.
/// Errors are thrown (common/error.hpp) and reported once, by main.
void add_parse(CLI::App& app, Context& context);

}  // namespace touchstone::cli
