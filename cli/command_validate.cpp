#include "cli/command.hpp"
#include "collection/kinds.hpp"
#include "common/display_text.hpp"
#include "common/json_writer.hpp"
#include "common/stop.hpp"
#include "pipeline/audit/derivation.hpp"
#include "pipeline/baseline/bm25_run.hpp"

#include <cstdio>

namespace touchstone::cli {

void add_validate(CLI::App* app, Context& context) {
  auto* command =
      app->add_subcommand("validate", "Check a collection directory: ids, texts, labels, formats, checksums");
  auto directory = std::make_shared<std::string>();
  auto format = std::make_shared<std::string>("text");
  command->add_option("COLLECTION", *directory, "Collection directory")->required();
  command->add_option("--format", *format, "text or json")->check(one_of({"text", "json"}))->type_name("FORMAT");
  add_footer(command, ExitStatus::kNoTopics);
  command->callback([=, &context] {
    const auto report = collection::validate_collection(*directory, install_stop_signals(),
                                                        pipeline::baseline::score_run, pipeline::audit::examine_audit);
    const auto topics = report.counts.find("topics");
    const bool empty = topics == report.counts.end() || topics->second == 0;
    context.exit_status = !report.ok() ? ExitStatus::kFailed : empty ? ExitStatus::kNoTopics : ExitStatus::kDone;
    if (*format == "json") {
      JsonWriter json({.indent = 2});
      json.begin_object()
          .field("ok", report.ok())
          .field("counts", report.counts)
          .field("warnings", report.warnings)
          .field("problem_count", report.problem_count)
          .key("problems")
          .begin_array();
      for (const auto& problem : report.problems) {
        json.begin_object()
            .field("file", problem.file)
            .field("line", problem.line)
            .field("what", problem.what)
            .end_object();
      }
      std::printf("%s", json.end_array().end_object().take_line().c_str());
      return;
    }
    for (const auto& problem : report.problems) {
      const std::string line = problem.line > 0 ? " line " + std::to_string(problem.line) : "";
      std::printf("%s%s: %s\n", display_text(problem.file).c_str(), line.c_str(), display_text(problem.what).c_str());
    }
    if (report.problem_count > report.problems.size()) {
      std::printf("... and %llu more problems\n",
                  static_cast<unsigned long long>(report.problem_count - report.problems.size()));
    }
    std::string counts;
    for (const auto& [name, count] : report.counts)
      counts += (counts.empty() ? "" : ", ") + std::to_string(count) + " " + name;
    std::printf("%s: %s\n", report.ok() ? "ok" : "NOT ok", counts.c_str());
    if (context.exit_status == ExitStatus::kNoTopics) {
      std::printf(
          "The files are as they should be, but the collection has no topics, so no run can be scored with it; "
          "touchstone survey with the dump shows settings that give some.\n");
    }
    for (const auto& warning : report.warnings) std::printf("warning: %s\n", display_text(warning).c_str());
  });
}

}  // namespace touchstone::cli
