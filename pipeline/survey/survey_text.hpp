#pragma once

#include "pipeline/survey/survey.hpp"

#include <string>
#include <string_view>

namespace touchstone::pipeline::survey {

/// The whole survey for people. Holds titles as they are: print it with display_lines().
std::string survey_text(const SurveyResult& result);

/// The choices only, a paragraph each, without commands.
std::string choices_text(const SurveyResult& result);

/// Why no trial gave a topic, without the stop: "of 3 lists that lead to enough articles, none is left (3 too little
/// evidence)".
std::string why_no_topic(const SurveyResult& result);

/// The survey as JSON (docs/survey.md), with a line end.
std::string survey_json(const SurveyResult& result);

/// The first line of the settings' file: which wiki they are for, and what they give.
std::string settings_title(const SurveyResult& result, std::string_view name);

}  // namespace touchstone::pipeline::survey
