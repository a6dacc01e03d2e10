#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace touchstone::extractors::site {

/// The codes of a language and of those it falls back to, English last. Codes that wikis have for other reasons ("no",
/// "simple") stand for those of their languages.
std::vector<std::string_view> language_chain(std::string_view code);

/// The codes of the scripts that wikis of the language are read in, beside its own.
std::vector<std::string_view> language_variants(std::string_view code);

/// The letters that belong to a link of a language (lower-case code) when they follow it, as pairs of range ends; empty
/// when those of its fallback language hold.
std::string_view trail_letters(std::string_view code);

struct NamespaceName {
  std::int32_t number;
  std::string_view name;  ///< `$1` for the name of the wiki
};

/// What wikis of a language (lower-case code) call their namespaces: the first of a number is its name, those behind it
/// are aliases.
std::vector<NamespaceName> namespace_names(std::string_view code);

/// A word of one language's wikis.
struct LanguageWord {
  std::string_view meaning;
  std::string_view word;
};

/// "redirect" ("#REDIRECT" and its synonyms), "switch" ("__NOTOC__" and the like), and options of images by their
/// names,
/// `$1` for a value, as in "thumb=$1" of "manualthumb".
std::vector<LanguageWord> markup_words(std::string_view code);

/// The names of `{{PAGENAME}}`, `{{lc:...}}` and the like beside the English ones, which are the meanings. A meaning in
/// capitals is a word whose case matters; the others are functions, whose case does not.
std::vector<LanguageWord> magic_words(std::string_view code);

/// True for codes of languages that MediaWiki knows, so that `[[xx:Title]]` is a link to another language edition.
bool is_language_code(std::string_view prefix);

/// True for prefixes of other wikis (sister projects and the like) that are no language codes.
bool is_interwiki_prefix(std::string_view prefix);

}  // namespace touchstone::extractors::site
