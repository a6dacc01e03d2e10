#pragma once

#include "common/stop.hpp"
#include "pipeline/corpus/title_index.hpp"
#include "pipeline/corpus/wikidata_topics.hpp"
#include "pipeline/evidence/evidence_records.hpp"
#include "pipeline/evidence/groups_options.hpp"
#include "storage/store.hpp"

#include <vector>

namespace touchstone::pipeline::evidence {

/// A group for each topic that conditions on items of Wikidata describe, in their order. Its members are the articles
/// whose items meet all conditions, by title. Groups with fewer members than `min_members`, or with one that has more
/// than `max_backlinks`, are discarded.
std::vector<Group> wikidata_groups(const storage::Store& store, const corpus::TitleIndex& titles,
                                   const std::vector<corpus::WikidataConditions>& topics, const GroupsOptions& options,
                                   const StopFlag& stop);

}  // namespace touchstone::pipeline::evidence
