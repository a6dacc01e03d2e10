#include "collection/staged_directory.hpp"

#include "collection/collection_files.hpp"
#include "common/error.hpp"
#include "common/files.hpp"

#include <string>
#include <system_error>

namespace touchstone::collection {
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

}  // namespace

StagedDirectory::StagedDirectory(const fs::path& directory)
    : final_(without_trailing_slash(directory)),
      partial_(with_suffix(final_, ".partial")),
      old_(with_suffix(final_, ".old")) {}

void StagedDirectory::recover() const {
  if (fs::exists(old_)) {
    if (fs::exists(final_)) {
      remove_folder(old_);  // killed while deleting it
    } else if (fs::exists(partial_ / kDigests.name)) {
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
  if (!fs::is_empty(final_) && !fs::exists(final_ / kManifest.name)) {
    throw StorageError("cannot write a collection to " + final_.string() +
                       ": the folder holds other files; choose another folder or empty it");
  }
}

void StagedDirectory::create_partial() const {
  std::error_code error;
  fs::create_directories(partial_ / "qrels", error);
  if (error) fail("create folder", partial_, error);
}

void StagedDirectory::publish() const {
  sync_folder(partial_ / "qrels");
  sync_folder(partial_);
  if (fs::exists(final_)) rename_folder(final_, old_);
  rename_folder(partial_, final_);
  sync_folder(final_.has_parent_path() ? final_.parent_path() : ".");
  remove_folder(old_);
}

}  // namespace touchstone::collection
