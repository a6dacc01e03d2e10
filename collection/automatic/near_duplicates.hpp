#pragma once

#include "common/files.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>

namespace touchstone::collection::automatic {

/// A line of a file of near-duplicates: `paragraph id<TAB>id of its representative`. The file is sorted, and paragraphs
/// that represent themselves are not in it.
std::string near_duplicate_line(std::string_view id, std::string_view representative);

/// The representatives of paragraphs, in memory: 40 bytes and a hash entry for each paragraph that has one. Thread-safe
/// for reading.
class NearDuplicates {
 public:
  /// Throws FormatError at the first line that `near_duplicate_line` did not write.
  static NearDuplicates read(const std::filesystem::path& path);

  /// The id that represents this one; the id itself if it represents itself.
  std::string representative(std::string_view id) const;
  std::size_t size() const noexcept { return of_.size(); }

 private:
  using Id = std::array<std::uint8_t, 20>;
  struct Hash {
    std::size_t operator()(const Id& id) const noexcept;
  };
  std::unordered_map<Id, Id, Hash> of_;
};

}  // namespace touchstone::collection::automatic
