#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone {

/// A list of short texts in a folder, which processes on several machines add to in one order that all of them see.
/// Each entry is a file with its number as name, and never changes. It needs no locks, only that giving a file a second
/// name fails where the name is taken, as on all disks that machines share. Not thread-safe.
class SharedJournal {
 public:
  /// Makes the folder.
  /// \param writer  a name that no other writer has or had
  /// Throws StorageError.
  SharedJournal(std::filesystem::path folder, std::string writer);

  /// The entries behind those that were read before. Throws StorageError.
  std::vector<std::string> news();

  /// Adds an entry right behind those that were read; it counts as read. False, and nothing is added, where another
  /// writer was faster: read its news and decide again. An entry outlives a power cut. Throws StorageError, also when
  /// the folder was removed.
  bool add(std::string_view entry);

 private:
  std::filesystem::path entry_path(std::uint64_t number) const;

  std::filesystem::path folder_;
  std::string writer_;
  std::uint64_t read_ = 0, written_ = 0;
};

}  // namespace touchstone
