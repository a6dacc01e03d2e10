#pragma once

#include "formats/car/records.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

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

/// Throws StorageError if the file cannot be read, FormatError if its form is unknown or its beginning is damaged.
FileKind detect_file(const std::filesystem::path& path);

}  // namespace touchstone::formats::car
