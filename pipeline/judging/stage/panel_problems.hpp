#pragma once

#include "common/settings.hpp"

#include <string>
#include <vector>

namespace touchstone::pipeline::judging::stage {

/// Problems with the options of the judges, one by one and together, and of the model that words queries; each is a
/// sentence.
std::vector<std::string> panel_problems(const Settings& settings);

}  // namespace touchstone::pipeline::judging::stage
