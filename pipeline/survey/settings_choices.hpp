#pragma once

#include "pipeline/evidence/groups_options.hpp"
#include "pipeline/survey/trial.hpp"

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

/// Worth of settings by trial, 0 to 1: distinct subjects (each further one counts for less, since topics of one page
/// are much alike), evidence outside the members' own articles, and texts that are whole. Lists that someone made as
/// lists count for more. \param weight  of the plan
double trial_worth(const TrialOutcome& outcome, double weight) noexcept;

}  // namespace touchstone::pipeline::survey
