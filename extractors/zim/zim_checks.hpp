#pragma once

#include <filesystem>
#include <string_view>

namespace touchstone::extractors::zim {

/// Throws FormatError: the ZIM file is damaged. \param why  as part of a sentence; of several lines the first counts
[[noreturn]] void throw_damaged(const std::filesystem::path& path, std::string_view why);

/// Whether the file begins as a ZIM file does.
bool is_zim(const std::filesystem::path& path);

/// Checks what libzim 8.1 trusts when it opens a file: sizes and counts of the header, and the list of titles, which it
/// looks for among the last entries. Throws FormatError.
void check_before_opening(const std::filesystem::path& path);

/// Reads the whole file. Throws FormatError if its bytes do not match the MD5 at its end.
void check_sum(const std::filesystem::path& path);

}  // namespace touchstone::extractors::zim
