#pragma once

#include "cli/command.hpp"

#include <string>

namespace touchstone::cli {

/// After a build of the evidence path: if it found no topic, surveys the wiki, prints the best settings with the
/// command to run next for each, and writes these settings to `survey-1.toml` and so on in the work directory. \param
/// target  what the user built: goes on with the command
void advise_if_no_topics(const pipeline::flow::Build& build, const std::string& target);

}  // namespace touchstone::cli
