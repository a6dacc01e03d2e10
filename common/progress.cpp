#include "common/progress.hpp"

#include "common/log.hpp"

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <cstdio>
#include <fstream>
#include <mutex>
#include <string_view>
#include <thread>

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

namespace touchstone {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kBarInterval = std::chrono::milliseconds(200);
constexpr auto kLineInterval = std::chrono::seconds(60);

std::string time_text(double seconds) {
  const auto whole = std::llround(seconds);
  if (whole >= 3600) return fmt::format("{}h{:02}m", whole / 3600, whole / 60 % 60);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

}  // namespace

void ProgressCounters::set_detail(std::function<std::string()> detail) {
  const std::lock_guard lock(mutex_);
  detail_ = std::move(detail);
}

std::string ProgressCounters::detail() const {
  const std::lock_guard lock(mutex_);
  return detail_ ? detail_() : std::string();
}

struct ProgressReporter::Impl {
  std::string stage, unit, records;
  const ProgressCounters& counters;
  bool bar = false;
  std::mutex mutex;
  std::condition_variable wake;
  bool stopping = false;
  Clock::time_point start = Clock::now();
  Clock::time_point last_time = start;
  std::uint64_t last_records = 0;
  std::thread thread;

  explicit Impl(const ProgressCounters& watched) : counters(watched) {}

  std::string line() {
    const auto now = Clock::now();
    const double elapsed = std::chrono::duration<double>(now - start).count();
    const double step = std::chrono::duration<double>(now - last_time).count();
    const auto known = counters.known.load();
    const auto done = counters.done.load(), total = counters.total.load(), count = counters.records.load();
    const std::uint64_t made = count - std::min(count, known);
    const double rate_now = step > 0 ? static_cast<double>(made - std::min(made, last_records)) / step : 0;
    const double rate = elapsed > 0 ? static_cast<double>(made) / elapsed : 0;
    last_time = now;
    last_records = made;
    std::string text = stage + ": ";
    if (total > 0) {
      const double share = static_cast<double>(done) / static_cast<double>(total);
      text += fmt::format("{:5.1f} %", 100 * share);
      if (unit == "MB") {
        text += fmt::format(" of {:.0f} MB", static_cast<double>(total) / 1e6);
      } else {
        text += fmt::format(" of {} {}", total, unit);
      }
      const auto worked = static_cast<double>(done - std::min(done, known));
      if (share > 0.01 && share < 1 && worked > 0)
        text += ", " + time_text(elapsed / worked * static_cast<double>(total - done)) + " left";
    } else if (unit == "MB") {
      text += fmt::format("{:.0f} MB", static_cast<double>(done) / 1e6);
    }
    text += fmt::format(", {} {}, {:.0f}/s (average {:.0f}/s)", count, records, rate_now, rate);
    if (const auto detail = counters.detail(); !detail.empty()) text += "; " + detail;
    return text;
  }

  void run() {
    std::unique_lock lock(mutex);
    while (!stopping) {
      if (wake.wait_for(lock, bar ? Clock::duration(kBarInterval) : Clock::duration(kLineInterval),
                        [&] { return stopping; }))
        break;
      if (bar) {
        const std::string text = line();
        std::fprintf(stderr, "\r\033[2K%.*s", 160, text.c_str());
        std::fflush(stderr);
      } else {
        log_line(LogLevel::kInfo, line());
      }
    }
    if (bar) std::fprintf(stderr, "\r\033[2K");
  }
};

ProgressReporter::ProgressReporter(std::string stage, const ProgressCounters& counters, std::string unit,
                                   std::string records, ProgressMode mode)
    : impl_(std::make_unique<Impl>(counters)) {
  impl_->stage = std::move(stage);
  impl_->unit = std::move(unit);
  impl_->records = std::move(records);
  if (mode == ProgressMode::kNever) return;
  impl_->bar = mode == ProgressMode::kAlways || ::isatty(STDERR_FILENO) != 0;
  impl_->thread = std::thread([this] { impl_->run(); });
}

ProgressReporter::~ProgressReporter() {
  if (!impl_->thread.joinable()) return;
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->stopping = true;
  }
  impl_->wake.notify_all();
  impl_->thread.join();
}

std::uint64_t peak_memory_bytes() {
  constexpr std::string_view kPeak = "VmHWM:";
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(kPeak)) return std::stoull(line.substr(kPeak.size())) * 1024;
  }
  struct rusage usage {};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

namespace {
double cpu_seconds_so_far() {
  constexpr double kMicro = 1e-6;
  double seconds = 0;
  for (const auto who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    struct rusage usage {};
    getrusage(who, &usage);
    for (const auto& time : {usage.ru_utime, usage.ru_stime})
      seconds += static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * kMicro;
  }
  return seconds;
}
}  // namespace

UsedResources::UsedResources() : start_(Clock::now()), cpu_start_(cpu_seconds_so_far()) {
  std::ofstream("/proc/self/clear_refs") << "5";  // proc(5): resets VmHWM
}

double UsedResources::seconds() const {
  return std::chrono::duration<double>(Clock::now() - start_).count();
}

double UsedResources::cpu_seconds() const {
  return cpu_seconds_so_far() - cpu_start_;
}

}  // namespace touchstone
