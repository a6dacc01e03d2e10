#pragma once

#include "storage/store.hpp"

#include <string>
#include <vector>

namespace touchstone::pipeline::evidence::wording {

/// The words for "list" in the titles of a wiki whose language is not known, as entries of groups.list_prefixes: what
/// begins or ends the titles of at least three of these pages, and of few other articles. One or two words, "Rhestr o";
/// at the end one word that is not a name, "* rhestr"; two to four letters where a title has no blanks, "*一覧".
/// Ascending. \param list_titles  titles of the pages that lists were found on, each once
std::vector<std::string> list_affixes(const storage::Store& store, const std::vector<std::string>& list_titles);

}  // namespace touchstone::pipeline::evidence::wording
