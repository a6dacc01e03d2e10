#pragma once

#include "pipeline/evidence/groups_options.hpp"
#include "pipeline/survey/group_census.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace touchstone::pipeline::survey {

/// Values for the options of [groups], to be tried.
struct GroupsPlan {
  std::string name;
  evidence::GroupsOptions options;
  double weight = 1;  ///< how much of what they find is a list that someone made as a list; 0 to 1
};

/// The plans worth a try: list pages or all pages, columns or list items as well.
/// \param explored      all groups of the wiki, found with every header and list section
/// \param list_affixes  how titles of list pages start or end; may be empty
/// \param all_pages     false: plans for all pages are left out
std::vector<GroupsPlan> groups_plans(const evidence::GroupsOptions& base, const std::vector<evidence::Group>& explored,
                                     const std::vector<std::string>& list_affixes, bool all_pages);

/// Worth of settings that give so many topics: each further topic counts for less, since some fifty are enough to
/// compare systems, and a list that was made as one counts for more. \param weight  of the plan
double plan_worth(const GroupCounts& counts, double weight) noexcept;

/// Whether passages from whole articles, paragraph by paragraph, are to be preferred to leads.
/// \param lead, all  counts of the same groups with either kind of passages
bool prefers_whole_articles(const GroupCounts& lead, const GroupCounts& all) noexcept;

}  // namespace touchstone::pipeline::survey
