#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string_view>
#include <vector>

namespace touchstone::collection::release {

/// What the program writes into a kind of directory. Names are relative to it; files may have ".partial" at their end.
struct DirectoryLayout {
  std::function<bool(std::string_view name)> is_file, is_folder;
  std::vector<std::string_view> folders;  ///< that are there from the start
  bool has_manifest = true;  ///< whole directories have manifest.json and sha256sums.txt; else names alone tell
};

enum class Durability : std::uint8_t {
  kDurable,    ///< survives a power cut
  kTemporary,  ///< is removed again soon
};

/// The final place of a collection and the two folders beside it: `<directory>.partial`, where the new one is built,
/// and
/// `<directory>.old`, where the one before is while it is replaced. Replacing takes two renames, the old one away
/// and the new one in; `recover` puts right what a run left behind that was killed between them.
/// A directory that is a symbolic link stays one: the three folders are where it leads. What the program did not write
/// is never replaced or removed: neither folders of these names with other contents, nor files that the user has put
/// into a collection.
/// All functions throw StorageError when the file system refuses, or when something is in the way.
class StagedDirectory {
 public:
  /// \param layout  outlives this object
  explicit StagedDirectory(const std::filesystem::path& directory, const DirectoryLayout& layout);

  const std::filesystem::path& partial() const { return partial_; }

  /// Afterwards the newest complete collection, if there is one, is in the final place, and nothing beside it.
  void recover() const;
  /// Throws StorageError if the final place holds something other than a collection, or more than that.
  void check_replaceable() const;
  void create_partial() const;
  /// Moves what was built into the final place.
  void publish(Durability durability = Durability::kDurable) const;

 private:
  std::filesystem::path final_, partial_, old_;
  const DirectoryLayout* layout_;
};

}  // namespace touchstone::collection::release
