#include "collection/automatic/file_register.hpp"

#include <algorithm>

namespace touchstone::collection::automatic {

void FileRegister::add(const FinishedFile& file) {
  const std::lock_guard lock(mutex_);
  entries_.push_back({file.path.lexically_relative(root_).string(), file.bytes, file.sha256});
}

std::vector<FileEntry> FileRegister::entries() const {
  const std::lock_guard lock(mutex_);
  auto sorted = entries_;
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return sorted;
}

}  // namespace touchstone::collection::automatic
