#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

namespace touchstone {

enum class ProgressMode { kAuto, kAlways, kNever };

/// Counters of one stage, updated by any thread, sampled by ProgressReporter.
struct ProgressCounters {
  std::atomic<std::uint64_t> done{0};   ///< units of `total`
  std::atomic<std::uint64_t> total{0};  ///< 0: unknown
  std::atomic<std::uint64_t> records{0};
  std::atomic<std::uint64_t> known{0};  ///< of `done` and `records`: was there before and took no time

  /// What a stage adds to its progress line, asked for from the reporter's thread; null ends it, and returns only when
  /// no call is under way.
  void set_detail(std::function<std::string()> detail);
  std::string detail() const;

 private:
  mutable std::mutex mutex_;
  std::function<std::string()> detail_;
};

/// Shows a bar on a terminal, and a line a minute otherwise, while it lives. One thread of its own samples the
/// counters.
class ProgressReporter {
 public:
  /// \param unit     of done and total: "MB" divides by 10^6, anything else is a count
  /// \param records  what ProgressCounters::records counts: "pages"
  ProgressReporter(std::string stage, const ProgressCounters& counters, std::string unit, std::string records,
                   ProgressMode mode);
  ~ProgressReporter();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Highest resident memory of this process so far, in bytes.
std::uint64_t peak_memory_bytes();

}  // namespace touchstone
