#include "pipeline/cluster/driver_claim.hpp"

#include "common/error.hpp"
#include "common/files.hpp"

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <random>
#include <string_view>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

namespace touchstone::pipeline::cluster {
namespace {

constexpr std::uint64_t kMostBytes = 4096;

std::string host_name() {
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  return name.data();
}

std::string content_of(const std::filesystem::path& file) {
  try {
    return std::filesystem::exists(file) ? read_file(file, kMostBytes) : std::string{};
  } catch (const StorageError&) {
    return {};  // it was removed in between
  }
}

/// "HOST PROCESS RANDOM" of a file.
std::string_view owner_in(std::string_view content) {
  return content.substr(0, std::min(content.find('\n'), content.size()));
}

/// Whether the owner is a process of this machine that has ended.
bool is_dead(std::string_view owner, const std::string& host) {
  if (!owner.starts_with(host + " ")) return false;
  owner.remove_prefix(host.size() + 1);
  pid_t process = 0;
  std::from_chars(owner.data(), owner.data() + owner.size(), process);
  return process <= 0 || (::kill(process, 0) != 0 && errno == ESRCH);
}

}  // namespace

DriverClaim::DriverClaim(std::filesystem::path file, std::chrono::seconds patience, const StopFlag& stop)
    : file_(std::move(file)), owner_(fmt::format("{} {} {:08x}", host_name(), ::getpid(), std::random_device{}())) {
  const auto before = content_of(file_);
  if (!before.empty() && !is_dead(owner_in(before), host_name())) {
    const bool is_here = before.starts_with(host_name() + " ");
    const auto end = std::chrono::steady_clock::now() + patience;
    auto now = before;
    while (!is_here && now == before && std::chrono::steady_clock::now() < end) {
      stop.check();
      std::this_thread::sleep_for(std::chrono::milliseconds(500));
      now = content_of(file_);
    }
    if (is_here || (now != before && !now.empty()))
      throw ConfigError(
          fmt::format("another process gives out the jobs of {}: {} (host, process); wait until it is done, "
                      "or end it",
                      file_.parent_path().parent_path().string(), owner_in(now)));
  }
  write();
  // Of two that began at the same time, the one whose name stays has the claim.
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  beat();
}

DriverClaim::~DriverClaim() {
  std::error_code ignored;
  if (is_ours()) std::filesystem::remove(file_, ignored);
}

void DriverClaim::beat() {
  if (!is_ours())
    throw Error(fmt::format("another process took over the jobs of {}: {} (host, process); this one ends",
                            file_.parent_path().parent_path().string(), owner_in(content_of(file_))));
  write();
}

bool DriverClaim::is_ours() const {
  return owner_in(content_of(file_)) == owner_;
}

void DriverClaim::write() {
  write_file_atomically(file_, fmt::format("{}\n{}\n", owner_, ++beats_));
}

}  // namespace touchstone::pipeline::cluster
