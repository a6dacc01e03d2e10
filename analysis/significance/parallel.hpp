#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <thread>

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace touchstone::analysis::internal {

/// Runs `work` with at most `threads` threads; 0: all cores.
template <class Work>
void in_arena(int threads, const Work& work) {
  if (threads <= 0) threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  // Without it TBB allows no more threads than cores, and writes a warning on standard error.
  const tbb::global_control allowed(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
  tbb::task_arena arena(threads);
  arena.execute(work);
}

/// Calls `work(block)` for 0 ... blocks - 1 on the arena's threads, in no order.
template <class Work>
void for_each_block(std::uint64_t blocks, const Work& work) {
  tbb::parallel_for(std::uint64_t{0}, blocks, work);
}

}  // namespace touchstone::analysis::internal
