#pragma once

#include "pipeline/survey/survey.hpp"

#include <string>

namespace touchstone::pipeline::survey {

/// Settings as a file for `--config`: the options that differ from their defaults, each with why it is so where the
/// survey tells. Options that do not change results, such as those of memory, are left out.
/// \param title  of the first line: what the settings are for
std::string settings_file(const Settings& settings, const SurveyResult& result, const std::string& title);

}  // namespace touchstone::pipeline::survey
