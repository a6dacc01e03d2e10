#include "common/child_process.hpp"

#include "common/descriptor.hpp"
#include "common/error.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace touchstone {
namespace {

constexpr std::size_t kBytesAtOnce = 16384;

/// Starts the program with its ends of the pipes. Returns its number.
pid_t start(const std::vector<std::string>& command, const Pipe& out, const Pipe& errors) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out.write_end.get(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, errors.write_end.get(), STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  std::vector<char*> arguments;
  for (const auto& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int failure = ::posix_spawnp(&child, arguments[0], &actions, &attributes, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (failure != 0) throw Error("cannot start " + command.front() + ": " + system_reason(failure));
  return child;
}

/// Appends what there is to read; closes the descriptor at its end.
void take(Descriptor& from, std::string& to) {
  std::array<char, kBytesAtOnce> buffer{};
  const auto got = ::read(from.get(), buffer.data(), buffer.size());
  if (got > 0)
    to.append(buffer.data(), static_cast<std::size_t>(got));
  else if (got == 0 || errno != EINTR)
    from.close();
}

}  // namespace

bool is_installed(std::string_view program) {
  const char* path = std::getenv("PATH");
  if (path == nullptr) return false;
  for (std::string_view rest = path; !rest.empty();) {
    const auto colon = rest.find(':');
    const auto candidate = std::filesystem::path(rest.substr(0, colon)) / program;
    if (::access(candidate.c_str(), X_OK) == 0) return true;
    rest = colon == std::string_view::npos ? std::string_view{} : rest.substr(colon + 1);
  }
  return false;
}

ChildOutput run_child(const std::vector<std::string>& command, std::chrono::seconds most) {
  const auto end = std::chrono::steady_clock::now() + most;
  Pipe out = make_pipe(command.front()), errors = make_pipe(command.front());
  const pid_t child = start(command, out, errors);
  out.write_end.close();
  errors.write_end.close();
  ChildOutput output;
  bool killed = false;
  while (out.read_end.is_open() || errors.read_end.is_open()) {
    std::array<pollfd, 2> waits{{{out.read_end.get(), POLLIN, 0}, {errors.read_end.get(), POLLIN, 0}}};
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    if (left.count() <= 0) {
      killed = true;
      ::kill(-child, SIGKILL);
      break;
    }
    if (::poll(waits.data(), waits.size(), static_cast<int>(left.count())) <= 0) continue;
    if (waits[0].revents != 0) take(out.read_end, output.out);
    if (waits[1].revents != 0) take(errors.read_end, output.errors);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  output.status = !killed && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return output;
}

}  // namespace touchstone
