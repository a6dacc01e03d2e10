#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <libxml/tree.h>

namespace touchstone::extractors::html {

/// Longest term, in bytes: as titles of pages.
inline constexpr std::size_t kMaxTermBytes = 255;

/// Entries of the indexes of a page that are read; further ones are left out.
inline constexpr std::size_t kMaxIndexEntries = 100'000;

/// What a page of a book is, beside its text.
enum class PagePart : std::uint8_t { kText, kGlossary, kIndex };

/// An entry of an index: a term, and a place where it is explained.
struct IndexEntry {
  std::string term, href;
};

/// Whether an element is a list of terms with their meanings: `role="doc-glossary"`, `epub:type="glossary"`, or
/// Sphinx's
/// `<dl class="glossary">`.
bool is_glossary(const xmlNode* node);

/// Whether a link leads to the meaning of the term that is its text: `role="doc-glossref"`, `epub:type="glossref"`, or
/// Sphinx's `:term:`.
bool is_term_reference(const xmlNode* link);

/// The term that an element names: the attribute `title` of `<dfn>`, else its text without signs that link to itself
/// and without classifiers. Empty for texts that are too long.
std::string term_of(const xmlNode* node);

/// Signs that link a heading or a term to itself: a pilcrow, a number sign, a chain.
bool is_permalink(const xmlNode* link);

/// What the content of a page is: a glossary or an index, if that is most of its text. An index is `role="doc-index"`,
/// `epub:type="index"`, or the table of Sphinx's `genindex`.
PagePart part_of(const xmlNode* content);

/// The entries of all indexes in the content of a page, one for each place. The term of an entry below another is that
/// of the upper one. Names of code, such as "add() (Parameters method)" of Sphinx, are no terms.
std::vector<IndexEntry> index_entries(const xmlNode* content);

}  // namespace touchstone::extractors::html
