#pragma once

#include "extractors/document.hpp"
#include "extractors/html/page_builder.hpp"
#include "extractors/html/terms.hpp"
#include "extractors/page_source.hpp"
#include "extractors/textbook/book.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::extractors::textbook {

/// One page of a book, whatever its markup.
struct ReadPage {
  /// Why a page cannot be read.
  struct Problem {
    PageIssue issue;
    std::string why;
  };

  std::string title;     ///< what the page calls itself; may be empty
  std::string language;  ///< as the page declares it; may be empty
  Document document;
  html::PagePart part = html::PagePart::kText;
  std::vector<html::IndexEntry> index;  ///< of the indexes on the page
  std::optional<Problem> problem;
  std::map<std::string_view, std::uint64_t> left_out;  ///< what was left out -> how often, for messages
};

/// Reads a page. Thread-safe.
/// \param page   its file tells dialects of a markup, and the folder that links start from
/// \param links  finds the pages of links; not kept
ReadPage read_page(std::string_view bytes, const BookPage& page, const Book& book, const html::LinkResolver& links,
                   const CnxmlOptions& options);

/// Name and version of the program that some pages of what is at `path` are read with, "pandoc, not installed" where it
/// is missing; empty if none is. An archive other than EPUB may hold such pages, and is not opened to see. Throws as
/// head_of() and open_book_files() do.
std::string reader_beside(const std::filesystem::path& path);

/// The content model that pages of a markup have in the store.
std::string_view model_of(PageMarkup markup) noexcept;

}  // namespace touchstone::extractors::textbook
