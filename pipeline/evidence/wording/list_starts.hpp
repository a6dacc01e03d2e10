#pragma once

#include "storage/store.hpp"

#include <string>
#include <vector>

namespace touchstone::pipeline::evidence::wording {

/// The words for "list" with which titles begin in a wiki whose language is not known: one or two words that begin the
/// titles of at least three of these pages, and of few other articles: "Rhestr o". Ascending.
/// \param list_titles  titles of the pages that lists were found on, each once
std::vector<std::string> list_starts(const storage::Store& store, const std::vector<std::string>& list_titles);

}  // namespace touchstone::pipeline::evidence::wording
