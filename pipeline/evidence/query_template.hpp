#pragma once

#include "pipeline/corpus/title_index.hpp"
#include "pipeline/evidence/evidence_records.hpp"
#include "pipeline/evidence/groups_options.hpp"

#include <vector>

namespace touchstone::pipeline::evidence {

/// The topics as a template words them, in the order of `groups`: what the list lists, then the headings that narrow
/// it, outermost first. "List of lighthouses of Ostrand » By island » Great Ostra » Name" gives "lighthouses of
/// Ostrand, By island, Great Ostra".
std::vector<TopicQuery> template_queries(const std::vector<const Group*>& groups, const GroupsOptions& options,
                                         const corpus::TitleIndex& titles);

}  // namespace touchstone::pipeline::evidence
