#pragma once

#include "pipeline/download/dump_listing.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

namespace touchstone::pipeline::download {

/// Remembers in a file of a folder which of its files had which SHA-1 when they were last read. It holds for a file as
/// long as its size and its time of change stay. Not thread-safe.
class CheckedFiles {
 public:
  /// Reads what is remembered; a file of another form counts as empty.
  explicit CheckedFiles(std::filesystem::path folder);

  /// True if the file is known to have this SHA-1.
  bool knows(const ListedFile& file) const;
  /// Remembers that the file has this SHA-1. Throws StorageError.
  void add(const ListedFile& file);

 private:
  struct Stamp {
    std::string sha1;
    std::uint64_t bytes = 0;
    std::int64_t changed = 0;  ///< ns
    friend bool operator==(const Stamp&, const Stamp&) = default;
  };
  /// What is there now, with a SHA-1 that somebody found.
  Stamp stamp_of(const ListedFile& file) const;

  const std::filesystem::path folder_, record_;
  std::map<std::string, Stamp> stamps_;  // by name
};

}  // namespace touchstone::pipeline::download
