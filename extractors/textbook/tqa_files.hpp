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

}  // namespace touchstone::extractors::textbook
