#pragma once

#include "collection/automatic/derivation.hpp"

#include <functional>
#include <string>
#include <string_view>

/// Benchmarks for tasks beside retrieval, as JSON lines with the fields of TREC CAR (Wikimarks).
namespace touchstone::collection::automatic {

/// The line of a page in the benchmark of query-specific clustering (Dietz and Dalton, section 3.1: "for sub-topic
/// clustering, query facets provide ground truth information"): the passages sorted by id, and for each the top-level
/// section that it is in. Clusters are numbered in byte order of the sections' ids. A passage in several sections
/// counts in the last. The lead is left out. Empty if the page has fewer than two clusters.
/// \return `{query_id, query_text, elements, true_cluster_idx, true_cluster_labels}` and a line end; ids are CAR's,
/// also
///         those in `section_path_headings`
std::string cluster_line(const Derivation& derivation);

/// The lines of a page in the benchmark of entity linking: one for each passage that links to an entity, in page order.
/// The true labels are the entities that the passage links to. The acceptable ones are all that the page links to, and
/// the page itself: wikis link only the first mention of an entity, and never the page to itself. Lists of QIDs leave
/// out entities whose QID is not known. Together the lines may be as long as the square of the page.
/// \param take  gets each line `{query_id, query_text, paragraph_id, text_only_paragraph, true_linked_paragraph,
///         true_label_page_ids, true_label_qids, acceptable_label_page_ids, acceptable_label_qids}` with its line end
void for_each_entity_linking_line(const Derivation& derivation, const std::function<void(std::string_view)>& take);

}  // namespace touchstone::collection::automatic
