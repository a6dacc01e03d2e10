#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace touchstone::pipeline::evidence {

/// Whether a title is one of a list page by an entry of groups.list_prefixes: "List of" is how it starts, up to the end
/// of a word, and "*saroksts" is how it ends. "*" and the empty entry represent all titles.
bool is_list_title(std::string_view title, std::string_view prefix);

/// The title without the longest of these prefixes or endings that makes it one of a list: "lights of Ostrand" of "List
/// of lights of Ostrand". Empty if none does; the entries that represent all titles do not.
std::string_view without_list_words(std::string_view title, const std::vector<std::string>& prefixes);

/// The title without the letters in which wikis cut a long list into pages: "List of lights" of "List of lights: A",
/// "List of lights (A–C)" and "List of lights/D". Other titles stay.
std::string_view without_index_letters(std::string_view title);

}  // namespace touchstone::pipeline::evidence
