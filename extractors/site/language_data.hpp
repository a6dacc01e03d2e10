#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
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
/// options of images by name, in which `$1` represents a value ("thumb=$1" of "manualthumb").
std::vector<LanguageWord> markup_words(std::string_view code);

/// Local names of page variables and parser functions; their English names are the meanings. Meanings in capitals are
/// page variables (`PAGENAME`), which are case-sensitive; the others are functions (`lc`), which are not.
std::vector<LanguageWord> magic_words(std::string_view code);

/// True for codes of languages that MediaWiki knows, so that `[[xx:Title]]` is a link to another language edition.
bool is_language_code(std::string_view prefix);

/// True for prefixes of other wikis (sister projects and the like) that are no language codes.
bool is_interwiki_prefix(std::string_view prefix);

/// A script or spelling that wikis of a language are read in.
struct Variant {
  std::string_view code;
  std::string_view standard_code;  ///< by BCP 47, which texts may write instead
  std::string_view name;
  std::string_view fallbacks;  ///< codes of the variants that replace it, separated by blanks, the nearest first
};

/// A language whose wikis MediaWiki converts between scripts. Their texts have language conversion rules such as
/// `-{zh-hans:...;zh-hant:...}-`.
struct VariantLanguage {
  std::vector<Variant> variants;  ///< the wiki's own code first: readers who chose no variant get that one
  std::string_view flags;         ///< words for flags beside those of all languages: "word=F", separated by '|'
  std::string_view own_switches;  ///< local words for __NOCONTENTCONVERT__, lower-cased, separated by '|'
  std::string_view code_mark = ":", form_mark = ";";  ///< of a described form: behind a variant's name, behind its text
  bool shows_any = false;  ///< a form without text for the wiki's own code shows its first one, and not a message
  bool defines = true;     ///< definitions change what who chose no variant reads

  /// The index of the variant with this code (in any case), or nothing.
  std::optional<std::size_t> find(std::string_view code) const;
};

/// Null for languages without variants. Their wikis show conversion rules as written.
const VariantLanguage* find_variant_language(std::string_view code);

}  // namespace touchstone::extractors::site
