#pragma once

#include "extractors/textbook/book_files.hpp"

#include <optional>
#include <string>
#include <vector>

namespace touchstone::extractors::textbook {

/// A table of contents that lies beside the pages of a site.
struct Navigation {
  struct Entry {
    std::string file, label;
    std::vector<std::string> parts;  ///< labels of the entries and parts above, the outermost first
  };
  std::string file;   ///< that it was read from
  std::string root;   ///< folder of the pages, with '/' at the end unless it is empty
  std::string title;  ///< of the book; may be empty
  std::vector<Entry> entries;
  bool names_all_pages = false;  ///< pages that it does not name are no pages of the book
};

/// The table of contents of an mdBook or GitBook, `SUMMARY.md`: a list of links. Nothing where there is none that names
/// a page.
/// Source: rust-lang.github.io/mdBook, "SUMMARY.md".
std::optional<Navigation> read_summary(const BookFiles& files, std::vector<std::string>& warnings);

/// That of MkDocs, `nav` in `mkdocs.yml`. Nothing where there is none that names a page.
/// Source: www.mkdocs.org/user-guide/configuration, "nav" and "docs_dir".
std::optional<Navigation> read_mkdocs(const BookFiles& files, std::vector<std::string>& warnings);

/// Whether a file is the page of its folder: index, README, _index, and start.txt of DokuWiki.
bool is_index(std::string_view file);

/// Whether a file holds a licence: LICENSE, LICENSE-MIT, COPYING.txt.
bool is_licence_file(std::string_view file);

/// Whether a file is in a folder that tools keep beside pages: hidden ones, copies of sources in a build of Sphinx,
/// packages, what macOS adds to archives.
bool is_beside_pages(std::string_view file);

}  // namespace touchstone::extractors::textbook
