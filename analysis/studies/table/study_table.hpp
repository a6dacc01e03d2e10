#pragma once

#include "analysis/studies/study.hpp"

#include <vector>

namespace touchstone::analysis::studies::table {

/// The rows of all studies, in the order of --help. This is the only place that lists them.
const std::vector<Study>& all_studies();

/// The option groups of all studies, the shared one first: a configuration file may have options of every study.
std::vector<const OptionGroup*> all_study_options();

}  // namespace touchstone::analysis::studies::table
