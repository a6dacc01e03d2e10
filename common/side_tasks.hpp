#pragma once

#include <atomic>
#include <exception>
#include <mutex>
#include <utility>

#include <oneapi/tbb/task_group.h>

namespace touchstone {

/// Tasks that run side by side in the threads of the caller's TBB arena. An error stays in its task until all have
/// ended: TBB would cancel the group, and with TBB 2021.8 the wait for a cancelled group whose tasks have groups of
/// their own was seen to crash. Tasks that have not begun when one has failed do nothing. Not thread-safe.
class SideTasks {
 public:
  SideTasks() = default;
  ~SideTasks() { tasks_.wait(); }
  SideTasks(const SideTasks&) = delete;
  SideTasks& operator=(const SideTasks&) = delete;

  template <class Task>
  void run(Task task) {
    tasks_.run([this, task = std::move(task)] {
      if (failed_) return;
      try {
        task();
      } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!error_) error_ = std::current_exception();
        failed_ = true;
      }
    });
  }

  /// Returns when all tasks have ended; throws what the first one threw that failed.
  void wait() {
    tasks_.wait();
    failed_ = false;
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  }

  /// Lets tasks that have not begun do nothing.
  void give_up() { failed_ = true; }

 private:
  tbb::task_group tasks_;
  std::atomic<bool> failed_ = false;
  std::mutex mutex_;
  std::exception_ptr error_;
};

}  // namespace touchstone
