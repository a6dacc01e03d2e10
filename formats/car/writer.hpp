#pragma once

#include "common/files.hpp"
#include "formats/car/records.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace touchstone::formats::car {

/// The sections of a page and nothing else in them: what a file of outlines has.
Page outline_of(const Page& page);

/// The CBOR of a record as a file holds it: for `CarWriter::write_encoded`. Pure and thread-safe. Throws FormatError as
/// `CarWriter::write` does.
std::string encode(const Page& page);
std::string encode(const Paragraph& paragraph);

/// Writes a CBOR file with header and provenance, gzip-compressed if the name ends in ".gz". Pages have 6 elements and
/// links 6. Metadata are a list in which [tag] and value alternate, the one form that all published readers read. The
/// same records give the same bytes. The file gets its name in `finish()`. Not thread-safe.
class CarWriter {
 public:
  /// Throws StorageError if the file cannot be created.
  CarWriter(const std::filesystem::path& path, FileType type, const Provenance& provenance,
            const WriteOptions& options = {});

  /// Of a file of outlines, writes `outline_of(page)`. Throws FormatError if the page is nested more deeply than the
  /// reader accepts, StorageError if it cannot be written. \pre the file has no paragraphs
  void write(const Page& page);
  /// \pre the file has paragraphs
  void write(const Paragraph& paragraph);
  /// \pre `record` is what `encode` gave for such a record; for a file of outlines, for `outline_of(page)`
  void write_encoded(std::string_view record) { file_.write(record); }
  void finish();

 private:
  TextWriter file_;
  FileType type_;
};

}  // namespace touchstone::formats::car
