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

/// Counters of one stage. Any thread may update them; ProgressReporter samples them.
struct ProgressCounters {
  std::atomic<std::uint64_t> done{0};   ///< units of `total`
  std::atomic<std::uint64_t> total{0};  ///< 0: unknown
  std::atomic<std::uint64_t> records{0};
  std::atomic<std::uint64_t> known{0};  ///< part of `done` and `records` that earlier runs did

  /// Sets a function that gives text for the progress line. The reporter's thread calls it. Setting null removes it and
  /// returns only when no call is in progress.
  void set_detail(std::function<std::string()> detail);
  std::string detail() const;

 private:
  mutable std::mutex mutex_;
  std::function<std::string()> detail_;
};

/// While it exists, shows a progress bar on a terminal, or otherwise one line each minute. Its own thread samples the
/// counters.
class ProgressReporter {
 public:
  /// \param unit     unit of done and total: "MB" divides by 10^6, anything else is a count
  /// \param records  what ProgressCounters::records counts: "pages"
  ProgressReporter(std::string stage, const ProgressCounters& counters, std::string unit, std::string records,
                   ProgressMode mode);
  ~ProgressReporter();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Highest resident memory of this process, in bytes, since its start or since `forget_peak_memory`.
std::uint64_t peak_memory_bytes();

/// What this process has used since the object was made.
class UsedResources {
 public:
  /// Starts the peak of memory anew from what is resident now; kernels that cannot do it keep the old one.
  UsedResources();
  double seconds() const;
  /// Processor time, with that of the programs that ended and were waited for.
  double cpu_seconds() const;

 private:
  std::chrono::steady_clock::time_point start_;
  double cpu_start_;
};

}  // namespace touchstone
