#pragma once

#include "extractors/document.hpp"
#include "extractors/textbook/book.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace touchstone::extractors::textbook {

/// Some pages of a book that are read as one.
struct Unit {
  std::string title;  ///< of the chapter or book; empty for a page alone
  std::vector<std::string>
      parts;  ///< of the book, the outermost first: the chapter is the last; of a page those around
  std::vector<std::size_t> pages;  ///< of Book::pages, ascending; at least one
};

/// Cuts a book into units: each page alone, the pages of each chapter, or all. A page that is in no chapter is a unit
/// of its own. A chapter that holds others is a unit without them.
/// \param title  of the book
std::vector<Unit> units_of(const Book& book, BookUnit unit, const std::string& title);

/// Puts the pages of a unit together. The parts of the book below the unit and the pages in them become sections, and
/// the sections of the pages are inside of these.
class UnitWriter {
 public:
  /// \param unit  must outlive this
  explicit UnitWriter(const Unit& unit) : unit_(unit) {}

  /// Adds a page behind those that were added.
  /// \param title  heading of the page's section, unless it is all of the unit or begins a part of it
  void add(const BookPage& page, const std::string& title, Document document);

  Document take() && { return std::move(whole_); }

 private:
  void open_section(std::size_t level, const std::string& heading, const std::string& anchor);
  void append(Document document);

  const Unit& unit_;
  Document whole_;
  std::vector<std::string> open_;  ///< parts below the unit whose sections are open
};

}  // namespace touchstone::extractors::textbook
