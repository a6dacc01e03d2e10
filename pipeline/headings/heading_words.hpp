#pragma once

#include "pipeline/headings/phrase_set.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace touchstone::pipeline::headings {

/// What a language calls the headings and titles that make no queries. Empty sets for a language without a file; its
/// pages have the phrases of configs/headings/common.toml only. No language has those of another one.
struct HeadingWords {
  PhraseSet forbidden;      ///< headings of sections that are not part of the text: "See also"
  PhraseSet navigation;     ///< titles and headings that only lead elsewhere: "Main Page"
  PhraseSet miscellaneous;  ///< "Other", "Misc"
  PhraseSet boilerplate;    ///< headings that a page on anything can have: "Overview"
  PhraseSet prose;          ///< headings of running text: "History"; list items below them list nothing
  PhraseSet dates;          ///< days, years, decades, centuries
  PhraseSet ordering;       ///< headings that say how a list is ordered: "By island"
  PhraseSet attributes;     ///< headers of columns that do not hold what a list lists: "Country"
  PhraseSet drafts;         ///< titles of drafts and copies: "List of lights/draft"
  PhraseSet lists;          ///< titles of lists
  /// Words by which authors speak of themselves ("I", "my"), in lower case and ASCII.
  std::vector<std::string> first_person;
};

/// The words of a language: configs/headings/common.toml and <language>.toml, as compiled in, and the prefixes of list
/// titles that are known (pipeline/headings/wiki_language.hpp). Variants ("de-formal") have those of their language,
/// "simple" those of English.
HeadingWords heading_words(std::string_view language);

/// The words of a wiki's language and of all languages in other scripts, which are on translated pages.
HeadingWords wiki_heading_words(std::string_view language);

/// Adds the words of one more language.
void add_language(HeadingWords& words, std::string_view language);

/// Adds the phrases of one file.
///
/// \param source    the file's text, TOML; the head of configs/headings/common.toml explains the form
/// \param file      its name, for messages
/// \param language  that of the names of months for `@`
/// Throws ConfigError (what, file, line).
void add_heading_words(HeadingWords& words, std::string_view source, const std::string& file,
                       std::string_view language);

/// The languages with a file.
std::vector<std::string> heading_languages();

/// The languages with a file whose script the given language is never written in, so that their phrases can mean
/// nothing else there: Japanese, Chinese and Russian for English; Russian for Japanese. Latin letters are on wikis of
/// all languages, so languages that are written in them are never among these. Empty if the script of the language is
/// not known.
std::vector<std::string> languages_in_other_scripts(std::string_view language);

/// Whether there is a file for the language, or for the one that it is a variant of.
bool has_heading_file(std::string_view language);

}  // namespace touchstone::pipeline::headings
