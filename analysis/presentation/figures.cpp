#include "analysis/presentation/figures.hpp"

#include "analysis/presentation/text_parts.hpp"
#include "common/descriptor.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "formats/fields/quote.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace touchstone::analysis::presentation {
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

/// Runs a program of the PATH without a shell and waits for it. It gets no input, and what it prints is dropped. Throws
/// Error with its standard error if it fails.
/// \param words        the name of the program and its arguments; not empty
/// \param environment  "NAME=value" beside our own environment, before which they count
/// \returns 0, or the error number of the system if the program cannot be started: ENOENT if it is not installed
/// \note Thread-safe.
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

using formats::svg::Chart;

/// Draws FIGURE.pdf from each FIGURE.svg, and removes those of an earlier run if that is impossible. \returns the
/// reason
std::string draw_figures_as_pdf(std::span<const Chart> charts, const std::filesystem::path& folder) {
  std::string reason;
  for (const auto& chart : charts) {
    const auto figure = std::filesystem::absolute(folder) / chart.name;
    const auto file = [&](const char* ending) { return figure.string() + ending; };
    std::error_code ignored;
    if (reason.empty()) {
      try {
        // A fixed time of creation in the file.
        const int missing =
            run_program({"rsvg-convert", "--format=pdf", "--output=" + file(".pdf.partial"), file(".svg")},
                        {"SOURCE_DATE_EPOCH=0"});
        if (missing != 0) reason = fmt::format("cannot start rsvg-convert ({})", system_reason(missing));
      } catch (const Error& error) {
        reason = error.what();
      }
    }
    if (reason.empty()) {
      std::filesystem::rename(file(".pdf.partial"), file(".pdf"), ignored);
      continue;
    }
    std::filesystem::remove(file(".pdf.partial"), ignored);
    std::filesystem::remove(file(".pdf"), ignored);
  }
  if (reason.empty()) return "";
  return fmt::format(
      "figures are written as SVG and not as PDF: {}; install the package librsvg2-bin and run again if you need PDF",
      reason);
}

}  // namespace

std::string write_figures(std::span<const Chart> charts, const std::filesystem::path& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) throw StorageError(fmt::format("cannot make the folder {}: {}", folder.string(), failed.message()));
  for (const auto& chart : charts)
    write_file_atomically(folder / (chart.name + ".svg"), svg_chart(chart).markup() + "\n");
  return draw_figures_as_pdf(charts, folder);
}

formats::html::Html internal::figure(const Chart& chart) {
  using formats::html::element;
  return element("figure", {{"class", "card"}}, svg_chart(chart), element("figcaption", {}, chart.caption));
}

namespace internal {
namespace {

std::string frame_file(std::string_view name) {
  const auto files = frame_files();
  const auto found = std::find_if(files.begin(), files.end(), [&](const FrameFile& file) { return file.name == name; });
  TS_CHECK(found != files.end(), "a file of the table");
  return std::string(found->text);
}

}  // namespace

std::string report_page(std::string_view kind, std::string_view title, const formats::html::Html& content) {
  namespace html = formats::html;
  return html::fill(frame_file("browsing.html"),
                    {{"style", html::raw(frame_file("report.css"))},
                     {"own-style", html::raw(frame_file("studies.css"))},
                     {"title", std::string(title)},
                     {"collection", std::string(kind)},
                     {"navigation", html::Html()},
                     {"content", content + html::element("p", {{"class", "note"}}, program_and_version())},
                     {"script", html::Html()}});
}

}  // namespace internal

}  // namespace touchstone::analysis::presentation
