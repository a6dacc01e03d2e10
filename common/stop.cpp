#include "common/stop.hpp"

#include "common/error.hpp"

#include <csignal>
#include <cstdlib>
#include <mutex>
#include <string>
#include <string_view>

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
  if (requested()) throw Interrupted("stopped; run the same command again to go on from here");
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
  static const std::string wanted = [] {
    const char* value = std::getenv("TOUCHSTONE_KILL_AT");
    return std::string(value != nullptr ? value : "");
  }();
  if (wanted.empty()) return;
  static std::atomic<int> passages{0};
  const auto colon = wanted.rfind(':');
  if (std::string_view(wanted).substr(0, colon) != name) return;
  const int nth = colon == std::string::npos ? 1 : std::atoi(wanted.c_str() + colon + 1);
  if (++passages == nth) ::kill(::getpid(), SIGKILL);
}

}  // namespace touchstone
