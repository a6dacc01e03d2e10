#include "cli/command.hpp"
#include "common/files.hpp"
#include "common/log.hpp"
#include "pipeline/inspection/inspect.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace touchstone::cli {
namespace {

/// A title as a field of a line: what separates fields and lines becomes a blank. Counts the titles it changes.
std::string as_field(std::string_view title, std::uint64_t& changed) {
  std::string field(title);
  const auto separates = [](char c) { return c == '\t' || c == '\n' || c == '\r'; };
  if (std::none_of(field.begin(), field.end(), separates)) return field;
  std::replace_if(field.begin(), field.end(), separates, ' ');
  ++changed;
  return field;
}

}  // namespace

std::uint64_t write_links(const std::filesystem::path& work, const pipeline::inspection::LinkSelection& selection,
                          const std::filesystem::path& out) {
  const auto store = storage::Store::open(pipeline::flow::WorkPaths{work}.store(), storage::Access::kReadOnly);
  TextWriter writer(out, InTheWay::kRefuse);
  std::uint64_t count = 0, changed = 0;
  pipeline::inspection::for_each_link(*store, selection, [&](std::string_view from, std::string_view to) {
    writer.write(as_field(from, changed) + "\t" + as_field(to, changed) + "\n");
    ++count;
  });
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
