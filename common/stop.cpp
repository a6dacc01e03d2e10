#include "common/stop.hpp"

#include "common/error.hpp"

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include <unistd.h>

namespace touchstone {
namespace {

StopFlag g_signal_flag;  // must be reachable from a signal handler

void on_signal(int) {
  if (g_signal_flag.requested()) ::_exit(3);
  g_signal_flag.request();
}

}  // namespace

void StopFlag::check() const {
  if (requested()) throw Interrupted("run the same command again to resume");
}

StopFlag& install_stop_signals() {
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction action {};
    action.sa_handler = on_signal;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
  });
  return g_signal_flag;
}

void kill_point(const char* name) {
  struct Wish {
    std::string name;
    int nth = 1, signal = SIGKILL;
  };
  static const Wish wish = [] {
    const char* value = std::getenv("TOUCHSTONE_KILL_AT");
    Wish out;
    out.name = value != nullptr ? value : "";
    if (const auto colon = out.name.find(':'); colon != std::string::npos) {
      out.nth = std::atoi(out.name.c_str() + colon + 1);
      const auto second = out.name.find(':', colon + 1);
      if (second != std::string::npos) out.signal = std::atoi(out.name.c_str() + second + 1);
      out.name.resize(colon);
    }
    return out;
  }();
  static const auto sleep = [] {
    const char* value = std::getenv("TOUCHSTONE_SLEEP_AT");
    const std::string text = value != nullptr ? value : "";
    const auto colon = text.find(':');
    return std::pair(text.substr(0, colon), colon == std::string::npos ? 0 : std::atoi(text.c_str() + colon + 1));
  }();
  if (sleep.second > 0 && sleep.first == name) std::this_thread::sleep_for(std::chrono::seconds(sleep.second));
  if (wish.name.empty() || wish.name != name) return;
  static std::atomic<int> passages{0};
  if (++passages == wish.nth) ::raise(wish.signal);
}

}  // namespace touchstone
