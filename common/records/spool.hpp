#pragma once

#include "common/records/record_coding.hpp"
#include "common/records/run_file.hpp"

#include <cstddef>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace touchstone::records {

/// Records on the disk, read in the order in which they were added. The file has no name, so that nothing is left of it
/// when the program is killed, and is made for the second block. Memory: two blocks of some 64 KiB.
///
/// Records list their fields (record_coding.hpp), or consist of numbers alone. Not thread-safe. Throws StorageError if
/// the file cannot be written or read.
template <class Record>
class Spool {
 public:
  explicit Spool(std::filesystem::path folder) : folder_(std::move(folder)) {}

  void add(const Record& record) {
    if (block_.bytes().size() >= kBlockBytes) {
      make_file();
      file_->write(block_.take());
    }
    if constexpr (std::is_trivially_copyable_v<Record>)
      block_.raw({reinterpret_cast<const char*>(&record), sizeof record});
    else
      encode(block_, record);
  }
  /// Makes the file, which few records would not need.
  void make_file() {
    if (!file_) file_.emplace(folder_);
  }
  /// Goes in front of the first record. Nothing can be added afterwards.
  void rewind() {
    if (!file_) {
      if (!block_.bytes().empty()) read_ = block_.take();
      rest_ = Decoder(read_);
      return;
    }
    if (!block_.bytes().empty()) file_->write(block_.take());
    file_->rewind();
    rest_ = Decoder({});
  }

  /// Goes to the next record; false behind the last one.
  bool next() {
    if (rest_.at_end()) {
      if (!file_) return false;
      if (!file_->read(read_)) {
        read_ = {};
        return false;
      }
      rest_ = Decoder(read_);
    }
    if constexpr (std::is_trivially_copyable_v<Record>)
      std::memcpy(&head_, rest_.raw(sizeof head_).data(), sizeof head_);
    else
      decode(rest_, head_);
    return true;
  }
  Record& head() noexcept { return head_; }

 private:
  static constexpr std::size_t kBlockBytes = std::size_t{64} << 10;

  std::filesystem::path folder_;
  std::optional<internal::RunFile> file_;
  Encoder block_;
  std::string read_;
  Decoder rest_{{}};
  Record head_{};
};

}  // namespace touchstone::records
