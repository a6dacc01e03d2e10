#include "analysis/presentation/external_program.hpp"

#include "common/descriptor.hpp"
#include "common/error.hpp"
#include "formats/fields/quote.hpp"

#include <array>
#include <cerrno>

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

/// Pointers to the texts, as the system takes them. \param texts  must outlive them
std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (auto& text : texts) pointers.push_back(text.data());
  return pointers;
}

}  // namespace

int run_program(std::vector<std::string> words, std::vector<std::string> environment) {
  Pipe errors = make_pipe(words.front());
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, errors.write_end.get(), STDERR_FILENO);
  auto arguments = pointers_to(words), variables = pointers_to(environment);
  arguments.push_back(nullptr);
  for (char** variable = environ; *variable != nullptr; ++variable) variables.push_back(*variable);
  variables.push_back(nullptr);
  pid_t child = 0;
  const int failed = ::posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), variables.data());
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return failed;
  errors.write_end.close();
  const std::string said = read_to_end(errors.read_end.get());
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return 0;
  std::string command;
  for (const auto& word : words) command += (command.empty() ? "" : " ") + word;
  throw Error(fmt::format("{} failed: {}", command, formats::fields::quote_for_message(said)));
}

}  // namespace touchstone::analysis::presentation::internal
