#pragma once

#include "common/json_writer.hpp"
#include "formats/car/reader.hpp"
#include "formats/car/records.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>

/// Reading the records of a file, whichever form it has: CBOR of any version or JSON lines, plain or gzip.
namespace touchstone::formats::car {

enum class FileForm : std::uint8_t { kCbor, kJsonLines, kQrels };

/// The names of forms in outputs.
inline constexpr std::pair<std::string_view, FileForm> kFileForms[] = {
    {"cbor", FileForm::kCbor}, {"jsonl", FileForm::kJsonLines}, {"qrels", FileForm::kQrels}};

/// What a file is, told from its content; its name does not count.
struct FileKind {
  FileForm form = FileForm::kCbor;
  /// Nothing for qrels, and for a list of records without header that is empty. Of files without header, those whose
  /// first records (at most 1,000, and some 16 MiB) have no paragraph, list item, image or infobox are outlines.
  std::optional<FileType> type;
  bool has_header = false;
  bool is_gzip = false;
};

/// The fields `file`, `form`, `type`, `header` and `gzip` of an open JSON object.
void put_file_kind(JsonWriter& out, const std::filesystem::path& path, const FileKind& kind);

/// Throws StorageError if the file cannot be read, FormatError if its form is unknown or its beginning is damaged.
FileKind detect_file(const std::filesystem::path& path);

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
