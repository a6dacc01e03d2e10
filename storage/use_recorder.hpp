#pragma once

#include "storage/store.hpp"

#include <atomic>
#include <cstdint>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace touchstone::storage::internal {

/// Collects a StoreUse. Thread-safe; a family that was seen before costs one relaxed load.
class UseRecorder {
 public:
  void reads(Family family, std::string_view key) { note(family, key, read_, meta_read_); }
  void writes(Family family, std::string_view key) { note(family, key, written_, meta_written_); }

  StoreUse take() {
    const std::lock_guard lock(mutex_);
    return {read_.exchange(0), written_.exchange(0), std::exchange(meta_read_, {}), std::exchange(meta_written_, {})};
  }

 private:
  void note(Family family, std::string_view key, std::atomic<std::uint64_t>& families, std::set<std::string>& keys) {
    if (family == Family::kMeta) {
      const std::lock_guard lock(mutex_);
      keys.emplace(key);
      return;
    }
    const auto bit = std::uint64_t{1} << static_cast<unsigned>(family);
    if ((families.load(std::memory_order_relaxed) & bit) == 0) families.fetch_or(bit, std::memory_order_relaxed);
  }

  std::atomic<std::uint64_t> read_{0}, written_{0};
  std::mutex mutex_;
  std::set<std::string> meta_read_, meta_written_;
};

}  // namespace touchstone::storage::internal
