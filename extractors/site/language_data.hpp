#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace touchstone::extractors::site {

/// The codes of a language and of those it falls back to, English last. Codes of wikis that are no language codes
/// ("no", "simple") are replaced by those of their languages.
std::vector<std::string_view> language_chain(std::string_view code);

/// Whether anything is known of the language of this code.
bool is_known_language(std::string_view code);

/// The codes of the scripts that wikis of the language are read in, beside its own.
std::vector<std::string_view> language_variants(std::string_view code);

/// The letters that belong to a link if they follow it, as pairs of range ends, for a language (lower-case code). Empty
/// if the language uses those of its fallback.
std::string_view trail_letters(std::string_view code);

struct NamespaceName {
  std::int32_t number;
  std::string_view name;  ///< `$1` for the name of the wiki
};

/// Names of namespaces on wikis of a language (lower-case code): the first entry of a number is its name, later ones
/// are aliases.
std::vector<NamespaceName> namespace_names(std::string_view code);

/// A word of one language's wikis.
struct LanguageWord {
  std::string_view meaning;
  std::string_view word;
};

/// Words of markup by meaning: "redirect" ("#REDIRECT" and its synonyms), "switch" ("__NOTOC__" and the like), and the
/// options of images by name, in which `$1` stands for a value ("thumb=$1" of "manualthumb").
std::vector<LanguageWord> markup_words(std::string_view code);

/// Local names of page variables and parser functions; their English names are the meanings. Meanings in capitals are
/// page variables (`PAGENAME`), which are case-sensitive; the others are functions (`lc`), which are not.
std::vector<LanguageWord> magic_words(std::string_view code);

/// True for codes of languages that MediaWiki knows, so that `[[xx:Title]]` is a link to another language edition.
bool is_language_code(std::string_view prefix);

/// True for prefixes of other wikis (sister projects and the like) that are no language codes.
bool is_interwiki_prefix(std::string_view prefix);

}  // namespace touchstone::extractors::site
