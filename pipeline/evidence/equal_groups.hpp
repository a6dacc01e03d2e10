#pragma once

#include "pipeline/evidence/evidence_records.hpp"
#include "pipeline/headings/phrase_set.hpp"

#include <string>
#include <vector>

namespace touchstone::pipeline::evidence {

/// Columns with the same structured query are one information need: the kept ones become one group. Throws Error if two
/// structured queries have one topic id.
void merge_equal_groups(std::vector<Group>& groups);

/// Discards kept groups whose members are nearly those of another kept group, with DiscardReason::kSameMembers and the
/// other topic in `detail`. A group of a page that is not a draft or copy stays, then the one whose title, or else
/// whose heading, is that of a list, then the one with more members, then the one with fewer cells that lead nowhere;
/// among equals the one that is the subject of a table, that of a page below fewer others, that below fewer headings,
/// then that of the page with the shorter title. A group is compared only with groups that stay. The comparison is
/// exact; an inverted index of members finds the groups that share any.
///
/// \param overlap     lowest share of common members (Jaccard) that makes two groups one topic, above 0 to 1; 0: none
/// are
///                    discarded
/// \param drafts      titles of drafts and copies
/// \param list_words  how titles of lists start and end, as in groups.list_prefixes
void discard_equal_groups(std::vector<Group>& groups, double overlap, const headings::PhraseSet& drafts = {},
                          const std::vector<std::string>& list_words = {});

}  // namespace touchstone::pipeline::evidence
