#include "extractors/markup/pandoc.hpp"

#include "common/child_process.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/scratch_folder.hpp"
#include "common/unicode.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <system_error>

#include <fmt/format.h>

namespace touchstone::extractors::markup {
namespace {

constexpr std::string_view kProgram = "pandoc";
constexpr std::chrono::seconds kMost{60};
constexpr const char* kMemory = "-M512M";
constexpr std::size_t kMaxHtmlBytes = std::size_t{64} << 20;  // of HTML that is read; the tree has a lower bound
constexpr std::size_t kMaxProblemBytes = 300;

constexpr std::string_view kTemplate =
    "<html><body><main>\n$if(title)$<h1>$title$</h1>\n$endif$$body$\n</main></body></html>\n";
constexpr std::string_view kFilter =
    "function Note() return {} end\n"
    "function Div(d)\n"
    "  if d.classes:includes('toctree') or d.classes:includes('contents') then return {} end\n"
    "end\n";

/// What the program says is wrong, in one line.
std::string first_line(const std::string& errors) {
  auto text = repair_utf8(errors.substr(0, kMaxProblemBytes));
  std::replace(text.begin(), text.end(), '\n', ' ');
  while (text.ends_with(' ')) text.pop_back();
  return text.empty() ? "it says no reason" : text;
}

void write(const std::string& path, std::string_view bytes) {
  std::ofstream out(path, std::ios::binary);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size())).flush();
  if (!out) throw StorageError(fmt::format("cannot write {}; is the disk full?", path));
}

}  // namespace

bool pandoc_is_installed() {
  return is_installed(kProgram);
}

std::string pandoc_version() {
  if (!pandoc_is_installed()) return fmt::format("{}, not installed", kProgram);
  try {
    const auto said = run_child({std::string(kProgram), "--version"}, kMost).out;
    return repair_utf8(said.substr(0, std::min(said.find('\n'), kMaxProblemBytes)));
  } catch (const Error&) {
    return std::string(kProgram);  // reading says what is wrong with it
  }
}

RenderedPage render_with_pandoc(std::string_view bytes, std::string_view format, std::string& problem) {
  const ScratchFolder folder("pandoc");
  const auto path = [&](const char* name) { return (folder.path() / name).string(); };
  write(path("in"), bytes);
  write(path("template.html"), kTemplate);
  write(path("filter.lua"), kFilter);
  RenderedPage page;
  try {
    const auto said =
        run_child({std::string(kProgram), fmt::format("--from={}", format), "--to=html", "--sandbox",
                   "--template=" + path("template.html"), "--lua-filter=" + path("filter.lua"), "--wrap=none",
                   "--no-highlight", "--output=" + path("out"), path("in"), "+RTS", kMemory, "-RTS"},
                  kMost);
    std::error_code error;
    if (said.status == -1) {
      problem = fmt::format("pandoc was ended by a signal, or took more than {} s", kMost.count());
    } else if (said.status != 0) {
      problem = "pandoc: " + first_line(said.errors);
    } else if (std::filesystem::file_size(path("out"), error) > kMaxHtmlBytes || error) {
      problem = fmt::format("pandoc wrote more than {} bytes", kMaxHtmlBytes);
    } else {
      page.html = read_file(path("out"), kMaxHtmlBytes);
    }
  } catch (const StorageError&) {
    throw;
  } catch (const Error& error) {
    problem = error.what();
  }
  return page;
}

}  // namespace touchstone::extractors::markup
