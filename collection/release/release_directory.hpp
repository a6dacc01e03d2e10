#pragma once

#include "collection/release/manifest.hpp"
#include "collection/release/staged_directory.hpp"
#include "common/files.hpp"

#include <filesystem>
#include <mutex>
#include <string_view>
#include <vector>

namespace touchstone::collection::release {

/// The directory of a collection while it is written. It is built beside its final place and renamed by `publish`, so a
/// killed run leaves the older one whole. Notes the size and digest of each file while it is written, so that no file
/// is read again; files are flushed to disk together, at the end. `options` and `entries` are thread-safe.
class ReleaseDirectory {
 public:
  /// Recovers what a killed run left, and creates the folder. Throws StorageError as StagedDirectory does.
  /// \param layout  outlives this object
  ReleaseDirectory(const std::filesystem::path& directory, const DirectoryLayout& layout,
                   Durability durability = Durability::kDurable);
  /// Removes what was written, unless it was published.
  ~ReleaseDirectory();
  ReleaseDirectory(const ReleaseDirectory&) = delete;
  ReleaseDirectory& operator=(const ReleaseDirectory&) = delete;

  const std::filesystem::path& folder() const { return place_.partial(); }

  /// For all files of the directory. Refers to this object.
  WriteOptions options(Compression compression = Compression::kParallel);

  /// Writes a file whose content is known.
  void write(std::string_view name, std::string_view bytes) {
    write_file_atomically(folder() / name, bytes, options());
  }

  /// The files that are complete, by name.
  std::vector<FileEntry> entries() const;

  /// Writes sha256sums.txt with these files, and puts the directory into its place. Call once, last.
  void publish(const std::vector<FileEntry>& files);

 private:
  StagedDirectory place_;
  Durability durability_;
  bool published_ = false;
  mutable std::mutex mutex_;
  std::vector<FileEntry> entries_;
};

}  // namespace touchstone::collection::release
