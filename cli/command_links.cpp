#include "cli/command.hpp"
#include "common/files.hpp"
#include "pipeline/inspection/inspect.hpp"

#include <cstdio>

namespace touchstone::cli {

void add_links(CLI::App& app, Context&) {
  auto* command = app.add_subcommand("links", "Write the links between articles as lines of two titles");
  auto flags = std::make_shared<WorkFlags>();
  auto out = std::make_shared<std::string>();
  auto selection = std::make_shared<pipeline::inspection::LinkSelection>();
  flags->add_to(*command, 0);
  command->add_option("--out", *out, "TSV file to write: from_title, to_title; compressed if the name ends in .gz")
      ->required()
      ->type_name("FILE");
  command->add_flag("--resolved", selection->resolved, "Follow redirects; leave out links to pages not in the dump");
  command->add_flag("--text-only", selection->text_only, "Leave out links that only a template rule produces");
  command->callback([=] {
    const auto store = storage::Store::open(pipeline::flow::WorkPaths{flags->work}.store(), storage::Access::kReadOnly);
    TextWriter writer(*out);
    std::uint64_t count = 0;
    pipeline::inspection::for_each_link(*store, *selection, [&](std::string_view from, std::string_view to) {
      writer.write(std::string(from) + "\t" + std::string(to) + "\n");
      ++count;
    });
    writer.finish();
    std::fprintf(stderr, "%llu links in %s\n", static_cast<unsigned long long>(count), out->c_str());
  });
}

}  // namespace touchstone::cli
