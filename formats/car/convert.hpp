#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <utility>

/// Converting TREC CAR files between their forms.
namespace touchstone::formats::car {

enum class ConvertTo : std::uint8_t {
  kCbor,            ///< the same records
  kJsonLines,       ///< the same records
  kOutlines,        ///< CBOR; of pages, their sections
  kParagraphs,      ///< CBOR; of pages, their passages in page order, each id once
  kOutlineLines,    ///< as kOutlines, in JSON lines
  kParagraphLines,  ///< as kParagraphs, in JSON lines
  kTitles,          ///< the name of each page
  kTopics           ///< the id of each page and, behind it, those of its sections, each once
};

inline constexpr std::pair<std::string_view, ConvertTo> kConvertTo[] = {
    {"cbor", ConvertTo::kCbor},
    {"jsonl", ConvertTo::kJsonLines},
    {"outlines", ConvertTo::kOutlines},
    {"paragraphs", ConvertTo::kParagraphs},
    {"outlines-jsonl", ConvertTo::kOutlineLines},
    {"paragraphs-jsonl", ConvertTo::kParagraphLines},
    {"titles", ConvertTo::kTitles},
    {"topics", ConvertTo::kTopics}};

struct Converted {
  std::uint64_t read = 0;     ///< records
  std::uint64_t written = 0;  ///< records or lines
};

/// Reads CBOR or JSON lines, plain or gzip, and writes `out`, gzip-compressed if its name ends in ".gz". CBOR is
/// written in the newest form; its provenance is that of the file, and this program is added to the tools. Memory is
/// one record, and 8 bytes for each paragraph that is taken from pages. `out` appears only when it is complete. Throws
/// as `for_each_record` does; FormatError at the first bad record, if paragraphs are to become anything but paragraphs,
/// and if a title has a line end; StorageError if `out` cannot be written.
Converted convert_file(const std::filesystem::path& path, ConvertTo to, const std::filesystem::path& out);

}  // namespace touchstone::formats::car
