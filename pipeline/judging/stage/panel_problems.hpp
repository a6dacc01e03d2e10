#pragma once

#include "pipeline/config.hpp"

#include <string>
#include <vector>

namespace touchstone::pipeline::judging::stage {

/// Problems with the options of the judges that no single option shows; each is a sentence.
std::vector<std::string> panel_problems(const Config& config);

}  // namespace touchstone::pipeline::judging::stage
