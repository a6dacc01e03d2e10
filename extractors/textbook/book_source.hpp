#pragma once

#include "extractors/html/terms.hpp"
#include "extractors/page_source.hpp"
#include "extractors/textbook/book.hpp"
#include "extractors/textbook/book_units.hpp"
#include "extractors/textbook/numbering.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::extractors::textbook {

struct BookSourceOptions {
  BookLimits limits;
  CnxmlOptions cnxml;
  BookUnit unit = BookUnit::kModule;               ///< what becomes a page
  std::size_t batch_bytes = std::size_t{1} << 20;  ///< a batch ends with the page that reaches this size
  PageId before_first;                             ///< page n of the book becomes page before_first + n
};

/// The pages of a book, in its order; with another unit than the module, its chapters or the book as a whole. Pages are
/// told apart by their titles: what the table of contents or the page calls it, and where two are alike, with the part
/// of the book or a number behind it. Links between the pages of the
/// book become links to titles.
///
/// The files are read twice: for the titles when the source is made, and for the pages.
class BookSource : public PageSource {
 public:
  /// \param name  of the book's file or folder, for messages
  BookSource(std::unique_ptr<BookFiles> files, Book book, std::string name, const BookSourceOptions& options);

  std::vector<std::string> warnings() const override { return warnings_; }
  void skip_to(std::uint64_t offset, PageId last_page) override;
  std::optional<RawBatch> next() override;
  SourceBatch read(RawBatch batch) const override;
  const std::string& name() const noexcept override { return name_; }
  std::uint64_t raw_offset() const noexcept override { return read_bytes_.load(std::memory_order_relaxed); }
  std::string raw_sha256() override { return files_->sha256(); }

  /// The book's own title, else the name of the folder or archive that holds its files.
  std::string title() const override;
  std::string license() const override { return book_.licence; }
  std::string language() const override { return book_.language; }

  const Book& book() const noexcept { return book_; }

 private:
  /// Looks at all pages, for their titles and for what they say together.
  void survey_pages();
  void cut_into_units();
  /// Reads the files of a unit and adds the page that they make. Thread-safe.
  void read_unit(std::size_t number, std::string_view bytes, std::span<const RawBatch::Record> records,
                 SourceBatch& out) const;
  void note_terms(std::size_t page, const std::vector<html::IndexEntry>& index);

  std::unique_ptr<BookFiles> files_;
  Book book_;
  std::string name_;
  BookSourceOptions options_;
  std::vector<std::optional<Numbered>> numbers_;  ///< that were removed from the titles of pages
  std::vector<std::string> page_titles_;          ///< what the pages of the book call themselves
  std::vector<Unit> units_;
  // By page of the book: the title of its unit, its own if it is a section there, and the unit's number.
  std::vector<std::string> titles_, headings_;
  std::vector<std::size_t> unit_of_;
  std::map<std::string, std::size_t> pages_;                      ///< by file, and by the id of a module
  std::map<std::size_t, std::vector<html::IndexEntry>> indexes_;  ///< by page
  std::map<std::string, std::set<std::string>> terms_;            ///< that an index gives pages, by their titles
  std::vector<std::string> warnings_;
  std::size_t next_ = 0;
  std::atomic<std::uint64_t> read_bytes_{0};
};

/// Opens what is at `path`: a folder or archive with an OpenStax collection, an EPUB, or pages; or one page. Nothing
/// for JSON lines, and for files and pipes that have no known sign. Throws FormatError for damaged books, folders
/// without pages, and files of formats that are not read.
std::unique_ptr<BookSource> open_book(const std::filesystem::path& path, const BookSourceOptions& options);

}  // namespace touchstone::extractors::textbook
