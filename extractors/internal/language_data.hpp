#pragma once

#include <string_view>
#include <vector>

namespace touchstone::extractors::internal {

/// The words of one language's wikis. Lists are separated by '|'.
struct LanguageData {
  std::string_view code;
  std::string_view fallbacks;      ///< codes of languages whose words hold too, separated by blanks, the nearest first
  std::string_view namespaces;     ///< "number=Name", local names first, then aliases
  std::string_view redirect;       ///< "#REDIRECT" and its synonyms
  std::string_view switches;       ///< "__NOTOC__" and the like
  std::string_view image_options;  ///< "kind:word", `$1` for a value, as in "manualthumb:thumb=$1"
  std::string_view trail;          ///< letters that belong to a link when they follow it: pairs of range ends
};

/// The entry of a language code (lower case); null when there is none.
const LanguageData* find_language_data(std::string_view code);

/// The codes of a language and of those it falls back to, English last. Codes that wikis have for other reasons ("no",
/// "simple") stand for those of their languages.
std::vector<std::string_view> language_chain(std::string_view code);

/// The codes of the scripts that wikis of the language are read in, beside its own.
std::vector<std::string_view> language_variants(std::string_view code);

/// True for codes of languages that MediaWiki knows, so that `[[xx:Title]]` is a link to another language edition.
bool is_language_code(std::string_view prefix);

/// True for prefixes of other wikis (sister projects and the like) that are no language codes.
bool is_interwiki_prefix(std::string_view prefix);

}  // namespace touchstone::extractors::internal
