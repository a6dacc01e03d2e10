#pragma once

#include "common/result.hpp"
#include "formats/car/byte_input.hpp"
#include "formats/car/provenance.hpp"
#include "formats/car/records.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>

/// Reading TREC CAR files in CBOR, of every version.
namespace touchstone::formats::car {

/// What a file may make the reader hold. Real files stay far below.
struct ReadLimits {
  std::size_t max_record_bytes = std::size_t{256} << 20;  ///< of one record in the file
  std::size_t max_record_items = std::size_t{8} << 20;    ///< arrays, texts and numbers of one record, 24 bytes each
  std::size_t max_depth = 128;                            ///< arrays within each other
};

using Record = std::variant<Page, Paragraph>;

/// One record of a file, or why it is none.
struct ReadRecord {
  std::uint64_t offset = 0;            ///< of its first byte, in the uncompressed file
  std::uint64_t number = 0;            ///< 1-based
  std::uint64_t bytes = 0;             ///< of the record in the uncompressed file
  Result<Record, std::string> record;  ///< the failure is a whole sentence that starts with the file
};

/// Reads a CBOR file record by record: with or without a header, in an array of any form or as a bare sequence, pages
/// of 4, 5 and 6 elements, all forms of metadata, links with or without a QID. The file is read in pieces; memory is
/// bounded by the largest record. Not thread-safe.
///
/// A record that is well-formed CBOR but no page or paragraph is a failed ReadRecord, and the next call goes on behind
/// it. Bytes that are no CBOR, truncated, nested too deeply, longer than the limits or behind the end throw FormatError
/// with file, byte offset and what to do; the reader must not be used afterwards.
class CarReader {
 public:
  /// Reads the header, if there is one. Throws StorageError if the file cannot be read, FormatError if it is no CAR
  /// file in CBOR.
  explicit CarReader(const std::filesystem::path& path, const ReadLimits& limits = {});
  explicit CarReader(std::unique_ptr<ByteInput> input, const ReadLimits& limits = {});
  ~CarReader();
  CarReader(CarReader&&) noexcept;
  CarReader& operator=(CarReader&&) noexcept;

  bool has_header() const noexcept;
  /// The type in the header. Without a header, the type that the first record has: pages or paragraphs. Files of
  /// outlines without a header look like files of pages; see `detect_file`. An empty file without header has no type.
  std::optional<FileType> type() const noexcept;
  /// Empty without a header.
  const Provenance& provenance() const noexcept;

  /// The next record; nothing at the end of the file.
  std::optional<ReadRecord> next();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace touchstone::formats::car
