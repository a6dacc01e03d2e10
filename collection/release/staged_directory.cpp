#include "collection/release/staged_directory.hpp"

#include "collection/release/files.hpp"
#include "common/error.hpp"
#include "common/files.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace touchstone::collection::release {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& what, const fs::path& path, const std::error_code& error) {
  throw StorageError("cannot " + what + " " + path.string() + ": " + error.message());
}

void remove_folder(const fs::path& path) {
  std::error_code error;
  fs::remove_all(path, error);
  if (error) fail("remove", path, error);
}

void rename_folder(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::rename(from, to, error);
  if (error) fail("rename " + from.string() + " to", to, error);
}

fs::path with_suffix(fs::path path, const char* suffix) {
  path += suffix;
  return path;
}

fs::path without_trailing_slash(const fs::path& directory) {
  const fs::path normal = directory.lexically_normal();
  return normal.has_filename() ? normal : normal.parent_path();
}

/// Where the directory is: a symbolic link is followed, also to a place where nothing is yet.
fs::path real_place(const fs::path& directory) {
  constexpr int kMostLinks = 40;  // as many as Linux follows
  fs::path place = without_trailing_slash(directory);
  for (int links = 0; fs::is_symlink(fs::symlink_status(place)); ++links) {
    if (links == kMostLinks) fail("follow", directory, std::make_error_code(std::errc::too_many_symbolic_link_levels));
    place = without_trailing_slash(place.parent_path() / fs::read_symlink(place));
  }
  return place;
}

/// Whether the program writes an entry of this name and kind into such a directory.
bool is_ours(const DirectoryLayout& layout, std::string_view name, const fs::file_status& status) {
  constexpr std::string_view kPartial = ".partial";
  if (fs::is_directory(status)) return layout.is_folder(name);
  if (!fs::is_regular_file(status)) return false;
  return layout.is_file(name.ends_with(kPartial) ? name.substr(0, name.size() - kPartial.size()) : name);
}

/// The first thing in a folder that the program did not write; empty if there is none.
std::string foreign_entry(const DirectoryLayout& layout, const fs::path& folder) {
  std::vector<std::string> foreign;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const auto name = entry.path().lexically_relative(folder).string();
    if (!is_ours(layout, name, entry.symlink_status())) foreign.push_back(name);
  }
  return foreign.empty() ? "" : *std::min_element(foreign.begin(), foreign.end());
}

/// Throws StorageError when something is there that no earlier run made.
void check_own(const DirectoryLayout& layout, const fs::path& path) {
  const auto status = fs::symlink_status(path);
  if (!fs::exists(status)) return;
  const auto foreign = fs::is_directory(status) ? foreign_entry(layout, path) : path.filename().string();
  if (foreign.empty()) return;
  throw StorageError("cannot write a collection beside " + path.string() + ": " +
                     (fs::is_directory(status) ? "it holds " + foreign + ", which is" : "it is") +
                     " not the program's; move it away");
}

}  // namespace

StagedDirectory::StagedDirectory(const fs::path& directory, const DirectoryLayout& layout)
    : final_(real_place(directory)),
      partial_(with_suffix(final_, ".partial")),
      old_(with_suffix(final_, ".old")),
      layout_(&layout) {}

void StagedDirectory::recover() const {
  check_own(*layout_, old_);
  check_own(*layout_, partial_);
  if (fs::exists(old_)) {
    if (fs::exists(final_)) {
      remove_folder(old_);  // killed while deleting it
    } else if (layout_->has_manifest && fs::exists(partial_ / kDigests.name)) {
      rename_folder(partial_, final_);  // killed between the renames: the digests are written last, so it is whole
      remove_folder(old_);
    } else {
      rename_folder(old_, final_);
    }
  }
  remove_folder(partial_);
}

void StagedDirectory::check_replaceable() const {
  if (!fs::exists(final_)) return;
  if (!fs::is_directory(final_)) {
    throw StorageError("cannot write a collection to " + final_.string() +
                       ": there is a file of that name; move it away");
  }
  if (layout_->has_manifest && !fs::is_empty(final_) && !fs::exists(final_ / kManifest.name)) {
    throw StorageError("cannot write a collection to " + final_.string() +
                       ": the folder holds other files; choose another folder or empty it");
  }
  if (const auto foreign = foreign_entry(*layout_, final_); !foreign.empty()) {
    throw StorageError("cannot replace the collection in " + final_.string() + ": it holds " + foreign +
                       ", which is not part of it and would be lost; move it away");
  }
}

void StagedDirectory::create_partial() const {
  std::error_code error;
  fs::create_directories(partial_, error);
  for (const auto folder : layout_->folders) {
    if (!error) fs::create_directories(partial_ / folder, error);
  }
  if (error) fail("create folder", partial_, error);
}

void StagedDirectory::publish(Durability durability) const {
  const bool durable = durability == Durability::kDurable;
  for (const auto& entry : fs::recursive_directory_iterator(partial_)) {
    if (durable && entry.is_directory()) sync_folder(entry.path());
  }
  if (durable) sync_folder(partial_);
  check_replaceable();  // something may have been put there meanwhile
  if (fs::exists(final_)) rename_folder(final_, old_);
  rename_folder(partial_, final_);
  if (durable) sync_folder(final_.has_parent_path() ? final_.parent_path() : ".");
  remove_folder(old_);
}

}  // namespace touchstone::collection::release
