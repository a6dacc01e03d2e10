#pragma once

#include <atomic>

namespace touchstone {

/// Asks long work to end early. Set from a signal handler or another thread, looked at between batches.
class StopFlag {
 public:
  void request() noexcept { requested_.store(true, std::memory_order_relaxed); }
  bool requested() const noexcept { return requested_.load(std::memory_order_relaxed); }
  /// Throws Interrupted when a stop was requested.
  void check() const;

 private:
  std::atomic<bool> requested_{false};
};

/// The flag that SIGINT and SIGTERM set; a second signal ends the program at once with status 3. Installs the handlers
/// on the first call.
StopFlag& install_stop_signals();

/// A named place where tests can have the process killed (SIGKILL), as a power cut would: with the environment variable
/// TOUCHSTONE_KILL_AT=name:n the n-th passage of `name` does it; name:n:s sends signal number s instead. Costs one look
/// at a constant otherwise.
void kill_point(const char* name);

}  // namespace touchstone
