#pragma once

#include "pipeline/corpus/title_index.hpp"
#include "pipeline/evidence/evidence_records.hpp"

#include <vector>

namespace touchstone::pipeline::evidence {

/// The topics as a template words them, in the order of `groups`: what the list lists, then the headings that narrow
/// it, outermost first. "List of lighthouses of Ostrand » By island » Great Ostra » Name" gives "names of lighthouses
/// of Ostrand in Great Ostra". In a language whose wording is not known: "Title: heading: column". No two texts are
/// equal.
std::vector<TopicQuery> template_queries(const std::vector<const Group*>& groups, const corpus::TitleIndex& titles);

/// Lengthens texts that several topics have, regardless of case, until no two are equal. The order of the topics does
/// not matter.
void tell_apart(const std::vector<const Group*>& groups, std::vector<TopicQuery>& queries);

}  // namespace touchstone::pipeline::evidence
