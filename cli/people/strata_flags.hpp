#pragma once

#include "cli/command_line.hpp"
#include "pipeline/audit/collection_decisions.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace touchstone::cli {

/// Adds `--strata PART,...` to a command that draws decisions of a judge.
inline CLI::Option* add_strata(CLI::App* command, std::vector<std::string>& names) {
  return command
      ->add_option("--strata", names,
                   "Part the decisions also by source, own-article, position; always by the judge's answer and "
                   "probability")
      ->delimiter(',')
      ->check(one_of({"source", "own-article", "position"}))
      ->type_name("PART,...");
}

/// The parts that were named, ascending, each once.
inline std::vector<pipeline::audit::StrataPart> strata_parts(const std::vector<std::string>& names) {
  std::vector<pipeline::audit::StrataPart> parts;
  for (const auto& choice : Choices<pipeline::audit::StrataPart>::table) {
    if (std::find(names.begin(), names.end(), choice.text) != names.end()) parts.push_back(choice.value);
  }
  return parts;
}

}  // namespace touchstone::cli
