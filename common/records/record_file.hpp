#pragma once

#include "common/files.hpp"
#include "common/records/record_coding.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Files of records, with which the steps of a program hand their results on: framed, compressed, with checksums, read
/// and written in bounded memory.
///
/// A file is a line of text, "touchstone records 1 LAYOUT", then blocks of some 64 KiB of records, then the end. A
/// block is its size in the file, its size before compression (Zstandard, RFC 8878), the XXH3 of its bytes, and these;
/// numbers are little-endian. The end is a block of size zero with the number of records. A file without it is not
/// whole, and a reader says so.
namespace touchstone::records {

/// Writes records as bytes. The file gets its name when it is finished (AtomicFile). Not thread-safe. Throws
/// StorageError.
class ByteWriter {
 public:
  /// \param layout  of the records, see `layout_of`
  ByteWriter(const std::filesystem::path& path, std::string_view layout, WriteOptions options = {});

  /// Returns where the record's block begins in the file, for ByteReader::seek.
  std::uint64_t add(std::string_view record);
  std::uint64_t size() const noexcept { return count_; }
  void finish();

 private:
  void write(std::string_view bytes);
  void write_block();

  AtomicFile file_;
  std::uint64_t written_ = 0;  ///< bytes
  Encoder block_;
  std::uint64_t count_ = 0;
};

/// Reads what ByteWriter wrote. Not thread-safe. Throws StorageError if the file cannot be read, and FormatError, with
/// the file's name, if it is not a file of records, is damaged or not whole.
class ByteReader {
 public:
  explicit ByteReader(std::filesystem::path path);

  const std::string& layout() const noexcept { return layout_; }
  /// The next record; false behind the last one. Valid until the next call.
  bool next(std::string_view& record);
  /// Goes on with the first record of the block that begins there.
  void seek(std::uint64_t block);
  /// Throws FormatError that says what is wrong with the file.
  [[noreturn]] void fail(std::string_view what) const;

 private:
  bool read_block();
  std::string read(std::size_t bytes);

  std::filesystem::path path_;
  std::ifstream file_;
  std::uint64_t size_ = 0, rest_ = 0;  ///< bytes of the file, and those that were not read
  std::string layout_, block_;
  std::uint64_t block_begin_ = 0;  ///< in the file
  Decoder records_{{}};
  std::uint64_t count_ = 0;
  bool at_end_ = false, from_begin_ = true;
};

/// Records of one type in a file. `Record` lists its fields (record_coding.hpp).
template <class Record>
class RecordFile {
 public:
  /// Not thread-safe. Throws StorageError.
  class Writer {
   public:
    explicit Writer(const std::filesystem::path& path, WriteOptions options = {})
        : file_(path, layout_of<Record>(), std::move(options)) {}

    /// Returns where the record's block begins in the file, for Reader::find.
    std::uint64_t add(const Record& record) {
      encoder_.clear();
      encode(encoder_, record);
      return file_.add(encoder_.bytes());
    }
    std::uint64_t size() const noexcept { return file_.size(); }
    void finish() { file_.finish(); }

   private:
    ByteWriter file_;
    Encoder encoder_;
  };

  /// Not thread-safe. Throws as ByteReader does, also if the records of the file are of another layout.
  class Reader {
   public:
    explicit Reader(const std::filesystem::path& path) : file_(path) {
      if (file_.layout() != layout_of<Record>()) file_.fail("holds other records; another version may have written it");
    }

    /// False behind the last one.
    bool next(Record& record) {
      std::string_view bytes;
      if (!file_.next(bytes)) return false;
      read(bytes, record);
      return true;
    }

    /// Finds the record with a first field, a number or an id, by which the file is sorted. False if no record has it.
    /// \param block  that holds it, if any does
    bool find(std::uint64_t block, std::uint64_t key, Record& record) {
      file_.seek(block);
      for (std::string_view bytes; file_.next(bytes);) {
        const auto here = Decoder(bytes).number();
        if (here > key) return false;
        if (here < key) continue;
        read(bytes, record);
        return true;
      }
      return false;
    }

   private:
    void read(std::string_view bytes, Record& record) {
      try {
        Decoder from(bytes);
        decode(from, record);
        from.end();
      } catch (const FormatError& error) {
        file_.fail(error.what());
      }
    }

    ByteReader file_;
  };

  /// Calls `take(record)` for each record of a file.
  template <class Take>
  static void for_each(const std::filesystem::path& path, const Take& take) {
    Reader reader(path);
    for (Record record; reader.next(record); record = {}) take(std::move(record));
  }

  static std::vector<Record> read(const std::filesystem::path& path) {
    std::vector<Record> all;
    for_each(path, [&](Record record) { all.push_back(std::move(record)); });
    return all;
  }

  static void write(const std::filesystem::path& path, const std::vector<Record>& all) {
    Writer writer(path);
    for (const auto& record : all) writer.add(record);
    writer.finish();
  }
};

/// True if the file begins as a file of records does.
bool is_record_file(const std::filesystem::path& path);

/// A record as a line of JSON, without line end, by the layout of its file. Bytes that are no UTF-8 become U+FFFD.
/// Throws FormatError for a layout or a record that is damaged.
std::string record_json(std::string_view layout, std::string_view record);

}  // namespace touchstone::records
