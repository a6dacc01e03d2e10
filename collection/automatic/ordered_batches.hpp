#pragma once

#include "common/side_tasks.hpp"

#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

#include <oneapi/tbb/parallel_for.h>

namespace touchstone::collection::automatic {

/// Turns things that come one by one into others, and hands them on in their order. While one batch is made in the
/// threads of the caller's TBB arena, the next one comes. Not thread-safe.
template <class In, class Out>
class OrderedBatches {
 public:
  /// \param make  is called in several threads, also while `take` runs for things before
  /// \param take  is called in the thread that adds
  OrderedBatches(std::size_t batch, std::function<Out(In&)> make, std::function<void(const Out&)> take)
      : batch_(batch), make_(std::move(make)), take_(std::move(take)) {}
  ~OrderedBatches() { ended_ = true; }  // unless all is done, an error ended the work early
  OrderedBatches(const OrderedBatches&) = delete;
  OrderedBatches& operator=(const OrderedBatches&) = delete;

  void add(In in) {
    coming_.push_back(std::move(in));
    if (coming_.size() == batch_) start();
  }

  /// Call once, last.
  void finish() {
    start();
    start();
  }

 private:
  /// Ends the batch before, and starts the one that has come.
  void start() {
    tasks_.wait();
    const std::vector<Out> done = std::exchange(made_, {});
    in_work_ = std::exchange(coming_, {});
    made_.resize(in_work_.size());
    if (!in_work_.empty()) {
      tasks_.run([this] {
        std::mutex mutex;
        std::exception_ptr error;  // it leaves the loop when the loop is over, for the reason that SideTasks gives
        tbb::parallel_for(std::size_t{0}, in_work_.size(), [&](std::size_t i) {
          if (ended_) return;
          try {
            made_[i] = make_(in_work_[i]);
          } catch (...) {
            const std::lock_guard lock(mutex);
            if (!error) error = std::current_exception();
            ended_ = true;
          }
        });
        if (error) std::rethrow_exception(error);
      });
    }
    for (const auto& out : done) take_(out);
  }

  std::size_t batch_;
  std::function<Out(In&)> make_;
  std::function<void(const Out&)> take_;
  std::vector<In> coming_, in_work_;
  std::vector<Out> made_;
  std::atomic<bool> ended_ = false;  ///< nobody takes what is being made
  SideTasks tasks_;                  ///< last, so that it ends before what its tasks use
};

}  // namespace touchstone::collection::automatic
