#include "storage/store_directory.hpp"

#include "common/error.hpp"
#include "common/system_failure.hpp"

#include <algorithm>
#include <string_view>
#include <system_error>

namespace touchstone::storage::internal {
namespace {

namespace fs = std::filesystem;

/// A new manifest holds one short record until CURRENT names it.
constexpr std::uint64_t kNewManifestBytes = 1024;

FileKind kind_of(std::string_view name) {
  const auto dot = name.rfind('.');
  const auto ending = dot == std::string_view::npos ? std::string_view{} : name.substr(dot + 1);
  const auto stem = name.substr(0, dot);
  const bool is_number = !stem.empty() && stem.find_first_not_of("0123456789") == std::string_view::npos;
  if (name == "CURRENT") return FileKind::kPointer;
  if (is_number && (ending == "sst" || ending == "ldb" || ending == "blob")) return FileKind::kTable;
  if (is_number && ending == "log") return FileKind::kLog;
  if (name.starts_with("OPTIONS-")) return ending == "dbtmp" ? FileKind::kSmall : FileKind::kOptions;
  if (name.starts_with("MANIFEST-")) return FileKind::kManifest;
  const bool small =
      name == "LOCK" || name == "LOG" || name.starts_with("LOG.old.") || name == "IDENTITY" || ending == "dbtmp";
  return small ? FileKind::kSmall : FileKind::kOther;
}

/// Whether the file shows that the store was complete once.
bool shows_a_store(const StoreFile& file) {
  switch (file.kind) {
    case FileKind::kTable:
    case FileKind::kOptions:
      return true;
    case FileKind::kLog:
      return file.bytes > 0;
    case FileKind::kManifest:
      return file.bytes > kNewManifestBytes;
    default:
      return false;
  }
}

bool holds(const std::vector<StoreFile>& files, FileKind kind) {
  return std::any_of(files.begin(), files.end(), [&](const StoreFile& file) { return file.kind == kind; });
}

}  // namespace

std::vector<StoreFile> files_of_store(const fs::path& directory) {
  std::vector<StoreFile> files;
  std::error_code error;
  if (const auto status = fs::status(directory, error); !fs::exists(status)) {
    if (!error || error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory) return files;
    throw StorageError(failure_text("look at", directory, error));
  }
  fs::directory_iterator entries(directory, error);
  for (; !error && entries != fs::directory_iterator(); entries.increment(error)) {
    const auto name = entries->path().filename().string();
    std::error_code no_size;
    const auto bytes = fs::file_size(entries->path(), no_size);
    files.push_back({name, kind_of(name), no_size ? 0 : bytes});
  }
  if (error) throw StorageError(failure_text("look into", directory, error));
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return files;
}

void link_or_copy(const fs::path& file, const fs::path& name) {
  std::error_code error;
  fs::remove(name, error);
  fs::create_hard_link(file, name, error);
  if (error) fs::copy_file(file, name, error);
  if (error) throw StorageError(failure_text("copy to the store", file, error));
}

DirectoryState state_of(const fs::path& directory) {
  const auto files = files_of_store(directory);
  if (files.empty()) return DirectoryState::kEmpty;
  if (holds(files, FileKind::kPointer)) return DirectoryState::kStore;
  if (std::any_of(files.begin(), files.end(), shows_a_store)) return DirectoryState::kDamaged;
  return holds(files, FileKind::kOther) ? DirectoryState::kForeign : DirectoryState::kUnfinished;
}

}  // namespace touchstone::storage::internal
