#pragma once

#include <string_view>

namespace touchstone::pipeline::evidence {

/// Whether a title is one of a list page by an entry of groups.list_prefixes: "List of" is how it starts, up to the end
/// of a word, and "*saroksts" is how it ends. "*" and the empty entry stand for all titles.
bool is_list_title(std::string_view title, std::string_view prefix);

}  // namespace touchstone::pipeline::evidence
