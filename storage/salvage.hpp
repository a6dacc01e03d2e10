#pragma once

#include "storage/store.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string_view>

namespace touchstone::storage {

/// What reading the files of a damaged store came to.
struct SalvageCounts {
  std::uint64_t tables = 0;           ///< table files of the family that were read, wholly or in part
  std::uint64_t unopened_tables = 0;  ///< table files that cannot be opened, of whichever family
  std::uint64_t unopened_bytes = 0;   ///< size of these
  std::uint64_t logs = 0;             ///< write-ahead logs
  std::uint64_t records = 0;          ///< given to `use`, once for each place where they stood
  std::uint64_t lost_records = 0;     ///< that table files say they hold, and that cannot be read
  std::uint64_t lost_log_bytes = 0;   ///< parts of logs without a valid checksum, or without their end

  bool complete() const noexcept { return unopened_tables == 0 && lost_records == 0 && lost_log_bytes == 0; }
};

/// Reads the judgments of a store file by file, without the files that say which files belong to it (CURRENT,
/// MANIFEST). A table file with a damaged block is read up to the block and from behind it. A judgment may be given
/// several times, with the same value each time. Nothing in the directory is changed.
///
/// Throws StorageError when the directory cannot be read, when it holds no file of a store, and while another process
/// writes to it.
/// \param use  gets key and value, which are valid during the call
SalvageCounts salvage_judgments(const std::filesystem::path& directory,
                                const std::function<void(std::string_view, std::string_view)>& use);

}  // namespace touchstone::storage
