#include "common/descriptor.hpp"
#include "common/error.hpp"
#include "extractors/dump/decompressors.hpp"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <thread>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace touchstone::extractors::dump::internal {
namespace {

/// One thread feeds the program the raw file, the reader takes what it writes.
class Lbzip2Source : public FileSource {
 public:
  Lbzip2Source(std::unique_ptr<RawFile> file, int threads) : FileSource(std::move(file)) {
    Pipe input = make_pipe("lbzip2"), output = make_pipe("lbzip2"), errors = make_pipe("lbzip2");
    ::fcntl(output.read_end.get(), F_SETPIPE_SZ, 1 << 20);  // fewer wake-ups; harmless where refused
    ::fcntl(input.write_end.get(), F_SETPIPE_SZ, 1 << 20);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input.read_end.get(), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output.write_end.get(), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, errors.write_end.get(), STDERR_FILENO);
    // Its own process group: a Ctrl-C at the terminal is ours to handle, in order.
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    const std::string count = "-n" + std::to_string(threads);
    const char* arguments[] = {"lbzip2", "-d", "-c", count.c_str(), nullptr};
    const int status =
        ::posix_spawnp(&child_, "lbzip2", &actions, &attributes, const_cast<char* const*>(arguments), environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (status != 0) throw StorageError("cannot start lbzip2: " + system_reason(status));
    to_child_ = std::move(input.write_end);
    from_child_ = std::move(output.read_end);
    child_errors_ = std::move(errors.read_end);
    feeder_ = std::thread([this] { feed(); });
  }

  ~Lbzip2Source() override {
    stop_ = true;
    if (child_ > 0) ::kill(child_, SIGKILL);
    if (feeder_.joinable()) feeder_.join();
    if (child_ > 0) ::waitpid(child_, nullptr, 0);
  }

  std::size_t read(char* buffer, std::size_t size) override {
    if (finished_) return 0;
    for (;;) {
      const auto got = ::read(from_child_.get(), buffer, size);
      if (got > 0) return static_cast<std::size_t>(got);
      if (got == 0) break;
      if (errno != EINTR) throw StorageError("cannot read from lbzip2: " + system_reason(errno));
    }
    if (feeder_.joinable()) feeder_.join();
    std::string said(1 << 12, '\0');
    const auto length = ::read(child_errors_.get(), said.data(), said.size());
    said.resize(length > 0 ? static_cast<std::size_t>(length) : 0);
    int status = 0;
    while (::waitpid(child_, &status, 0) < 0 && errno == EINTR) {
    }
    child_ = -1;
    finished_ = true;
    if (feed_failure_) std::rethrow_exception(feed_failure_);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
      const auto colon = said.rfind(": ");
      std::string why = colon == std::string::npos ? "bzip2 data" : said.substr(colon + 2);
      while (!why.empty() && (why.back() == '\n' || why.back() == '.')) why.pop_back();
      throw_damaged(*file_, why);
    }
    return 0;
  }

 private:
  void feed() noexcept {
    sigset_t blocked;  // a child that died early gives EPIPE, not a signal
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &blocked, nullptr);
    try {
      std::vector<char> buffer(1 << 18);
      std::size_t got = 0;
      bool open = true;
      while (open && !stop_ && (got = file_->read(buffer.data(), buffer.size())) > 0) {
        for (std::size_t done = 0; done < got;) {
          const auto written = ::write(to_child_.get(), buffer.data() + done, got - done);
          if (written > 0) {
            done += static_cast<std::size_t>(written);
          } else if (errno != EINTR) {
            open = false;  // the child ended; its exit status tells why
            break;
          }
        }
      }
    } catch (...) {  // handed to the reading thread, which rethrows it
      feed_failure_ = std::current_exception();
    }
    to_child_.close();
  }

  pid_t child_ = -1;
  Descriptor to_child_, from_child_, child_errors_;
  bool finished_ = false;
  std::atomic<bool> stop_{false};
  std::exception_ptr feed_failure_;
  std::thread feeder_;
};

bool program_exists(const char* program) {
  const char* path = std::getenv("PATH");
  if (path == nullptr) return false;
  for (std::string_view rest = path; !rest.empty();) {
    const auto colon = rest.find(':');
    const std::filesystem::path candidate = std::filesystem::path(rest.substr(0, colon)) / program;
    if (::access(candidate.c_str(), X_OK) == 0) return true;
    rest = colon == std::string_view::npos ? std::string_view{} : rest.substr(colon + 1);
  }
  return false;
}

}  // namespace

bool lbzip2_is_installed() {
  return program_exists("lbzip2");
}

std::unique_ptr<ByteSource> make_lbzip2_source(std::unique_ptr<RawFile> file, int threads) {
  return std::make_unique<Lbzip2Source>(std::move(file), threads);
}

}  // namespace touchstone::extractors::dump::internal
