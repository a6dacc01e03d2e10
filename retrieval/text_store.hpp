#pragma once

#include "common/files.hpp"
#include "retrieval/stored_file.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace touchstone::retrieval {

/// The texts of the documents of an index, for feedback: Xapian's own lists of terms take a quarter of the time of
/// indexing. Not thread-safe.
class TextStoreWriter {
 public:
  /// Makes the files in a folder.
  explicit TextStoreWriter(const std::filesystem::path& folder);
  void add(std::string_view text, std::string_view title);
  void finish();

 private:
  AtomicFile texts_, ends_;
  std::uint64_t end_ = 0;
};

struct StoredText {
  std::string text, title;
};

/// Reads texts by their numbers. Thread-safe.
class TextStore {
 public:
  /// Throws StorageError if the files cannot be opened.
  explicit TextStore(const std::filesystem::path& folder);
  /// Throws StorageError if the files are damaged. \pre the document exists
  StoredText read(std::size_t document) const;

 private:
  StoredFile texts_, ends_;
};

}  // namespace touchstone::retrieval
