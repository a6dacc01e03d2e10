#include "common/disk_watch.hpp"

#include "common/number_text.hpp"

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace touchstone {

DiskWatch::DiskWatch(std::filesystem::path folder, std::uint64_t keep_free, const StopFlag& outer)
    : folder_(std::move(folder)), stop_(&outer) {
  std::error_code error;
  const auto space = std::filesystem::space(folder_, error);
  if (error || keep_free == 0) return;
  keep_free_ = std::min<std::uint64_t>(keep_free, space.capacity / 100);
  look();
  if (ran_short()) return;
  thread_ = std::thread([this] {
    std::unique_lock lock(mutex_);
    while (!wake_.wait_for(lock, std::chrono::milliseconds(200), [this] { return ended_; }) && !ran_short()) look();
  });
}

DiskWatch::~DiskWatch() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void DiskWatch::look() {
  std::error_code error;
  const auto space = std::filesystem::space(folder_, error);
  if (error || space.available >= keep_free_) return;
  free_at_stop_ = space.available;
  stop_.request();
}

std::string DiskWatch::sentence() const {
  return fmt::format(
      "the disk of {} is nearly full: {} bytes are free, and a run leaves {} to others (run.keep_free_mb); free some "
      "space and run again",
      folder_.string(), with_commas(free_at_stop_.load()), with_commas(keep_free_));
}

}  // namespace touchstone
