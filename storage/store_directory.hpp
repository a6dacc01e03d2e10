#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

/// What lies in the directory of a store, told from the names of its files.
namespace touchstone::storage::internal {

enum class FileKind : std::uint8_t {
  kTable,    ///< sorted records: 000012.sst
  kLog,      ///< write-ahead log: 000013.log
  kPointer,  ///< CURRENT, which names the manifest
  kOptions,  ///< OPTIONS-000014, written once a store is complete
  kManifest,
  kSmall,  ///< LOCK, LOG, IDENTITY and temporary files, which are there before CURRENT
  kOther,  ///< of no store
};

struct StoreFile {
  std::string name;
  FileKind kind = FileKind::kOther;
  std::uint64_t bytes = 0;
};

/// The files in a directory, by name; nothing when there is no such directory. Throws StorageError when it cannot be
/// read.
std::vector<StoreFile> files_of_store(const std::filesystem::path& directory);

enum class DirectoryState : std::uint8_t {
  kEmpty,       ///< nothing, or no directory
  kUnfinished,  ///< a store whose making was interrupted before it held anything: may be made anew
  kStore,
  kDamaged,  ///< files of a store without CURRENT
  kForeign,  ///< files of something else
};

/// Gives a file a second name, or copies it where the file system has no such; what had the name goes. Throws
/// StorageError.
void link_or_copy(const std::filesystem::path& file, const std::filesystem::path& name);

/// Throws StorageError when the directory cannot be read.
DirectoryState state_of(const std::filesystem::path& directory);

}  // namespace touchstone::storage::internal
