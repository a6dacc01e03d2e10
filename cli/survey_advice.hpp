#pragma once

#include "cli/command.hpp"

#include <string>

namespace touchstone::cli {

/// After a build: if a collection has no topic, surveys the wiki, prints what to do next, and writes the settings that
/// it names to `survey-1.toml` and so on in the work directory. Returns whether it did.
/// \param target  what the user built: goes on with the command
bool advise_if_no_topics(const pipeline::flow::Build& build, const std::string& target);

}  // namespace touchstone::cli
