#pragma once

#include <atomic>

namespace touchstone {

/// Asks long work to end early. A signal handler or another thread sets it; stages check it between batches.
class StopFlag {
 public:
  StopFlag() = default;
  /// A flag for a part of the work: a stop that is requested of the whole, which must outlive it, counts here too.
  explicit StopFlag(const StopFlag* whole) noexcept : whole_(whole) {}

  void request() noexcept { requested_.store(true, std::memory_order_relaxed); }
  bool requested() const noexcept {
    return requested_.load(std::memory_order_relaxed) || (whole_ != nullptr && whole_->requested());
  }
  /// Throws Interrupted if a stop was requested.
  void check() const;

 private:
  const StopFlag* whole_ = nullptr;
  std::atomic<bool> requested_{false};
};

/// The flag that SIGINT and SIGTERM set. The first call installs the signal handlers. A second signal ends the program
/// at once with status 3.
StopFlag& install_stop_signals();

/// A named place where tests can kill the process (SIGKILL), as a power cut would. With the environment variable
/// TOUCHSTONE_KILL_AT=name:n, the n-th call with `name` kills it; name:n:s sends signal number s instead. Without the
/// variable, a call only checks a constant. With TOUCHSTONE_SLEEP_AT=name:s, a call with `name` sleeps s seconds, so
/// that a test can do something to the process there.
void kill_point(const char* name);

}  // namespace touchstone
