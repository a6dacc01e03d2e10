#include "common/thread_limit.hpp"

#include "common/error.hpp"
#include "common/system_failure.hpp"

#include <condition_variable>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace touchstone {

void check_thread_limit(int threads) {
  std::mutex mutex;
  std::condition_variable all_started;
  bool done = false;
  std::string failure;
  std::vector<std::thread> started;
  started.reserve(static_cast<std::size_t>(threads));
  try {
    for (int i = 0; i < threads; ++i) {
      started.emplace_back([&] {
        std::unique_lock lock(mutex);
        all_started.wait(lock, [&] { return done; });
      });
    }
  } catch (const std::system_error& error) {
    failure = failure_text(error);
  }
  {
    const std::lock_guard lock(mutex);
    done = true;
  }
  all_started.notify_all();
  for (auto& thread : started) thread.join();
  if (!failure.empty()) throw Error(failure);
}

}  // namespace touchstone
