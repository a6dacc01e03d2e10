#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace touchstone::pipeline::headings {

/// How titles of list pages start in wikis of a language: "List of", "Liste der", ... Empty where it is not known.
/// With a leading '*': how they end ("*一覧").
std::vector<std::string> list_prefixes(std::string_view language);

/// Name of the Snowball stemmer of a language; empty where Snowball has none.
std::string_view stemmer_name(std::string_view language);

}  // namespace touchstone::pipeline::headings
