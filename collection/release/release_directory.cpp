#include "collection/release/release_directory.hpp"

#include "collection/release/files.hpp"

#include <algorithm>
#include <string>
#include <system_error>

namespace touchstone::collection::release {

ReleaseDirectory::ReleaseDirectory(const std::filesystem::path& directory, const DirectoryLayout& layout,
                                   Durability durability)
    : place_(directory, layout), durability_(durability) {
  place_.recover();
  place_.check_replaceable();
  place_.create_partial();
}

ReleaseDirectory::~ReleaseDirectory() {
  std::error_code ignored;  // the next run removes what is left
  if (!published_) std::filesystem::remove_all(folder(), ignored);
}

WriteOptions ReleaseDirectory::options(Compression compression) {
  WriteOptions options;
  options.flush_to_disk = false;
  options.compression = compression;
  options.finished = [this](const FinishedFile& file) {
    const std::lock_guard lock(mutex_);
    entries_.push_back({file.path.lexically_relative(folder()).string(), file.bytes, file.sha256});
  };
  return options;
}

std::vector<FileEntry> ReleaseDirectory::entries() const {
  const std::lock_guard lock(mutex_);
  auto sorted = entries_;
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return sorted;
}

void ReleaseDirectory::publish(const std::vector<FileEntry>& files) {
  std::string digests;
  for (const auto& entry : files) digests += entry.sha256 + "  " + entry.name + "\n";
  // Its name says that all other files are whole (StagedDirectory::recover), so it comes after them on the disk too.
  const bool durable = durability_ == Durability::kDurable;
  if (durable) sync_files_below(folder());
  WriteOptions last;
  last.flush_to_disk = durable;
  write_file_atomically(folder() / kDigests.name, digests, last);
  place_.publish(durability_);
  published_ = true;
}

}  // namespace touchstone::collection::release
