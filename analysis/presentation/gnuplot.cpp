#include "analysis/presentation/gnuplot.hpp"

#include "common/descriptor.hpp"
#include "common/error.hpp"
#include "formats/fields/quote.hpp"

#include <array>
#include <cerrno>
#include <string>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace touchstone::analysis::internal {
namespace {

std::string read_to_end(int descriptor) {
  std::string text;
  std::array<char, 4096> buffer{};
  for (;;) {
    const auto got = ::read(descriptor, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return text;
    if (text.size() < 65536) text.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

}  // namespace

void run_gnuplot(const std::filesystem::path& script) {
  Pipe errors = make_pipe("gnuplot");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, errors.write_end.get(), STDERR_FILENO);
  std::string program = "gnuplot", file = script.string();
  const std::array<char*, 3> arguments = {program.data(), file.data(), nullptr};
  pid_t child = 0;
  const int failed = ::posix_spawnp(&child, program.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  errors.write_end.close();
  if (failed != 0) {
    throw Error("cannot start gnuplot, which draws the plots (" + system_reason(failed) +
                "); install the package gnuplot-nox, or leave out --plots and --report");
  }
  const std::string said = read_to_end(errors.read_end.get());
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw Error("gnuplot failed on " + file + ": " + formats::fields::quote_for_message(said));
}

}  // namespace touchstone::analysis::internal
