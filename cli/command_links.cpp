#include "cli/command.hpp"
#include "common/files.hpp"
#include "common/log.hpp"
#include "pipeline/inspection/links.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

namespace touchstone::cli {
namespace {

/// Appends a title as a field of a line: what separates fields and lines becomes a blank. Counts the titles it changes.
void add_field(std::string_view title, std::string& lines, std::uint64_t& changed) {
  const auto begin = static_cast<std::ptrdiff_t>(lines.size());
  lines += title;
  const auto separates = [](char c) { return c == '\t' || c == '\n' || c == '\r'; };
  if (std::none_of(title.begin(), title.end(), separates)) return;
  std::replace_if(lines.begin() + begin, lines.end(), separates, ' ');
  ++changed;
}

constexpr std::size_t kLinesBytes = std::size_t{64} << 10U;

}  // namespace

std::uint64_t write_links(const std::filesystem::path& work, const pipeline::inspection::LinkSelection& selection,
                          const std::filesystem::path& out) {
  const auto store = storage::Store::open(pipeline::flow::WorkPaths{work}.store(), storage::Access::kReadOnly);
  TextWriter writer(out, InTheWay::kRefuse);
  const pipeline::inspection::LinkMemory memory{.folder = std::filesystem::absolute(out).parent_path()};
  std::string lines;
  std::uint64_t count = 0, changed = 0;
  pipeline::inspection::for_each_link(*store, selection, memory, [&](std::string_view from, std::string_view to) {
    add_field(from, lines, changed);
    lines += '\t';
    add_field(to, lines, changed);
    lines += '\n';
    ++count;
    if (lines.size() < kLinesBytes) return;
    writer.write(lines);
    lines.clear();
  });
  writer.write(lines);
  writer.finish();
  if (changed > 0) log_warn("links: tabs and line ends in {} titles are written as blanks", changed);
  return count;
}

void add_links(CLI::App* app, Context&) {
  auto* command = app->add_subcommand("links", "Write the links between articles as lines of two titles");
  auto flags = std::make_shared<WorkFlags>();
  auto out = std::make_shared<std::string>();
  auto selection = std::make_shared<pipeline::inspection::LinkSelection>();
  flags->add_to(command, 0);
  command->add_option("--out", *out, "TSV file to write: from_title, to_title; compressed if the name ends in .gz")
      ->required()
      ->type_name("FILE");
  command->add_flag("--resolved", selection->resolved, "Follow redirects; leave out links to pages not in the dump");
  command->add_flag("--text-only", selection->text_only, "Leave out links that only a template rule produces");
  command->callback([=] {
    const auto count = write_links(flags->work, *selection, *out);
    std::fprintf(stderr, "%llu links in %s\n", static_cast<unsigned long long>(count), out->c_str());
  });
}

}  // namespace touchstone::cli
