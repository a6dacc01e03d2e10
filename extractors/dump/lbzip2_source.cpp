#include "common/child_process.hpp"
#include "common/descriptor.hpp"
#include "common/error.hpp"
#include "extractors/dump/raw_file.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <iterator>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace touchstone::extractors::dump::internal {
namespace {

constexpr std::string_view kWithoutLbzip2 =
    "; mend its cause, or read the file without lbzip2 (--set ingest.use_lbzip2=false)";

/// What lbzip2 says of damaged data. Its exit status is 1 for all that went wrong, a lack of threads or memory too.
/// Source: lbzip2 2.5, decompress.c and common.h.
constexpr std::string_view kDamages[] = {"compressed data error", "unexpected end of file", "not a valid bzip2 file",
                                         "bad stream header magic", "CRC mismatch"};

/// One thread feeds the program the raw file, the reader takes what it writes.
class Lbzip2Source : public FileSource {
 public:
  Lbzip2Source(std::unique_ptr<RawFile> file, const ByteSourceOptions& options)
      : FileSource(std::move(file)), stop_flag_(options.stop) {
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
    const std::string count = "-n" + std::to_string(options.decompress_threads);
    const char* arguments[] = {"lbzip2", "-d", "-c", count.c_str(), nullptr};
    const int status =
        ::posix_spawnp(&child_, "lbzip2", &actions, &attributes, const_cast<char* const*>(arguments), environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (status != 0) throw StorageError("cannot start lbzip2: " + system_reason(status) + std::string(kWithoutLbzip2));
    to_child_ = std::move(input.write_end);
    from_child_ = std::move(output.read_end);
    child_errors_ = std::move(errors.read_end);
    feeder_ = std::thread([this] { feed(); });
  }

  ~Lbzip2Source() override {
    if (child_ > 0) ::kill(child_, SIGKILL);  // ends one that was stopped, too
    end_feeder();
    if (child_ > 0) ::waitpid(child_, nullptr, 0);
  }

  std::size_t read(char* buffer, std::size_t size) override {
    if (finished_) return 0;
    for (;;) {
      wait_readable(from_child_.get(), stop_flag_);
      const auto got = ::read(from_child_.get(), buffer, size);
      if (got > 0) return static_cast<std::size_t>(got);
      if (got == 0) break;
      if (errno != EINTR) throw StorageError("cannot read from lbzip2: " + system_reason(errno));
    }
    const int status = wait_for_child();
    finished_ = true;
    end_feeder();
    if (feed_failure_) std::rethrow_exception(feed_failure_);
    check_end(status);
    return 0;
  }

 private:
  void end_feeder() {
    stop_ = true;
    file_->cancel();
    if (feeder_.joinable()) feeder_.join();
  }

  /// The wait status of the child, which has closed its output. It may have been stopped before its end.
  int wait_for_child() {
    constexpr int kPauseMs = 5;
    int status = 0;
    for (;;) {
      const auto ended = ::waitpid(child_, &status, WNOHANG);
      if (ended > 0 || (ended < 0 && errno != EINTR)) break;
      if (stop_flag_ != nullptr) stop_flag_->check();
      ::poll(nullptr, 0, kPauseMs);
    }
    child_ = -1;
    return status;
  }

  /// What the child wrote on its standard error, without the name of the program and the file.
  std::string last_words() const {
    std::string said(1 << 12, '\0');
    const auto length = ::read(child_errors_.get(), said.data(), said.size());
    said.resize(length > 0 ? static_cast<std::size_t>(length) : 0);
    while (!said.empty() && (said.back() == '\n' || said.back() == '.')) said.pop_back();
    const auto line = said.rfind('\n');
    return line == std::string::npos ? said : said.substr(line + 1);
  }

  void check_end(int status) const {
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
    const auto where = name() + " near byte " + grouped_digits(file_->offset());
    if (WIFSIGNALED(status)) {
      const int signal = WTERMSIG(status);
      throw StorageError("lbzip2 was ended by signal " + std::to_string(signal) + " (" + ::strsignal(signal) +
                         ") while it read " + where +
                         "; that says nothing about the file: look for a lack of memory or a limit (ulimit), and run "
                         "the same command again");
    }
    const auto said = last_words();
    const bool damaged = std::any_of(std::begin(kDamages), std::end(kDamages),
                                     [&](std::string_view words) { return said.find(words) != std::string::npos; });
    if (damaged) {
      const auto colon = said.rfind(": ");
      throw_damaged_bzip2(*file_, colon == std::string::npos ? said : said.substr(colon + 2), stop_flag_);
    }
    throw StorageError("lbzip2 failed with exit status " + std::to_string(WEXITSTATUS(status)) +
                       (said.empty() ? "" : " (" + said + ")") + " while it read " + where +
                       "; that says nothing about the file" + std::string(kWithoutLbzip2));
  }

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

  const StopFlag* stop_flag_;
  pid_t child_ = -1;
  Descriptor to_child_, from_child_, child_errors_;
  bool finished_ = false;
  std::atomic<bool> stop_{false};
  std::exception_ptr feed_failure_;
  std::thread feeder_;
};

}  // namespace

bool lbzip2_is_installed() {
  return is_installed("lbzip2");
}

std::unique_ptr<ByteSource> make_lbzip2_source(std::unique_ptr<RawFile> file, const ByteSourceOptions& options) {
  return std::make_unique<Lbzip2Source>(std::move(file), options);
}

}  // namespace touchstone::extractors::dump::internal
