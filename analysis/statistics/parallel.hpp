#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <thread>
#include <vector>

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

/// Threads of one call. TBB's own settings for the process stay as they are.
namespace touchstone::analysis::statistics {

/// Runs `work()` with at most `threads` threads, 0 for all cores, and waits for it.
template <class Work>
void in_arena(int threads, const Work& work) {
  if (threads <= 0) threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  // By default TBB allows no more threads than cores and warns on standard error.
  const tbb::global_control allowed(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
  tbb::task_arena arena(threads);
  arena.execute(work);
}

/// Calls `work(block)` for 0 ... blocks - 1 on the threads of the arena, in any order.
template <class Work>
void for_each_block(std::uint64_t blocks, const Work& work) {
  tbb::parallel_for(std::uint64_t{0}, blocks, work);
}

/// The same for work that may throw. Of several errors the one of the first index is thrown, so that the message does
/// not depend on the threads.
template <class Work>
void for_each_or_throw(std::size_t count, const Work& work) {
  std::vector<std::exception_ptr> errors(count);
  tbb::parallel_for(std::size_t{0}, count, [&](std::size_t i) {
    try {
      work(i);
    } catch (...) {  // rethrown below
      errors[i] = std::current_exception();
    }
  });
  for (const auto& error : errors) {
    if (error) std::rethrow_exception(error);
  }
}

}  // namespace touchstone::analysis::statistics
