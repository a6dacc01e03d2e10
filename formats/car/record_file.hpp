#pragma once

#include "formats/car/reader.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>

/// Reading the records of a file, whichever form it has: CBOR of any version or JSON lines, plain or gzip.
namespace touchstone::formats::car {

/// Calls `record` for every record in file order, bad ones included, until it returns false. `offset` of a record of
/// JSON lines is the number of its line.
/// Throws as CarReader does, and FormatError if the file is neither CBOR nor JSON lines of pages or paragraphs.
void for_each_record(const std::filesystem::path& path, const std::function<bool(ReadRecord)>& record);

/// Calls `page` for every page or outline in file order. Throws as `for_each_record`, and FormatError at the first bad
/// record and if the file has paragraphs instead.
void for_each_page(const std::filesystem::path& path, const std::function<void(const Page&)>& page);

/// Calls `paragraph` for every paragraph of a file of paragraphs in file order. Throws as `for_each_page`.
void for_each_paragraph(const std::filesystem::path& path, const std::function<void(const Paragraph&)>& paragraph);

}  // namespace touchstone::formats::car
