#pragma once

#include "extractors/textbook/book.hpp"

#include <cstddef>
#include <filesystem>
#include <memory>

namespace touchstone::extractors::textbook {

/// Larger files of TQA are refused, since a file is read as a whole.
inline constexpr std::size_t kMaxTqaBytes = std::size_t{64} << 20;

/// The lessons of a file of TQA as files of a book, and their order. Throws FormatError if the file is damaged or too
/// large.
std::unique_ptr<BookFiles> open_tqa(const std::filesystem::path& path, Book& book);

/// The files of a folder or archive, in which each lesson of its files of TQA is a file of its own. Files that are
/// damaged are left out with a warning.
std::unique_ptr<BookFiles> with_lessons(std::unique_ptr<BookFiles> files, const std::filesystem::path& path,
                                        const BookLimits& limits);

}  // namespace touchstone::extractors::textbook
