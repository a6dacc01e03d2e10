#pragma once

#include "common/descriptor.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::collection::automatic {

/// A line of a file of near-duplicates: `paragraph id<TAB>id of its representative`. The file is sorted, and paragraphs
/// that represent themselves are not in it.
std::string near_duplicate_line(std::string_view id, std::string_view representative);

/// Looks up representatives in a file of near-duplicates. Memory: 4 bytes for each paragraph that has one; the lines
/// stay in the file, which is open as long as this object lives. Thread-safe for reading.
class NearDuplicates {
 public:
  /// Throws FormatError at the first line that `near_duplicate_line` did not write or that is not behind the line
  /// before, StorageError if the file cannot be read.
  static NearDuplicates read(const std::filesystem::path& path);

  /// The id that represents this one; the id itself if it represents itself. Throws StorageError if the file cannot be
  /// read any more.
  std::string representative(std::string_view id) const;
  std::size_t size() const noexcept { return digits_.size(); }

 private:
  std::filesystem::path path_;
  Descriptor file_;
  std::vector<std::uint32_t> digits_;  ///< the first eight digits of the id of each line
};

}  // namespace touchstone::collection::automatic
