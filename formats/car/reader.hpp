#pragma once

#include "common/result.hpp"
#include "formats/car/cbor_items.hpp"
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
  CarReader(const CarReader&) = delete;
  CarReader& operator=(const CarReader&) = delete;

  bool has_header() const noexcept { return has_header_; }
  /// The type in the header. Without a header, the type that the first record has: pages or paragraphs. Files of
  /// outlines without a header look like files of pages; see `detect_file`. An empty file without header has no type.
  std::optional<FileType> type() const noexcept { return type_; }
  /// Empty without a header.
  const Provenance& provenance() const noexcept { return provenance_; }

  /// The next record; nothing at the end of the file.
  std::optional<ReadRecord> next();

 private:
  /// How the records follow one another.
  enum class Layout : std::uint8_t { kSequence, kCountedArray, kOpenArray };

  void start();
  void read_header(const internal::Token& first);
  void start_records(const internal::Token& first);
  bool at_end();
  void check_nothing_follows();
  ReadRecord decode();
  FileType record_type() const;
  std::string place() const;

  internal::ItemReader items_;
  internal::ItemTree tree_;
  Layout layout_ = Layout::kSequence;
  std::uint64_t missing_ = 0;  ///< records still to come in an array of known length
  std::uint64_t number_ = 0;
  bool has_header_ = false, has_item_ = false, is_finished_ = false;
  std::optional<FileType> type_;
  Provenance provenance_;
};

}  // namespace touchstone::formats::car
