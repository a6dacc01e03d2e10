#pragma once

#include "common/settings.hpp"
#include "common/stop.hpp"
#include "pipeline/flow/source_records.hpp"
#include "pipeline/survey/group_census.hpp"
#include "pipeline/survey/template_share.hpp"
#include "pipeline/survey/trial.hpp"
#include "pipeline/survey/wiki_census.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace touchstone::pipeline::survey {

/// Settings for `build`, with what they give.
struct SettingsChoice {
  std::string name;  ///< "list pages, columns of tables and list items"
  Settings settings;
  GroupCounts counts;    ///< what the stage groups gives; candidates are those of the groups that were judged
  TrialOutcome outcome;  ///< what a build gives, by trial
};

/// What a wiki can give.
struct SurveyResult {
  std::string wiki, language;
  bool is_dump = true;          ///< of MediaWiki; else a book, or other pages
  std::string subject;          ///< what the wiki is about by its name; may be empty
  std::string likely_language;  ///< of its headings, if the language is clearly not the one that the dump names
  std::uint64_t articles = 0, list_pages = 0;
  std::vector<std::pair<std::string, std::uint64_t>> other_pages;  ///< other namespaces, which no stage reads
  bool all_pages_tried = false;  ///< false: the wiki is so large that only list pages were looked at
  std::uint64_t min_evidence = 0;

  std::vector<GroupRow> titles, headers, headings;  ///< best first
  std::optional<SettingsChoice> current;            ///< the settings as they were given
  std::vector<SettingsChoice> choices;              ///< best first, at most three, each with a topic by trial
  /// Of all trials without a topic, the one with the most groups.
  std::optional<TrialOutcome> fruitless;

  TemplateShare templates;
  bool expands = false;  ///< the store was filled with the templates of the dump
  std::vector<std::pair<std::string, std::uint64_t>> heading_languages;  ///< further ones, with headings
  std::vector<SelectionAlternative> selection;                           ///< as given, then with fewer sections
  SelectionAlternative recommended_selection;                            ///< with the recommended options

  /// Settings to build with: those of the best choice, or the given ones with what the automatic path needs.
  std::optional<Settings> recommended;
};

/// Looks at a wiki that was ingested and linked. The store is not changed; temporary files go to the place's folder.
/// The result does not depend on the number of threads.
/// \param settings  what is not surveyed stays as it is here; options of [groups] and [passages] that were given are
///                  those of the `current` choice
/// \param sources   the files that the store was filled from
/// Throws Interrupted, and StorageError for a store without links.
SurveyResult survey_wiki(const TrialPlace& place, const Settings& settings,
                         const std::vector<flow::SourceInput>& sources);

}  // namespace touchstone::pipeline::survey
