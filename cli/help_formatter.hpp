#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace touchstone::cli {

/// Formats `--help` for 80 columns: usage, one sentence, and the options with their text beside or below.
class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter();
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;
  std::string make_usage(const CLI::App* app, std::string name) const override;
  std::string make_option(const CLI::Option* option, bool is_positional) const override;
  std::string make_subcommand(const CLI::App* command) const override;
};

}  // namespace touchstone::cli
