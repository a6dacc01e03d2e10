#pragma once

#include "extractors/document.hpp"
#include "extractors/file_format/file_format.hpp"
#include "extractors/html/page_builder.hpp"
#include "extractors/textbook/book_files.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::extractors::textbook {

/// How the pages of a book are written.
enum class PageMarkup : std::uint8_t { kHtml, kCnxml, kMarkdown, kDokuWiki, kTqa, kPandoc };

/// A page in the order of the book.
struct BookPage {
  std::string file;   ///< within the book
  std::string label;  ///< what the table of contents calls it; empty where it has no entry
  /// Titles of the parts of the book that hold it, the outermost first.
  std::vector<std::string> chapters;
  PageMarkup markup = PageMarkup::kHtml;
  std::string_view pandoc = {};  ///< of kPandoc: the format of the file, as the program calls it
  std::string slug = {};         ///< another path by which links name it; may be empty
  /// Title of the part of the book that begins with this page, such as that of the folder whose index it is; may be
  /// empty.
  std::string opens = {};
};

/// The page of a file of this format; nothing for files that are no pages, and for those that need a program that is
/// not installed.
std::optional<BookPage> page_of(const std::string& file, const file_format::Format& format);

/// What becomes a page of the corpus: each file, lesson or module alone, all of a chapter, or all of the book.
enum class BookUnit : std::uint8_t { kModule, kChapter, kBook };

/// The titles of the parts around something in one of them: those around the part, and the part unless it has no title.
std::vector<std::string> with_part(std::vector<std::string> parts, const std::string& part);

/// What a book says of itself, and the order of its pages.
struct Book {
  std::string title, licence;
  std::string language;  ///< code as the book declares it, else as most of its pages do; may be empty
  std::string root;      ///< the folder that paths with `/` in front start from, with '/' at the end unless it is empty
  std::vector<BookPage> pages;
  bool in_order = true;               ///< false: their order is that of the names of files
  std::vector<std::string> unread;    ///< files of formats that are not read, a sentence each
  std::vector<std::string> warnings;  ///< full sentences
};

/// Which parts of CNXML modules are left out.
struct CnxmlOptions {
  bool exercises = false;  ///< keep exercises and problems
  bool solutions = false;  ///< keep solutions
  bool summaries = true;   ///< keep sections of class "summary"
};

/// What was counted in a module.
struct CnxmlCounts {
  std::uint64_t sections = 0, paragraphs = 0;  ///< written in the module, with those left out
  std::uint64_t left_out = 0;                  ///< exercises, solutions and summaries
};

struct CnxmlModule {
  std::string title;
  Document document;
  CnxmlCounts counts;
  std::string problem;  ///< why it cannot be read; empty for a good one
};

/// Reads one module of OpenStax CNXML (cnx.rice.edu/cnxml 0.7). Pure and thread-safe.
CnxmlModule read_cnxml(std::string_view bytes, const html::LinkResolver& links, const CnxmlOptions& options = {});

/// The order of an OpenStax book: its collection file, or nothing when the files are no such book. Throws FormatError
/// for a damaged collection file.
/// \param name  of the book's folder, for messages
std::optional<Book> read_collection(const BookFiles& files, const std::string& name);

/// The order of an EPUB: its package file and table of contents, or nothing when the files are no EPUB. Throws
/// FormatError for a damaged one.
std::optional<Book> read_epub(const BookFiles& files, const std::string& name);

/// All pages of a folder or archive, in the order of its table of contents (`SUMMARY.md`, `mkdocs.yml`), else in that
/// of the positions that pages and folders state, else by name.
Book read_folder(const BookFiles& files, const std::string& name);

}  // namespace touchstone::extractors::textbook
