#pragma once

#include "pipeline/survey/survey.hpp"

#include <string>
#include <utility>
#include <vector>

namespace touchstone::pipeline::survey {

/// What to do after a build that found no topic.
struct Advice {
  std::string text;                                        ///< for people: print it with display_lines()
  std::vector<std::pair<std::string, std::string>> files;  ///< settings that the text names: path and content
};

/// The build that found no topic.
struct EmptyBuild {
  std::string work;        ///< as the user named the work directory
  std::string target;      ///< of `build --to`; empty: the default
  bool automatic = false;  ///< the automatic collection has no topic
};

/// Leads on: the best settings for this wiki, each with the command to run next. If no settings give an evidence
/// collection, the command for an automatic one; if there is none either, the sentence that says why.
/// \param settings  of the build
Advice advice_without_topics(const SurveyResult& result, const Settings& settings, const EmptyBuild& build);

/// Whether some settings give a collection, evidence or automatic.
bool gives_topics(const SurveyResult& result) noexcept;

/// Why no settings give a collection, as a sentence or two with a line end.
std::string no_collection_text(const SurveyResult& result, const Settings& settings);

}  // namespace touchstone::pipeline::survey
