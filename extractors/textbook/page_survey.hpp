#pragma once

#include "extractors/html/terms.hpp"
#include "extractors/textbook/book.hpp"
#include "extractors/textbook/numbering.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

/// What the pages of a book say together, before any of them is read for the corpus.
namespace touchstone::extractors::textbook {

/// A page as it was looked at.
struct SurveyedPage {
  BookPage page;
  std::string title;                           ///< what the table of contents or the page calls it
  std::optional<Numbered> number;              ///< that its title begins with
  std::unordered_set<std::uint64_t> headings;  ///< digests, without numbers
  std::size_t text_bytes = 0;                  ///< of its paragraphs, list items and listings
  std::vector<html::IndexEntry> index;         ///< of the indexes on the page
};

/// The digest of a heading, as SurveyedPage has it.
std::uint64_t heading_digest(std::string_view heading);

/// Removes what titles of pages have in common at their end: " - Name of the site".
void remove_site_names(std::vector<SurveyedPage>& pages);

/// Takes out pages that are the whole book once more, such as `print.html` of mdBook: their headings are the titles of
/// the other pages of their folder. Returns their files.
std::vector<std::string> take_whole_books(std::vector<SurveyedPage>& pages);

/// Removes the numbers of titles in folders whose pages are numbered. The numbers tell what is part of what: the page
/// "8.4. Users" is in the chapter that "Chapter 8. Accounts" opens.
/// \param in_order  false: the pages have no order of their own, and get that of their numbers
void use_numbers(std::vector<SurveyedPage>& pages, bool in_order);

}  // namespace touchstone::extractors::textbook
