#pragma once

#include "pipeline/evidence/evidence_records.hpp"
#include "storage/store.hpp"
#include "text/terms.hpp"

#include <string>
#include <string_view>

namespace touchstone::pipeline::evidence {

/// Whether the title or a heading of a page that is not a list by its title names what the page lists ("Castles in
/// Hesse"), and not a thing that has what is listed ("Wessex County"). In English, the title ends in a plural or has
/// one before "in", "of" and the like. In other languages, at least half of the members' leads have its noun in another
/// form ("Burgen": "X ist eine Burg"), and few have the title as it is ("X is a village in Wessex County").
///
/// \param language  of the texts, that of the splitter
bool names_kind(const storage::Store& store, text::TermSplitter& splitter, std::string_view language,
                const std::string& title, const Group& group);

}  // namespace touchstone::pipeline::evidence
