#pragma once

#include "common/error.hpp"
#include "common/stop.hpp"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>
#include <thread>

namespace touchstone {

/// Asks work to stop cleanly while the disk that it writes to still has some space. A thread looks five times a second;
/// the first look is in the constructor. A disk that cannot be asked is not watched.
class DiskWatch {
 public:
  /// \param keep_free  bytes that stay free for others who write there, but at most a hundredth of the disk; 0 watches
  ///   nothing
  /// \param outer  a stop that was requested there counts here too; must outlive the watch
  DiskWatch(std::filesystem::path folder, std::uint64_t keep_free, const StopFlag& outer);
  ~DiskWatch();
  DiskWatch(const DiskWatch&) = delete;
  DiskWatch& operator=(const DiskWatch&) = delete;

  const StopFlag& stop() const noexcept { return stop_; }
  /// Whether space ran short. May be called by any thread.
  bool ran_short() const noexcept { return free_at_stop_.load() != kEnough; }

  /// What `work` returns, which ends with Interrupted when `stop` is requested. Throws StorageError with what to do
  /// instead of that if space ran short.
  template <class Work>
  auto run(const Work& work) const {
    try {
      stop_.check();
      return work();
    } catch (const Interrupted&) {
      if (ran_short()) throw StorageError(sentence());
      throw;
    }
  }

 private:
  static constexpr std::uint64_t kEnough = ~std::uint64_t{0};

  void look();
  std::string sentence() const;

  std::filesystem::path folder_;
  std::uint64_t keep_free_ = 0;
  StopFlag stop_;
  std::atomic<std::uint64_t> free_at_stop_{kEnough};
  std::mutex mutex_;
  std::condition_variable wake_;
  bool ended_ = false;
  std::thread thread_;
};

}  // namespace touchstone
