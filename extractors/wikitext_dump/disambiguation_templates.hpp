#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace touchstone::extractors::wikitext_dump {

/// Templates that mark disambiguation pages on the Wikipedia of a language; those of the English one where the language
/// is not known.
std::vector<std::string> disambiguation_templates(std::string_view language);

}  // namespace touchstone::extractors::wikitext_dump
