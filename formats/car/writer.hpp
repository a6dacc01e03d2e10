#pragma once

#include "common/files.hpp"
#include "formats/car/provenance.hpp"
#include "formats/car/records.hpp"

#include <filesystem>
#include <memory>

namespace touchstone::formats::car {

/// The sections of a page and nothing else in them: what a file of outlines has.
Page outline_of(const Page& page);

/// Writes a CBOR file with header and provenance, gzip-compressed if the name ends in ".gz". Pages have 6 elements and
/// links 6. Metadata are a list in which [tag] and value alternate, the one form that all published readers read. The
/// same records give the same bytes. The file gets its name in `finish()`. Not thread-safe.
class CarWriter {
 public:
  /// Throws StorageError if the file cannot be created.
  CarWriter(const std::filesystem::path& path, FileType type, const Provenance& provenance,
            InTheWay in_the_way = InTheWay::kReplace);
  ~CarWriter();

  /// Of a file of outlines, writes `outline_of(page)`. Throws FormatError if the page is nested more deeply than the
  /// reader accepts, StorageError if it cannot be written. \pre the file has no paragraphs
  void write(const Page& page);
  /// \pre the file has paragraphs
  void write(const Paragraph& paragraph);
  void finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace touchstone::formats::car
