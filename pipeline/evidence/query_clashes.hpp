#pragma once

#include "pipeline/evidence/evidence_records.hpp"

#include <string_view>
#include <vector>

namespace touchstone::pipeline::evidence {

/// A heading without a qualifier in parentheses at its end, in which wikis repeat a name in another script.
std::string_view without_parenthesis(std::string_view heading);

/// Lengthens texts that several topics have, regardless of case; of topics that cannot be told apart by their title,
/// headings and column, one keeps its words. The order of the topics does not matter.
///
/// \param language  of the texts; its headers for names tell nothing apart
void tell_apart(const std::vector<const Group*>& groups, std::vector<TopicQuery>& queries, std::string_view language);

}  // namespace touchstone::pipeline::evidence
