#include "analysis/presentation/gnuplot.hpp"

#include "common/descriptor.hpp"
#include "common/error.hpp"
#include "formats/fields/quote.hpp"

#include <array>
#include <cerrno>
#include <string>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace touchstone::analysis::presentation::internal {
namespace {

constexpr std::size_t kMaxMessageBytes = 65536;

/// Reads until the writer closes; keeps the first bytes.
std::string read_to_end(int descriptor) {
  std::string text;
  std::array<char, 4096> buffer{};
  for (;;) {
    const auto got = ::read(descriptor, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return text;
    if (text.size() < kMaxMessageBytes) text.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

}  // namespace

std::string gnuplot_quoted(std::string_view text, GnuplotText use) {
  std::string out = "'";
  for (const char c : text) {
    const bool is_control = static_cast<unsigned char>(c) < 0x20;
    const bool is_doubled = c == '\'' || (c == '%' && use == GnuplotText::kTicLabel);
    out.append(is_doubled ? 2 : 1, is_control && use != GnuplotText::kPath ? '?' : c);
  }
  return out + "'";
}

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
    throw Error(fmt::format(
        "cannot start gnuplot, which draws the plots ({}); install the package gnuplot-nox, or leave out --plots and "
        "--report",
        system_reason(failed)));
  }
  const std::string said = read_to_end(errors.read_end.get());
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw Error(fmt::format("gnuplot failed on {}: {}", file, formats::fields::quote_for_message(said)));
}

}  // namespace touchstone::analysis::presentation::internal
