#pragma once

#include "common/settings.hpp"
#include "common/stop.hpp"
#include "extractors/site/site_info.hpp"
#include "pipeline/automatic/selection/automatic_options.hpp"
#include "pipeline/automatic/selection/selection_counts.hpp"
#include "pipeline/survey/heading_census.hpp"
#include "pipeline/survey/title_affixes.hpp"
#include "pipeline/survey/trial.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace touchstone::pipeline::survey {

/// What one walk over all pages of a wiki tells.
struct WikiCensus {
  extractors::site::SiteInfo site;
  std::map<std::int32_t, std::uint64_t> namespaces;  ///< pages that are not redirects, by namespace
  std::uint64_t articles = 0;                        ///< of them articles whose text was read
  std::uint64_t list_pages = 0;                      ///< articles that are mostly tables or lists of links
  std::uint64_t list_parts = 0;                      ///< columns, sections with list items, and links in them
  TitleAffixes affixes;
  HeadingCensus headings;
};

/// Reads all pages once, and their titles twice. Throws Interrupted.
WikiCensus take_census(const TrialPlace& place, const Settings& settings);

/// Query pages for several values of automatic.min_sections.
struct SelectionAlternative {
  std::int64_t min_sections = 0;
  automatic::selection::SelectionCounts counts;
};

/// Chooses query pages with these options, and with every lower value of automatic.min_sections. The first result has
/// the options as they are. Throws Interrupted.
std::vector<SelectionAlternative> survey_selection(const TrialPlace& place,
                                                   const automatic::selection::AutomaticOptions& options);

}  // namespace touchstone::pipeline::survey
